import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { fewAtOnce } from './few-at-once.ts';

test('many things are done a few at once, and their results are in order', async () => {
  let [now, most] = [0, 0];
  const items = Array.from({ length: 1000 }, (_, index) => index);
  const results = await fewAtOnce(items, async (item) => {
    most = Math.max(most, (now += 1));
    for (let wait = item % 7; wait > 0; wait -= 1) await turn();
    now -= 1;
    return item * 2;
  });
  assert.deepEqual(
    results,
    items.map((item) => item * 2),
  );
  assert.ok(most > 1 && most <= 64, String(most));
  assert.deepEqual(await fewAtOnce([], async () => await Promise.resolve(1)), []);
});

test('an error is told, and nothing more is begun than was under way', async () => {
  let begun = 0;
  const failing = fewAtOnce(Array.from({ length: 1000 }), async () => {
    const isFirst = (begun += 1) === 1;
    await turn();
    if (isFirst) throw new Error('no');
  });
  await assert.rejects(failing, /no/);
  for (let wait = 0; wait < 10; wait += 1) await turn();
  assert.ok(begun <= 64);
});
