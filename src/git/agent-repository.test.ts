import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeMirrored } from '../../test/support/mirrored.ts';
import { repositoryAt } from '../../test/support/repository.ts';
import { userState } from '../../test/support/user-state.ts';
import { giveIndexToAgents, mendCheckout } from './checkout.ts';

test('nothing is written where links lead that an agent made of its folders', async () => {
  await using mirrored = await makeMirrored();
  const checkout = await mirrored.open();
  const users = join(mirrored.repo.root, '.git');
  const before = await userState(mirrored.repo.root);
  for (const name of ['objects', 'refs', 'info', 'logs']) {
    await rm(join(checkout.agentDir, name), { recursive: true, force: true });
    await symlink(join(users, name), join(checkout.agentDir, name));
  }
  await mendCheckout(checkout, mirrored.start);
  assert.deepEqual(await userState(mirrored.repo.root), before);
  assert.equal(existsSync(join(users, 'objects', 'info', 'alternates')), false);
  assert.equal(await repositoryAt(checkout.dir, checkout.dir).git('rev-parse', 'HEAD'), mirrored.start);
});

test('a repository that is a link to another one is made anew, and the other one stays as it is', async () => {
  await using mirrored = await makeMirrored();
  const checkout = await mirrored.open();
  const before = await userState(mirrored.repo.root);
  await rm(checkout.agentDir, { recursive: true });
  await symlink(join(mirrored.repo.root, '.git'), checkout.agentDir);
  await mendCheckout(checkout, mirrored.start);
  await giveIndexToAgents(checkout);
  assert.deepEqual(await userState(mirrored.repo.root), before);
  assert.equal(await repositoryAt(checkout.dir, checkout.dir).git('status', '--porcelain'), '');
});

test('a folder in the place of its index or HEAD does not stop us', async () => {
  await using mirrored = await makeMirrored();
  const checkout = await mirrored.open();
  for (const name of ['index', 'HEAD']) {
    await rm(join(checkout.agentDir, name));
    await mkdir(join(checkout.agentDir, name, 'deeper'), { recursive: true });
  }
  await mendCheckout(checkout, mirrored.start);
  await giveIndexToAgents(checkout);
  assert.equal(await repositoryAt(checkout.dir, checkout.dir).git('status', '--porcelain'), '');
});
