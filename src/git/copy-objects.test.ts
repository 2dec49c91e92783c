import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFile, chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { makeMirrored } from '../../test/support/mirrored.ts';
import type { Mirrored } from '../../test/support/mirrored.ts';
import { writeCommit } from './commit-object.ts';
import { copyObjects, writeObject } from './copy-objects.ts';

/** Writes a tree with one file as somebody does who does not ask git. */
async function writeTree({ mirror }: Mirrored, name: string, blob: string): Promise<string> {
  const entry = Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(blob, 'hex')]);
  return await writeRaw(mirror.dir, 'tree', entry);
}

async function writeRaw(dir: string, type: string, body: Buffer): Promise<string> {
  const object = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body]);
  const id = createHash('sha1').update(object).digest('hex');
  await writeObject(join(dir, 'objects', id.slice(0, 2), id.slice(2)), deflateSync(object));
  return id;
}

async function copyTree(mirrored: Mirrored, tree: string): Promise<string> {
  const { mirror, project, start } = mirrored;
  const identity = { name: 'A', email: 'a@example.invalid' };
  const draft = { tree, parents: [start], message: 'x\n', identity, at: new Date(0) };
  const commit = await writeCommit(join(mirror.dir, 'objects'), draft);
  await copyObjects({ from: mirror.place, to: project.place, commit, except: [start] });
  return commit;
}

test('what stands behind an object in its file does not come along', async () => {
  await using mirrored = await makeMirrored();
  const blob = await writeRaw(mirrored.mirror.dir, 'blob', Buffer.from('new\n'));
  const file = join(mirrored.mirror.dir, 'objects', blob.slice(0, 2), blob.slice(2));
  await chmod(file, 0o644);
  await appendFile(file, 'garbage');
  const commit = await copyTree(mirrored, await writeTree(mirrored, 'a.txt', blob));
  assert.equal(await mirrored.repo.git('show', `${commit}:a.txt`), 'new');
  await mirrored.repo.git('fsck', '--strict');
});

for (const name of ['.git', '.GIT']) {
  test(`a tree that holds ${name} does not reach the user`, async () => {
    await using mirrored = await makeMirrored();
    const blob = await mirrored.git('rev-parse', `${mirrored.start}:README.md`);
    const tree = await writeTree(mirrored, name, blob);
    await assert.rejects(copyTree(mirrored, tree), /git unpack-objects failed: /);
    await assert.rejects(mirrored.repo.git('cat-file', '-e', tree));
  });
}
