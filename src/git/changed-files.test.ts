import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeNasty } from '../../test/support/nasty.ts';
import { commitOddName, ODD_NAME } from '../../test/support/odd-names.ts';
import { makeRepository } from '../../test/support/repository.ts';
import { readChange } from './change.ts';
import { listChangedFiles } from './changed-files.ts';
import type { ListedFile } from './changed-files.ts';
import type { GitPlace } from './git.ts';

function placeOf(root: string): GitPlace {
  return { gitDir: join(root, '.git'), commonDir: join(root, '.git'), workTree: root, trusted: true };
}

async function list(
  root: string,
  ends: { readonly base: string; readonly head: string },
  whitespace: 'show' | 'hide' = 'show',
): Promise<readonly ListedFile[]> {
  return await listChangedFiles({ place: placeOf(root), ...ends, whitespace });
}

test('the list of the nasty set is that of the change that reviewers get', async () => {
  const nasty = await makeNasty();
  await using repository = nasty.repository;
  const listed = await list(repository.root, nasty);
  const { files } = await readChange({ place: placeOf(repository.root), base: nasty.base, head: nasty.head });
  assert.deepEqual(
    listed.map(({ generated, ...file }) => (assert.equal(generated, null), file)),
    files,
  );
});

test('where spaces do not count, every file is still listed, with the lines that differ in more than that', async () => {
  await using repository = await makeRepository({
    files: { spaces: 'a\n  b\nc\n', both: 'a\nb\n', old: `${'same\n'.repeat(20)}x\n`, binary: Buffer.from([0, 1]), plain: 'x\n' },
  });
  const base = await repository.git('rev-parse', 'HEAD');
  await repository.git('mv', 'old', 'new');
  const head = await repository.commit('reindent', {
    spaces: 'a\n\tb\nc \n',
    both: 'a \nB\n',
    new: `${'same\n'.repeat(20)} x\n`,
    binary: Buffer.from([0, 2]),
    plain: 'y\n',
  });
  const counts = async (whitespace: 'show' | 'hide'): Promise<object> =>
    Object.fromEntries(
      (await list(repository.root, { base, head }, whitespace)).map(({ path, added, removed }) => [path, [added, removed]]),
    );
  assert.deepEqual(await counts('show'), { binary: [0, 0], both: [2, 2], new: [1, 1], plain: [1, 1], spaces: [2, 2] });
  assert.deepEqual(await counts('hide'), { binary: [0, 0], both: [1, 1], new: [0, 0], plain: [1, 1], spaces: [0, 0] });
});

test('a mark makes a file generated where it stood before, not where the change wrote it', async () => {
  const mark = '// @generated\n';
  await using repository = await makeRepository({
    files: {
      kept: `${mark}a\n`,
      lost: `${mark}a\n`,
      gained: 'a\n',
      gone: `${mark}${'only here\n'.repeat(9)}`,
      late: `${'x\n'.repeat(20)}${mark}`,
      'package-lock.json': '{}\n',
    },
  });
  const base = await repository.git('rev-parse', 'HEAD');
  await repository.remove('gone');
  const head = await repository.commit('change', {
    kept: `${mark}b\n`,
    lost: 'b\n',
    gained: `${mark}b\n`,
    added: `${mark}a\n`,
    late: `${'x\n'.repeat(20)}${mark}more\n`,
    'package-lock.json': '{"a":1}\n',
  });
  const generated = (await list(repository.root, { base, head })).filter((file) => file.generated !== null);
  assert.deepEqual(
    generated.map(({ path, generated: why }) => [path, why]),
    [
      ['gone', 'marked as generated'],
      ['kept', 'marked as generated'],
      ['package-lock.json', 'a lockfile'],
    ],
  );
});

test('a path that is no UTF-8 is listed with its bytes replaced', async () => {
  await using repository = await makeRepository();
  const base = await repository.git('rev-parse', 'HEAD');
  const first = await commitOddName(repository, 'one\n');
  const head = await commitOddName(repository, 'two\n');
  for (const whitespace of ['show', 'hide'] as const) {
    const [added] = await list(repository.root, { base, head: first }, whitespace);
    const [changed] = await list(repository.root, { base: first, head }, whitespace);
    assert.partialDeepStrictEqual(added, { path: ODD_NAME.text, status: 'added', added: 1 });
    assert.partialDeepStrictEqual(changed, { path: ODD_NAME.text, status: 'modified', added: 1, removed: 1 });
  }
});

test('what is no commit id never reaches git', async () => {
  await using repository = await makeRepository();
  const head = await repository.git('rev-parse', 'HEAD');
  await assert.rejects(list(repository.root, { base: '--output=/tmp/x', head }), /not a commit id/);
  await assert.rejects(list(repository.root, { base: 'HEAD', head }), /not a commit id/);
});
