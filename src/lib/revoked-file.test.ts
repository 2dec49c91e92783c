import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openRevoked } from './revoked-file.ts';

const file = async (): Promise<string> => join(await mkdtemp(join(tmpdir(), 'volley-revoked-')), 'revoked.json');

test('what was taken back stays so when the file is opened again, until its time is over', async () => {
  const path = await file();
  let now = 0;
  openRevoked(path, () => now).add('a', 100);
  const again = openRevoked(path, () => now);
  assert.deepEqual([again.has('a'), again.has('b')], [true, false]);
  now = 100;
  again.add('b', 200);
  assert.deepEqual([again.has('a'), openRevoked(path, () => now).has('b')], [false, true]);
});

test('a file that cannot be read holds nothing, and the number of ids is bounded', async () => {
  const path = await file();
  await writeFile(path, '{');
  const revoked = openRevoked(path, () => 0);
  for (let id = 0; id < 1100; id += 1) revoked.add(String(id), 10);
  assert.deepEqual([revoked.has('0'), revoked.has('1099')], [false, true]);
});
