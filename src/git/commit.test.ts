import assert from 'node:assert/strict';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Mirrored } from '../../test/support/mirrored.ts';
import { ATTACKS, attack, makeMirrored, readFiles, writeFiles } from '../../test/support/mirrored.ts';
import { TEST_IDENTITY, makeRepository, repositoryAt } from '../../test/support/repository.ts';
import { resetCheckout } from './checkout.ts';
import type { CommitInput, CommitResult } from './commit.ts';
import { commitAll } from './commit.ts';
import { git } from './git.ts';
import { importCommits } from './mirror.ts';
import { readSigning } from './sign.ts';

const AT = new Date('2026-01-02T03:04:05Z');

async function commit(mirrored: Mirrored, options: Partial<CommitInput> = {}): Promise<CommitResult> {
  return await commitAll({
    checkout: options.checkout ?? (await mirrored.open()),
    id: 7,
    parent: mirrored.start,
    message: 'feat: a change',
    trailers: { 'Volley-Loop': '7', 'Volley-Step': 'author 1' },
    identity: TEST_IDENTITY,
    at: AT,
    exclude: [],
    ...options,
  });
}

async function committed(mirrored: Mirrored, options: Partial<CommitInput> = {}): Promise<Extract<CommitResult, { kind: 'committed' }>> {
  const result = await commit(mirrored, options);
  assert.equal(result.kind, 'committed');
  return result.kind === 'committed' ? result : assert.fail();
}

test('changed, new and deleted files become one commit by the user with trailers', async () => {
  await using mirrored = await makeMirrored();
  const { dir } = await mirrored.open();
  await writeFiles(dir, { 'src/a.ts': 'export const a = 2;\n', 'src/b.ts': 'b\n' });
  await rm(join(dir, 'README.md'));
  const result = await committed(mirrored);
  assert.deepEqual(result.files, ['README.md', 'src/a.ts', 'src/b.ts']);
  assert.deepEqual(result.commits, [result.head.commit]);
  const shown = await mirrored.git('show', '--no-patch', '--format=%P%n%an <%ae>%n%cn%n%ct%n%B', result.head.commit);
  assert.equal(
    shown,
    `${mirrored.start}\nTest Person <test@example.invalid>\nTest Person\n${AT.getTime() / 1000}\nfeat: a change\n\nVolley-Loop: 7\nVolley-Step: author 1`,
  );
  assert.equal(await mirrored.git('rev-parse', `${result.head.commit}^{tree}`), result.head.tree);
  assert.equal(await mirrored.git('fsck', '--no-dangling'), '');
});

test('afterwards the checkout stands at the commit, clean for engine and agents', async () => {
  await using mirrored = await makeMirrored();
  const checkout = await mirrored.open();
  await writeFiles(checkout.dir, { 'src/a.ts': 'export const a = 2;\n', new: 'new\n' });
  const { head } = await committed(mirrored);
  const agent = repositoryAt(checkout.dir, checkout.dir);
  assert.equal(await agent.git('rev-parse', 'HEAD'), head.commit);
  assert.equal(await agent.git('status', '--porcelain'), '');
  assert.equal((await commit(mirrored, { parent: head.commit })).kind, 'unchanged');
});

test('nothing changed is said so, also when a file was only touched or changed back', async () => {
  await using mirrored = await makeMirrored();
  const checkout = await mirrored.open();
  assert.deepEqual(await commit(mirrored), { kind: 'unchanged', skipped: [] });
  await writeFiles(checkout.dir, { 'src/a.ts': 'export const a = 1;\n' });
  assert.equal((await commit(mirrored)).kind, 'unchanged');
});

test('commits that an agent made are folded into ours, and what it left half done in git is cleared away', async () => {
  await using mirrored = await makeMirrored();
  const checkout = await mirrored.open();
  const agent = repositoryAt(checkout.dir, checkout.dir);
  await agent.commit('agent: one', { one: '1\n' });
  await agent.commit('agent: two', { two: '2\n' });
  await writeFile(join(checkout.place.gitDir, 'MERGE_HEAD'), `${mirrored.start}\n`);
  await agent.write('three', '3\n');
  const { head, files } = await committed(mirrored);
  assert.deepEqual(files, ['one', 'three', 'two']);
  assert.equal(await mirrored.git('rev-list', '--count', head.commit), '2');
  assert.equal(await agent.git('status', '--porcelain'), '');
  assert.match(await agent.git('status'), /nothing to commit/);
});

