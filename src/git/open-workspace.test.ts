import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeMirrored } from '../../test/support/mirrored.ts';
import { openWorkspace } from './open-workspace.ts';

const IDENTITY = { name: 'Test Person', email: 'test@example.com', assumed: false };

test('files of a base commit that were tidied away are made again where they are named, and only those', async () => {
  await using world = await makeMirrored();
  const { project, mirror, start } = world;
  const folder = join(world.repo.beside, 'own');
  const workspace = openWorkspace({ project, mirror, folder, identity: IDENTITY });
  const dir = await workspace.exportTree(start);
  await rm(dir, { recursive: true });
  await workspace.restoreTrees(['sh', join(world.repo.beside, 'trees', start, 'README.md'), `${dir}-not/README.md`, dir.slice(0, -1)]);
  assert.ok(!existsSync(dir));
  await workspace.restoreTrees([`sh '${dir}/README.md' | cat`]);
  assert.equal(await readFile(join(dir, 'README.md'), 'utf8'), '# Sample\n');
});

test('nothing is removed for a loop whose name leads elsewhere', async () => {
  await using world = await makeMirrored();
  const { project, mirror, start } = world;
  const folder = join(world.repo.beside, 'own');
  const workspace = openWorkspace({ project, mirror, folder, identity: IDENTITY });
  const uid = '../../sample';
  await assert.rejects(workspace.removeThrowAways(uid), /does not name the folder of a loop/);
  await assert.rejects(workspace.removeCheckout({ loopId: 1, uid, commit: start, copy: [] }), /does not name the folder of a loop/);
});
