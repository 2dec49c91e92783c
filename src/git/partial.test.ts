import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Mirrored } from '../../test/support/mirrored.ts';
import { attack, makeMirrored, readFiles, writeFiles } from '../../test/support/mirrored.ts';
import { repositoryAt } from '../../test/support/repository.ts';
import { resetCheckout } from './checkout.ts';
import { keepTree, restorePartial, savePartial } from './partial.ts';

async function save(mirrored: Mirrored, exclude: readonly string[] = []): Promise<Awaited<ReturnType<typeof savePartial>>> {
  return await savePartial({ checkout: await mirrored.open(), id: 3, parent: mirrored.start, exclude, at: new Date(0) });
}

test('a clean checkout leaves nothing to keep', async () => {
  await using mirrored = await makeMirrored();
  assert.equal(await save(mirrored), null);
  assert.equal(await mirrored.git('for-each-ref', 'refs/volley/3'), '');
});

test('what a killed agent left is kept under the next number and can be put back uncommitted', async () => {
  await using mirrored = await makeMirrored();
  const checkout = await mirrored.open();
  const agent = repositoryAt(checkout.dir, checkout.dir);
  await agent.commit('of the agent', { committed: 'c\n' });
  await writeFiles(checkout.dir, { 'src/a.ts': 'half done\n', new: 'new\n', '.env': 'A=1\n' });
  await rm(join(checkout.dir, 'README.md'));
  const first = await save(mirrored, ['.env']);
  assert.equal(first?.ref, 'refs/volley/3/partial-1');
  assert.equal(await mirrored.git('rev-parse', 'refs/volley/3/partial-1^'), mirrored.start);
  assert.equal((await readFiles(checkout.dir))['src/a.ts'], 'half done\n');
  await resetCheckout(checkout, mirrored.start, ['.env']);
  await restorePartial(checkout, 'refs/volley/3/partial-1', mirrored.start);
  assert.deepEqual(await readFiles(checkout.dir), { '.env': 'A=1\n', committed: 'c\n', new: 'new\n', 'src/a.ts': 'half done\n' });
  assert.equal(await agent.git('rev-parse', 'HEAD'), mirrored.start);
  const second = await save(mirrored, ['.env']);
  assert.deepEqual(second, { ref: 'refs/volley/3/partial-2', tree: first?.tree });
});

test('refs of an agent that only look like ours do not count', async () => {
  await using mirrored = await makeMirrored();
  await writeFiles((await mirrored.open()).dir, { new: 'new\n' });
  for (const name of ['x', '9007199254740993', '1/below'])
    await mirrored.git('update-ref', `refs/volley/3/partial-${name}`, mirrored.start);
  assert.equal((await save(mirrored))?.ref, 'refs/volley/3/partial-2');
  assert.equal((await save(mirrored))?.ref, 'refs/volley/3/partial-3');
});

test('two processes that keep trees of one loop at once take different numbers', async () => {
  await using mirrored = await makeMirrored();
  const tree = await mirrored.git('rev-parse', `${mirrored.start}^{tree}`);
  const keep = async (): Promise<string> =>
    await keepTree({ place: mirrored.mirror.place, id: 3, parent: mirrored.start, tree, at: new Date(0) });
  const refs = await Promise.all([keep(), keep(), keep(), keep()]);
  assert.equal(new Set(refs).size, 4);
});

test('keeping and putting back run nothing that an agent planted', async () => {
  await using mirrored = await makeMirrored();
  const checkout = await mirrored.open();
  const canary = await attack('all', checkout, mirrored.canary);
  const kept = await save(mirrored);
  await resetCheckout(checkout, mirrored.start);
  await restorePartial(checkout, kept?.ref ?? '', mirrored.start);
  assert.equal((await readFiles(checkout.dir))['attacked.txt'], 'attacked\n');
  assert.ok(canary.survived());
});