test('an agent that went back to an older commit or another branch moves neither parent nor content', async () => {
  await using mirrored = await makeMirrored();
  const first = mirrored.start;
  const second = await mirrored.repo.commit('second', { 'src/a.ts': 'export const a = 2;\n' });
  await importCommits(mirrored.mirror, mirrored.project, [second]);
  const checkout = await mirrored.open('loop-1', second);
  const agent = repositoryAt(checkout.dir, checkout.dir);
  await agent.git('checkout', '--quiet', '-b', 'mine', first);
  await agent.write('new', 'new\n');
  const { head } = await committed(mirrored, { checkout, parent: second });
  assert.equal(await mirrored.git('rev-parse', `${head.commit}^`), second);
  assert.equal(await mirrored.git('show', `${head.commit}:src/a.ts`), 'export const a = 1;');
});

test('ignored files, excluded files and the index of the agent stay out', async () => {
  await using mirrored = await makeMirrored({ '.gitignore': 'ignored\n', 'a.txt': 'a\n', '.env': 'TRACKED=1\n' });
  const checkout = await mirrored.open();
  await writeFiles(checkout.dir, { ignored: 'x', '.env': 'MINE=1\n', 'conf/local.json': '{}', 'a.txt': 'b\n' });
  await repositoryAt(checkout.dir, checkout.dir).git('update-index', '--skip-worktree', 'a.txt');
  const { files } = await committed(mirrored, { exclude: ['.env', 'conf'] });
  assert.deepEqual(files, ['a.txt']);
});

test('modes, links and unusual names survive', async () => {
  await using mirrored = await makeMirrored({ 'was-file': 'x\n', 'was-dir/x': 'x\n', 'run.sh': '#!/bin/sh\n', 'to-link': 'x\n' });
  const { dir } = await mirrored.open();
  const names = [
    'with space',
    'quote"s\'',
    'new\nline',
    'tab\there',
    'Grüße-日本語',
    '-dash',
    'back\\slash',
    ':(top)magic',
    '*glob?[x]',
    ' lead',
    'trail ',
  ];
  await writeFiles(dir, Object.fromEntries(names.map((name) => [name, `${JSON.stringify(name)}\n`])));
  await writeFile(Buffer.concat([Buffer.from(`${dir}/latin-`), Buffer.from([0xe4, 0xff])]), 'bytes\n');
  await chmod(join(dir, 'run.sh'), 0o755);
  await Promise.all(['was-file', 'was-dir', 'to-link'].map(async (name) => await rm(join(dir, name), { recursive: true })));
  await writeFiles(dir, { 'was-file/inside': 'y\n', 'was-dir': 'y\n' });
  await symlink('/etc/passwd', join(dir, 'to-link'));
  const { head } = await committed(mirrored);
  const listed = (await git(mirrored.mirror.place, ['ls-tree', '-r', '-z', head.commit]))
    .split('\0')
    .map((entry) => entry.replace(/^(\d+) [^\t]+\t/, '$1 '));
  for (const name of names) assert.ok(listed.includes(`100644 ${name}`), name);
  for (const entry of ['100755 run.sh', '120000 to-link', '100644 was-file/inside', '100644 was-dir'])
    assert.ok(listed.includes(entry), entry);
  assert.ok(listed.some((entry) => entry.startsWith('100644 latin-')));
  assert.equal(await mirrored.git('cat-file', 'blob', `${head.commit}:to-link`), '/etc/passwd');
  assert.equal((await commit(mirrored, { parent: head.commit })).kind, 'unchanged');
});

