import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshFor } from './fresh.ts';

test('an answer holds for its time, counted from when it was found', async () => {
  let now = 0;
  let asked = 0;
  const fresh = freshFor<number>(100, () => now);
  const find = async (): Promise<number> => {
    now += 50;
    return await Promise.resolve((asked += 1));
  };
  assert.equal(await fresh.get('a', find), 1);
  now = 149;
  assert.equal(await fresh.get('a', find), 1);
  assert.equal(await fresh.get('b', find), 2);
  now += 100;
  assert.equal(await fresh.get('a', find), 3);
});

test('a question is never asked twice at once, and one that failed is asked again', async () => {
  const fresh = freshFor<string>(100, () => 0);
  let asked = 0;
  const find = async (): Promise<string> => {
    asked += 1;
    await new Promise(setImmediate);
    if (asked === 1) throw new Error('not now');
    return 'there';
  };
  const both = await Promise.allSettled([fresh.get('a', find), fresh.get('a', find)]);
  assert.deepEqual([both.map(({ status }) => status), asked], [['rejected', 'rejected'], 1]);
  assert.equal(await fresh.get('a', find), 'there');
});
