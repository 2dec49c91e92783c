import assert from 'node:assert/strict';
import { chmod, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeMirrored } from '../../test/support/mirrored.ts';
import type { Mirrored } from '../../test/support/mirrored.ts';
import type { Edit } from './commit-edit.ts';
import { openWorkspace } from './open-workspace.ts';
import type { EditOutcome } from './workspace.ts';

const IDENTITY = { name: 'Ada <L>', email: 'ada@example.com', assumed: false };
const BRANCH = 'volley/1-x';

async function commit(
  world: Mirrored,
  edit: Edit,
  given: { readonly parent?: string; readonly known?: readonly string[] } = {},
): Promise<EditOutcome> {
  const { project, mirror, repo, start } = world;
  const workspace = openWorkspace({ project, mirror, folder: join(repo.beside, 'own'), identity: IDENTITY });
  return await workspace.commitEdit({ branch: BRANCH, known: [], parent: start, message: 'fix: it', sign: 'inherit', edit, ...given });
}

function headOf(outcome: EditOutcome): string {
  return outcome.kind === 'committed' ? outcome.head.commit : `not committed: ${outcome.kind}`;
}

test('an edit of any file is one commit on the branch that changes nothing else', async () => {
  await using world = await makeMirrored({ 'README.md': 'r\n' });
  const { repo } = world;
  const part = fc.stringMatching(/^[ -.0-~äß日\t]{1,12}$/).filter((one) => !/^\.{1,2}$|^\.git/i.test(one));
  const path = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
  let turn = 0;
  const text = fc.string({ unit: 'grapheme', maxLength: 30 }).map((one) => one.replaceAll('\0', ''));
  await fc.assert(
    fc.asyncProperty(path, text, text, async (name, before, after) => {
      const file = `${(turn += 1)}/${name}`;
      await repo.git('update-ref', '-d', `refs/heads/${BRANCH}`);
      const parent = await repo.commit('file', { [file]: before });
      await world.git('fetch', '--quiet', repo.root, parent);
      const head = headOf(await commit(world, { path: file, before, after }, { parent }));
      assert.equal(await repo.git('rev-parse', BRANCH), head);
      assert.equal((await repo.gitBytes('', 'cat-file', 'blob', `${head}:${file}`)).toString(), after);
      const listed = (await repo.gitBytes('', 'diff-tree', '-r', '-z', '--name-only', parent, head)).toString();
      assert.equal(listed, before === after ? '' : `${file}\0`);
    }),
    { numRuns: 12 },
  );
});

test("the commit is the person's own, keeps the mode of the file, and leaves their files and index alone", async () => {
  await using world = await makeMirrored({ 'run.sh': 'old\n' });
  const { repo } = world;
  await chmod(join(repo.root, 'run.sh'), 0o755);
  const parent = await repo.commit('executable');
  await world.git('fetch', '--quiet', repo.root, parent);
  await repo.write('run.sh', 'work of mine\n');
  const head = headOf(await commit(world, { path: 'run.sh', before: 'old\n', after: 'new\n' }, { parent }));
  assert.equal(await repo.git('log', '-1', '--format=%an <%ae> %cn %s', head), 'Ada L <ada@example.com> Ada L fix: it');
  assert.match(await repo.git('ls-tree', head, 'run.sh'), /^100755 /);
  assert.equal(await repo.git('status', '--porcelain'), ' M run.sh');
  assert.equal(await repo.git('rev-parse', `${head}^`, 'main'), `${parent}\n${parent}`);
});

test('what is no text file, or another text, is not committed', async () => {
  await using world = await makeMirrored({ 'a.txt': 'a\n', latin: Buffer.from('caf\xe9\n', 'latin1') });
  const { repo } = world;
  await symlink('a.txt', join(repo.root, 'link'));
  const parent = await repo.commit('link');
  await world.git('fetch', '--quiet', repo.root, parent);
  const edits: readonly Edit[] = [
    { path: 'link', before: 'a.txt', after: '/etc/passwd' },
    { path: 'latin', before: 'caf\uFFFD\n', after: 'x\n' },
    { path: 'a.txt', before: 'b\n', after: 'c\n' },
    { path: 'missing', before: '', after: 'c\n' },
    { path: '../a.txt', before: 'a\n', after: 'c\n' },
    { path: '.git/config', before: '', after: 'c\n' },
  ];
  for (const edit of edits) assert.deepEqual(await commit(world, edit, { parent }), { kind: 'not-text' }, edit.path);
  assert.equal(await repo.git('for-each-ref', 'refs/heads/volley'), '');
});

test('a branch that somebody moved or works on stays where it is', async () => {
  await using world = await makeMirrored();
  const { repo, start } = world;
  const edit = { path: 'README.md', before: '# Sample\n', after: '# Better\n' };
  await repo.git('checkout', '--quiet', '-b', BRANCH);
  assert.deepEqual(await commit(world, edit), { kind: 'checked-out', workTree: repo.root });
  const theirs = await repo.commit('theirs', { mine: 'x\n' });
  await repo.git('checkout', '--quiet', 'main');
  assert.equal((await commit(world, edit)).kind, 'moved');
  assert.equal(await repo.git('rev-parse', BRANCH), theirs);
  await repo.git('branch', '--force', BRANCH, start);
  const head = headOf(await commit(world, edit));
  assert.equal(await repo.git('rev-parse', BRANCH), head);
  // Of two who apply at once, one is told that the other was quicker.
  assert.equal((await commit(world, { ...edit, after: '# Worse\n' })).kind, 'moved');
});