test('a nested repository is reported and not committed, with commits in it or without', async () => {
  await using mirrored = await makeMirrored();
  const { dir } = await mirrored.open();
  await using other = await makeRepository();
  await mirrored.repo.git('clone', '--quiet', other.root, join(dir, 'vendor', 'cloned'));
  await mirrored.repo.git('init', '--quiet', join(dir, 'fresh one'));
  await writeFiles(dir, { 'fresh one/x': 'x', 'vendor/plain': 'plain\n' });
  const result = await committed(mirrored);
  assert.deepEqual(result.skipped.toSorted(), ['fresh one', 'vendor/cloned']);
  assert.deepEqual(result.files, ['vendor/plain']);
});

test('a repository made inside a folder of tracked files does not keep them out', async () => {
  await using mirrored = await makeMirrored();
  const { dir } = await mirrored.open();
  await mirrored.repo.git('init', '--quiet', join(dir, 'src'));
  await writeFiles(dir, { 'src/a.ts': 'export const a = 2;\n', 'src/b.ts': 'b\n' });
  assert.deepEqual((await committed(mirrored)).files, ['src/a.ts', 'src/b.ts']);
});

test('with groups there is one commit for each whose files changed, and the rest comes last', async () => {
  await using mirrored = await makeMirrored({ 'a.ts': 'a\n', 'b/1.ts': '1\n', 'b/2.ts': '2\n', 'c.ts': 'c\n', gone: 'x\n' });
  const { dir } = await mirrored.open();
  await writeFiles(dir, { 'a.ts': 'A\n', 'b/1.ts': 'one\n', 'b/2.ts': 'two\n', 'c.ts': 'C\n' });
  await rm(join(dir, 'gone'));
  const groups = [
    { message: 'fix: a', paths: ['a.ts', 'gone'] },
    { message: 'fix: nothing', paths: ['not-there.ts'] },
    { message: 'fix: b', paths: ['./b/', 'a.ts'] },
  ];
  const { commits, head, files } = await committed(mirrored, { groups });
  const log = await mirrored.git('log', '--reverse', '--format=%s', '--name-only', `${mirrored.start}..${head.commit}`);
  assert.equal(log, 'fix: a\n\na.ts\ngone\nfix: b\n\nb/1.ts\nb/2.ts\nfeat: a change\n\nc.ts');
  assert.equal(commits.length, 3);
  assert.deepEqual(files, ['a.ts', 'b/1.ts', 'b/2.ts', 'c.ts', 'gone']);
});

test('groups that cover everything leave no last commit', async () => {
  await using mirrored = await makeMirrored({ x: 'file\n' });
  const { dir } = await mirrored.open();
  await rm(join(dir, 'x'));
  await writeFiles(dir, { 'x/y': 'folder\n' });
  const { commits, head } = await committed(mirrored, { groups: [{ message: 'fix: all', paths: ['x/y', 'x'] }] });
  assert.equal(commits.length, 1);
  assert.equal(await mirrored.git('ls-tree', '-r', '--name-only', head.commit), 'x/y');
});

test('messages and names with odd characters cannot break out of their place in the commit', async () => {
  await using mirrored = await makeMirrored();
  const { dir } = await mirrored.open();
  await writeFiles(dir, { new: 'x\n' });
  const identity = { name: 'Zoë <evil>\nparent 0', email: 'a@b>\ncommitter x' };
  const { head } = await committed(mirrored, {
    identity,
    message: '# not a comment\n\n  body\0\n\n',
    trailers: { 'Volley-Step': 'a\nEvil: 1' },
  });
  assert.equal(await mirrored.git('show', '--no-patch', '--format=%P%n%an', head.commit), `${mirrored.start}\nZoë evil parent 0`);
  assert.equal(await mirrored.git('show', '--no-patch', '--format=%B', head.commit), '# not a comment\n\n  body\n\nVolley-Step: a Evil: 1');
  assert.equal(await mirrored.git('fsck', '--no-dangling'), '');
});

