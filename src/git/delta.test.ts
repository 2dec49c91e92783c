import assert from 'node:assert/strict';
import { chmod, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { FileDelta, HunkSpan } from '../core/delta.ts';
import { readTruth } from '../../test/support/diff-truth.ts';
import { byPath, makeNasty } from '../../test/support/nasty.ts';
import { makeRepository } from '../../test/support/repository.ts';
import type { Files, TestRepository } from '../../test/support/repository.ts';
import { readDelta } from './delta.ts';
import { FAKE_FILE, fakeStart, fakeWorkspace } from './fake.ts';
import type { GitPlace } from './git.ts';

function placeOf(root: string): GitPlace {
  return { gitDir: join(root, '.git'), commonDir: join(root, '.git'), workTree: root, trusted: true };
}

function numbered(count: number, word = 'line'): string {
  return Array.from({ length: count }, (_, index) => `${word} ${index + 1}\n`).join('');
}

/** Commits two sides, one after the other, and reads what differs; what a side leaves out stays. */
async function deltaOf(before: Files, change: (repository: TestRepository) => Promise<void>): Promise<FileDelta[]> {
  await using repository = await makeRepository({ files: {} });
  const from = await repository.commit('before', before);
  await change(repository);
  const to = await repository.commit('after');
  return await readDelta(placeOf(repository.root), from, to);
}

function writing(files: Files): (repository: TestRepository) => Promise<void> {
  return async (repository) => {
    for (const [path, content] of Object.entries(files)) await repository.write(path, content);
  };
}

function span([oldStart, oldCount]: [number, number], [newStart, newCount]: [number, number]): HunkSpan {
  return { oldStart, oldCount, newStart, newCount };
}

/** What the spans say is left alone must be the same on both sides. */
function assertSpansFit([before, after]: readonly [string, string], hunks: readonly HunkSpan[], path: string): void {
  const keep = (text: string, ranges: readonly (readonly [number, number])[]): string[] =>
    text
      .split('\n')
      .slice(0, text.endsWith('\n') || text === '' ? -1 : undefined)
      .filter((_, index) => !ranges.some(([start, count]) => index + 1 >= start && index + 1 < start + count));
  const old = keep(
    before,
    hunks.map((hunk) => [hunk.oldStart, hunk.oldCount]),
  );
  const now = keep(
    after,
    hunks.map((hunk) => [hunk.newStart, hunk.newCount]),
  );
  assert.deepEqual(old, now, path);
}

test('every file of the nasty set has spans that leave only equal lines outside', async () => {
  const nasty = await makeNasty();
  await using repository = nasty.repository;
  const deltas = await readDelta(placeOf(repository.root), nasty.base, nasty.head);
  assert.deepEqual(
    deltas.map(({ path, oldPath, status }) => ({ path, oldPath, status })).toSorted(byPath),
    nasty.entries.map(({ path, oldPath, status }) => ({ path, oldPath, status })),
  );
  const unknown = deltas.filter((file) => file.hunks === null).map((file) => file.path);
  assert.deepEqual(unknown.toSorted(), ['binary-added', 'binary-changed', 'binary-deleted', 'submodule']);
  const truths = new Map((await readTruth(repository, [nasty.base, nasty.head], ['-M'])).map((truth) => [truth.path, truth]));
  for (const { path, hunks } of deltas) {
    const contents = truths.get(path)?.contents ?? null;
    if (hunks !== null && contents !== null) assertSpansFit(contents, hunks, path);
  }
});

test('spans have no context', async () => {
  const after = numbered(40).replace('line 3\n', 'third\nand a half\n').replace('line 20\n', '').replace('line 30\n', 'line 30\nmore\n');
  const [file] = await deltaOf({ 'a.ts': numbered(40) }, writing({ 'a.ts': after }));
  assert.deepEqual(file, {
    path: 'a.ts',
    oldPath: null,
    status: 'modified',
    hunks: [span([3, 1], [3, 2]), span([20, 1], [20, 0]), span([30, 0], [31, 1])],
  });
});

test('content that looks like a header of a hunk or of a file is content', async () => {
  const before = `-- a/x\n@@ -1 +1 @@\n${numbered(3)}`;
  const [file] = await deltaOf({ 'a.sql': before }, writing({ 'a.sql': `++ b/x\ndiff --git a/y b/y\n${numbered(3)}@@ -9,9 +9,9 @@\n` }));
  assert.deepEqual(file?.hunks, [span([1, 2], [1, 2]), span([5, 0], [6, 1])]);
});

test('a rename has no spans by itself, and those of its edit otherwise', async () => {
  const deltas = await deltaOf({ 'old one': numbered(30, 'first'), 'old\ntwo': numbered(30, 'second') }, async (repository) => {
    await repository.git('mv', 'old one', 'ñew "one"');
    await repository.git('mv', 'old\ntwo', 'new\ttwo');
    await repository.write('new\ttwo', `top\n${numbered(30, 'second')}`);
  });
  assert.deepEqual(deltas.toSorted(byPath), [
    { path: 'new\ttwo', oldPath: 'old\ntwo', status: 'renamed', hunks: [span([0, 0], [1, 1])] },
    { path: 'ñew "one"', oldPath: 'old one', status: 'renamed', hunks: [] },
  ]);
});

test('files come and go as one span, empty ones without any', async () => {
  const deltas = await deltaOf({ gone: numbered(3), 'gone-empty': '' }, async (repository) => {
    await repository.remove('gone');
    await repository.remove('gone-empty');
    await writing({ come: 'a\nb', 'come-empty': '' })(repository);
  });
  assert.deepEqual(
    deltas.map(({ path, status, hunks }) => [path, status, hunks]),
    [
      ['come', 'added', [span([0, 0], [1, 2])]],
      ['come-empty', 'added', []],
      ['gone', 'deleted', [span([1, 3], [0, 0])]],
      ['gone-empty', 'deleted', []],
    ],
  );
});

test('a final newline that is lost is a change of the last line', async () => {
  const [file] = await deltaOf({ a: 'one\ntwo\n' }, writing({ a: 'one\ntwo' }));
  assert.deepEqual(file?.hunks, [span([2, 1], [2, 1])]);
});

test('a change of mode alone has no spans, a change of type has those of both files', async () => {
  const deltas = await deltaOf({ 'a.sh': 'x\n', link: 'x\ny\n', 'z.ts': 'z\n' }, async (repository) => {
    await chmod(join(repository.root, 'a.sh'), 0o755);
    await rm(join(repository.root, 'link'));
    await symlink('a.sh', join(repository.root, 'link'));
    await repository.write('z.ts', 'zz\n');
  });
  assert.deepEqual(
    deltas.map(({ path, status, hunks }) => [path, status, hunks]),
    [
      ['a.sh', 'modified', []],
      ['link', 'typechanged', [span([1, 2], [0, 0]), span([0, 0], [1, 1])]],
      ['z.ts', 'modified', [span([1, 1], [1, 1])]],
    ],
  );
});

test('the spans of a file with very many are unknown, and those of all files beyond a limit', async () => {
  const every = (count: number, word: string): string => Array.from({ length: count }, (_, index) => `keep ${index}\n${word}\n`).join('');
  const names = Array.from({ length: 12 }, (_, index) => `b${String(index).padStart(2, '0')}`);
  const side = (word: string): Files => ({
    'a-many': every(2_001, word),
    ...Object.fromEntries(names.map((name) => [name, every(1_900, word)])),
    z: `${word}\n`,
  });
  const counts = (await deltaOf(side('one'), writing(side('two')))).map((file) => file.hunks?.length ?? null);
  assert.deepEqual(counts, [null, ...Array.from({ length: 10 }, () => 1_900), null, null, 1]);
});

test('attributes in the tree cannot hide a file', async () => {
  const deltas = await deltaOf({ '.gitattributes': '*.ts -diff\n', 'a.ts': 'x\n' }, writing({ 'a.ts': 'y\n' }));
  assert.deepEqual(deltas[0]?.hunks, [span([1, 1], [1, 1])]);
});

test('two equal commits have no delta, and what is no commit id is refused', async () => {
  await using repository = await makeRepository();
  const head = await repository.git('rev-parse', 'HEAD');
  const place = placeOf(repository.root);
  assert.deepEqual(await readDelta(place, head, head), []);
  await assert.rejects(readDelta(place, '--output=pwned', head), /not a commit id/);
});

test('the fake workspace gives the lines that its commits add', async () => {
  const workspace = fakeWorkspace();
  const start = fakeStart().commit;
  const checkout = await workspace.openCheckout({ loopId: 1, uid: 'one', commit: start, copy: [] });
  const heads = [start];
  for (const step of ['author-1', 'fix-1', 'fix-2']) {
    const made = await checkout.commit({ parent: heads.at(-1) ?? '', message: 'm', step, sign: 'off', groups: [] });
    if (made.kind === 'committed') heads.push(made.head.commit);
  }
  const between = async (from: number, to: number) => await workspace.readDelta(heads[from] ?? '', heads[to] ?? '');
  const file = { path: FAKE_FILE, oldPath: null };
  assert.deepEqual(await between(0, 1), [{ ...file, status: 'added', hunks: [span([0, 0], [1, 1])] }]);
  assert.deepEqual(await between(1, 3), [{ ...file, status: 'modified', hunks: [span([1, 0], [2, 2])] }]);
  assert.deepEqual(await between(3, 1), [{ ...file, status: 'modified', hunks: [span([2, 2], [1, 0])] }]);
  assert.deepEqual(await between(2, 0), [{ ...file, status: 'deleted', hunks: [span([1, 2], [0, 0])] }]);
  assert.deepEqual(await between(2, 2), []);
});
