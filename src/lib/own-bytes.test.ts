import assert from 'node:assert/strict';
import { link, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownBytes } from './own-bytes.ts';

test('a folder takes what its files take, but for files with another name elsewhere and what links lead to', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'volley-bytes-'));
  try {
    await mkdir(join(folder, 'own/deep'), { recursive: true });
    await writeFile(join(folder, 'own/one'), 'x'.repeat(100));
    await writeFile(join(folder, 'own/deep/two'), 'x'.repeat(20));
    await writeFile(join(folder, 'elsewhere'), 'x'.repeat(5000));
    await link(join(folder, 'elsewhere'), join(folder, 'own/shared'));
    await symlink('/etc', join(folder, 'own/leads'));
    assert.equal(await ownBytes(join(folder, 'own')), 120 + '/etc'.length);
    assert.equal(await ownBytes(join(folder, 'own/one')), 100);
    assert.equal(await ownBytes(join(folder, 'missing')), 0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