for (const name of Object.keys(ATTACKS)) {
  test(`a commit runs nothing that an agent planted: ${name}`, async () => {
    await using mirrored = await makeMirrored();
    const checkout = await mirrored.open();
    const canary = await attack(name, checkout, mirrored.canary);
    await writeFiles(checkout.dir, { 'key.txt': `${'gh'}p_${'aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA1bC2'}\n` });
    const held = await commit(mirrored, { checkout });
    assert.equal(held.kind, 'withheld');
    await rm(join(checkout.dir, 'key.txt'));
    const { head } = await committed(mirrored, { checkout, groups: [{ message: 'one', paths: ['attacked.txt'] }] });
    assert.equal(await mirrored.git('show', `${head.commit}:attacked.txt`), 'attacked');
    assert.ok(canary.survived());
  });
}

test('what lies in the folder of a submodule is not run, and its changed commit is taken over', async () => {
  await using mirrored = await makeMirrored();
  await using library = await makeRepository();
  const pinned = await library.git('rev-parse', 'HEAD');
  await mirrored.repo.git('update-index', '--add', '--cacheinfo', `160000,${pinned},sub`);
  await mirrored.repo.git('commit', '--quiet', '--message', 'submodule');
  const parent = await mirrored.repo.git('rev-parse', 'HEAD');
  await importCommits(mirrored.mirror, mirrored.project, [parent]);
  const checkout = await mirrored.open('loop-1', parent);
  await rm(join(checkout.dir, 'sub'), { recursive: true, force: true });
  await mirrored.repo.git('clone', '--quiet', library.root, join(checkout.dir, 'sub'));
  const inside = repositoryAt(join(checkout.dir, 'sub'), checkout.dir);
  await inside.git('config', 'filter.evil.clean', `touch ${mirrored.canary} && cat`);
  await inside.git('config', 'core.fsmonitor', `touch ${mirrored.canary} #`);
  await writeFiles(inside.root, { '.gitattributes': '* filter=evil\n', 'README.md': 'changed\n' });
  assert.equal((await commit(mirrored, { checkout, parent })).kind, 'unchanged');
  await resetCheckout(checkout, parent);
  await assert.rejects(readFiles(mirrored.canary), /ENOENT/);
  await inside.git('-c', 'filter.evil.clean=cat', '-c', 'core.fsmonitor=false', 'commit', '--quiet', '--all', '--message', 'moved');
  const { head } = await committed(mirrored, { checkout, parent });
  assert.equal(await mirrored.git('rev-parse', `${head.commit}:sub`), await inside.git('-c', 'core.fsmonitor=false', 'rev-parse', 'HEAD'));
  await assert.rejects(readFiles(mirrored.canary), /ENOENT/);
});

test('a signature is made in the way that the user configured', async () => {
  await using mirrored = await makeMirrored();
  const { dir } = await mirrored.open();
  assert.equal(await readSigning(mirrored.project.place), null);
  const program = join(mirrored.repo.beside, 'sign.sh');
  await writeFile(
    program,
    '#!/bin/sh\ncat > /dev/null\nprintf "%s\\n" "-----BEGIN PGP SIGNATURE-----" "$*" "-----END PGP SIGNATURE-----"\nprintf "[GNUPG:] SIG_CREATED \\n" >&2\n',
    { mode: 0o755 },
  );
  for (const [key, value] of [
    ['commit.gpgSign', 'true'],
    ['user.signingKey', 'KEY1'],
    ['gpg.program', program],
  ] as const)
    await mirrored.repo.git('config', key, value);
  const sign = await readSigning(mirrored.project.place);
  await writeFiles(dir, { new: 'x\n' });
  const { head } = await committed(mirrored, { sign });
  const raw = await mirrored.git('cat-file', 'commit', head.commit);
  assert.match(raw, /^gpgsig -----BEGIN PGP SIGNATURE-----\n .*KEY1/m);
  assert.match(raw, /Test Person <test@example\.invalid>/);
});

test('folders that an agent made empty do no harm', async () => {
  await using mirrored = await makeMirrored();
  const { dir } = await mirrored.open();
  await mkdir(join(dir, 'empty', 'er'), { recursive: true });
  assert.equal((await commit(mirrored)).kind, 'unchanged');
});
