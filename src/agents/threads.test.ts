import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { threadsOf } from './threads.ts';

const ONE = '00000000-0000-4000-8000-000000000001';
const TWO = '00000000-0000-4000-8000-000000000002';

let homes = '';

before(async () => {
  homes = await mkdtemp(join(tmpdir(), 'volley-threads-'));
});
after(async () => await rm(homes, { recursive: true, force: true }));

test('a thread is kept for the driver that it belongs to', async () => {
  await threadsOf({ homes }, 'one').keep(ONE, 'said');
  assert.equal(await threadsOf({ homes }, 'one').read(ONE), 'said');
  assert.equal(await threadsOf({ homes }, 'other').read(ONE), null);
});

test('an id that is none leads nowhere', async () => {
  const threads = threadsOf({ homes }, 'odd');
  for (const id of ['', '../../x', `../${ONE}`, `${ONE}.jsonl`, ONE.toUpperCase().replace('4', 'G')]) {
    await threads.keep(id, 'said');
    assert.equal(await threads.read(id), null);
  }
  assert.deepEqual(await readdir(homes), ['one-threads']);
});

test('what nobody went on with for a month is dropped', async () => {
  const threads = threadsOf({ homes }, 'old');
  await threads.keep(ONE, 'said');
  await utimes(join(homes, 'old-threads', `${ONE}.jsonl`), 1000, 1000);
  await threads.keep(TWO, 'said');
  assert.deepEqual([await threads.read(ONE), await threads.read(TWO)], [null, 'said']);
});
