import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Change } from '../core/diff.ts';
import { parsePatch } from '../core/parse-patch.ts';
import { applyHunks, asSections, readTruth } from '../../test/support/diff-truth.ts';
import { byPath, makeNasty } from '../../test/support/nasty.ts';
import type { Nasty } from '../../test/support/nasty.ts';
import { makeRepository } from '../../test/support/repository.ts';
import { changedPaths, listFiles, readChange, readFileAt } from './change.ts';
import type { GitPlace } from './git.ts';

function placeOf(root: string): GitPlace {
  return { gitDir: join(root, '.git'), commonDir: join(root, '.git'), workTree: root, trusted: true };
}

/** Config of a user who likes diffs to look different in every way. */
const FANCY = `
[color]
	ui = always
[diff]
	noprefix = true
	mnemonicPrefix = true
	renames = copies
	context = 9
	interHunkContext = 9
	algorithm = patience
	indentHeuristic = false
	suppressBlankEmpty = true
	external = false
	orderFile = /nowhere
	submodule = log
	relative = true
	ignoreSubmodules = all
	wsErrorHighlight = all
	colorMoved = zebra
[diff "evil"]
	textconv = false
	command = false
	binary = true
[core]
	quotePath = true
	abbrev = 4
	attributesFile = /nowhere
`;

describe('the change of the nasty set', () => {
  let nasty: Nasty;
  let place: GitPlace;
  let change: Change;
  before(async () => {
    nasty = await makeNasty();
    place = placeOf(nasty.repository.root);
    change = await readChange({ place, base: nasty.base, head: nasty.head });
  });
  after(async () => await nasty.repository[Symbol.asyncDispose]());

  test('lists every file as it is', () => {
    const files = change.files.map(({ path, oldPath, status, binary }) => ({ path, oldPath, status, binary }));
    assert.deepEqual(files.toSorted(byPath), nasty.entries);
    assert.deepEqual(
      change.files.filter((file) => file.submodule).map((file) => file.path),
      ['submodule'],
    );
  });

  test('has a patch that agrees with the list, line by line', async () => {
    const truths = (await readTruth(nasty.repository, [nasty.base, nasty.head], ['-M'])).flatMap(asSections);
    const patches = parsePatch(change.patch);
    assert.deepEqual(
      patches.map((file) => file.path),
      truths.map((truth) => truth.path),
    );
    for (const [index, file] of patches.entries()) {
      const contents = truths[index]?.contents ?? null;
      if (contents !== null && !file.binary) assert.equal(applyHunks(contents[0], file.hunks), contents[1], file.path);
    }
    for (const file of change.files) {
      const lines = patches.filter((patch) => patch.path === file.path).flatMap((patch) => patch.hunks.flatMap((hunk) => hunk.lines));
      assert.deepEqual(
        [file.added, file.removed],
        [lines.filter((line) => line.kind === 'added').length, lines.filter((line) => line.kind === 'removed').length],
        file.path,
      );
    }
  });

  test('shows text that attributes in the tree would hide', () => {
    const hidden = change.files.filter((file) => ['hidden.ts', 'added', 'query.sql'].includes(file.path));
    assert.deepEqual(
      hidden.map((file) => file.binary),
      [false, false, false],
    );
    assert.match(change.patch, /^\+const secret = 2;$/m);
  });

  test('is the same whatever the user has configured', async () => {
    await writeFile(join(nasty.repository.root, '.git', 'config'), FANCY, { flag: 'a' });
    assert.deepEqual(await readChange({ place, base: nasty.base, head: nasty.head }), change);
  });

  test('names its head, its tree and the hash of its patch', async () => {
    assert.equal(change.tree, await nasty.repository.git('rev-parse', `${nasty.head}^{tree}`));
    assert.equal(change.patchSha256, createHash('sha256').update(change.patch).digest('hex'));
  });

  test('has files that can be read at either side', async () => {
    for (const path of ['tab\there', 'new\nline', ':(top)*', '-dash', 'x b/x', 'ünïcode-日本-🎉']) {
      assert.equal((await readFileAt(place, nasty.head, path))?.toString(), 'b\n');
    }
    assert.deepEqual(await readFileAt(place, nasty.head, 'binary-added'), Buffer.from([0, 1, 2, 255]));
    assert.equal((await readFileAt(place, nasty.head, 'link'))?.toString(), 'mode-only');
    for (const path of ['deleted', 'a', 'submodule', '', '../x', './added', '/added', 'added\0'])
      assert.equal(await readFileAt(place, nasty.head, path), null);
  });

  test('lists all files of a commit and all paths between two', async () => {
    const listed = (await nasty.repository.git('ls-tree', '-r', '-z', '--name-only', nasty.head)).split('\0').slice(0, -1);
    assert.deepEqual(await listFiles(place, nasty.head), listed);
    const paths = change.files.flatMap((file) => (file.oldPath === null ? [file.path] : [file.path, file.oldPath]));
    assert.deepEqual(new Set(await changedPaths(place, nasty.base, nasty.head)), new Set(paths));
  });
});

test('a change starts where the head left its base', async () => {
  await using repository = await makeRepository();
  const first = await repository.git('rev-parse', 'HEAD');
  const base = await repository.commit('base moved on', { base: '1\n' });
  await repository.git('checkout', '--quiet', '-b', 'topic', first);
  const head = await repository.commit('topic', { topic: '1\n' });
  const change = await readChange({ place: placeOf(repository.root), base, head });
  assert.equal(change.mergeBase, first);
  assert.deepEqual(
    change.files.map((file) => file.path),
    ['topic'],
  );
});

test('nothing changed is an empty change', async () => {
  await using repository = await makeRepository();
  const head = await repository.git('rev-parse', 'HEAD');
  const change = await readChange({ place: placeOf(repository.root), base: head, head });
  assert.deepEqual([change.files, change.patch], [[], '']);
});

test('commits without a common history are no change', async () => {
  await using repository = await makeRepository();
  const base = await repository.git('rev-parse', 'HEAD');
  await repository.git('checkout', '--quiet', '--orphan', 'island');
  const head = await repository.commit('island');
  await assert.rejects(readChange({ place: placeOf(repository.root), base, head }), /no common history/);
});

test('bytes that are no text are hashed as they are', async () => {
  await using repository = await makeRepository({ files: { latin: Buffer.from('caf\xe9\n', 'latin1') } });
  const base = await repository.git('rev-parse', 'HEAD');
  const head = await repository.commit('more', { latin: Buffer.from('caf\xe9s\n', 'latin1') });
  const change = await readChange({ place: placeOf(repository.root), base, head });
  const raw = await repository.gitBytes('', 'diff', '--full-index', base, head);
  assert.equal(change.patchSha256, createHash('sha256').update(raw).digest('hex'));
});

test('what could be read as an option is no commit', async () => {
  await using repository = await makeRepository();
  await assert.rejects(changedPaths(placeOf(repository.root), '--output=pwned', 'HEAD'), /not a commit id/);
});
