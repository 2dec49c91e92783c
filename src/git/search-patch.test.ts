import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeNasty } from '../../test/support/nasty.ts';
import { makeRepository } from '../../test/support/repository.ts';
import { parsePatch } from '../core/parse-patch.ts';
import { readChange } from './change.ts';
import { searchPatch } from './search-patch.ts';
import type { PatchSearch } from './search-patch.ts';

function searchIn(root: string, given: Pick<PatchSearch, 'base' | 'head' | 'text'> & Partial<PatchSearch>): PatchSearch {
  const place = { gitDir: join(root, '.git'), commonDir: join(root, '.git'), workTree: root, trusted: true };
  return { place, whitespace: 'show', matchCase: true, skip: 0, limit: 10_000, mostMs: 60_000, ...given };
}

test('every line of the nasty set is found where it stands, page by page', async () => {
  const nasty = await makeNasty();
  await using repository = nasty.repository;
  const change = await readChange({ place: searchIn(repository.root, { ...nasty, text: '' }).place, base: nasty.base, head: nasty.head });
  const all = parsePatch(change.patch).flatMap((file) => file.hunks.flatMap((hunk) => hunk.lines.map((line) => ({ file, line }))));
  for (const text of ['a', 'diff --git', '+++', '\\ No newline', '@@ -1,3', '-- old', ' ', '\r']) {
    const expected = all
      .filter(({ line }) => line.text.includes(text))
      .map(({ file, line }) => [file.path, line.kind, line.oldLine, line.newLine, line.text]);
    const found: unknown[] = [];
    for (let skip = 0; ; skip += 3) {
      const page = await searchPatch(searchIn(repository.root, { ...nasty, text, skip, limit: 3 }));
      found.push(...page.matches.map((one) => [one.path, one.kind, one.oldLine, one.newLine, one.text]));
      assert.ok(page.isComplete);
      if (!page.hasMore) break;
    }
    assert.deepEqual(found, expected, text);
    if (text !== '\\ No newline') assert.ok(expected.length > 0, text);
  }
});

test('letters are folded unless told otherwise, and no character has a meaning of its own', async () => {
  await using repository = await makeRepository();
  const base = await repository.git('rev-parse', 'HEAD');
  const head = await repository.commit('words', { a: 'Straße (a+)+$ [x]\nSTRASSE\nÄrger\närger\na\\d-b/c\n' });
  const search = async (text: string, matchCase: boolean): Promise<readonly [number | null, number][]> =>
    (await searchPatch(searchIn(repository.root, { base, head, text, matchCase }))).matches.map(
      (one) => [one.newLine, one.column] as const,
    );
  assert.deepEqual(await search('strasse', false), [[2, 0]]);
  assert.deepEqual(await search('ärger', false), [
    [3, 0],
    [4, 0],
  ]);
  assert.deepEqual(await search('ärger', true), [[4, 0]]);
  assert.deepEqual(await search('(A+)+$ [X]', false), [[1, 7]]);
  assert.deepEqual(await search('(A+)+$ [X]', true), []);
  assert.deepEqual(await search(String.raw`A\D-B/C`, false), [[5, 0]]);
  assert.deepEqual(await search('.', false), []);
});

test('a long line is shown around what was found, and an endless one is searched as far as it is kept', async () => {
  await using repository = await makeRepository();
  const base = await repository.git('rev-parse', 'HEAD');
  const head = await repository.commit('long', { a: `${'x'.repeat(5000)}needle${'y'.repeat(5000)}\n${'z'.repeat(20_000_000)}needle\n` });
  const { matches, isComplete } = await searchPatch(searchIn(repository.root, { base, head, text: 'needle' }));
  assert.deepEqual([matches.length, isComplete], [1, false]);
  const [{ text, column, cut } = { text: '', column: 0, cut: false }] = matches;
  assert.deepEqual([text.slice(column, column + 6), text.length, cut], ['needle', 500, true]);
  assert.ok((await searchPatch(searchIn(repository.root, { base, head, text: 'z' }))).isComplete);
});

test('a search ends with its client, and tells when its time is over', async () => {
  await using repository = await makeRepository();
  const base = await repository.git('rev-parse', 'HEAD');
  const head = await repository.commit('much', { a: 'line\n'.repeat(3_000_000) });
  const late = await searchPatch(searchIn(repository.root, { base, head, text: 'nowhere', mostMs: 1 }));
  assert.deepEqual(late, { matches: [], hasMore: false, isComplete: false });
  const gone = new AbortController();
  const searching = searchPatch(searchIn(repository.root, { base, head, text: 'nowhere', signal: gone.signal }));
  setTimeout(() => gone.abort(), 20);
  await assert.rejects(searching, { name: 'AbortError' });
});
