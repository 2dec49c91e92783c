import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slots } from './slots.ts';

test('no more work is under way than there are slots, and all of it is done in order', async () => {
  const inTurn = slots(2);
  const begun: number[] = [];
  let most = 0;
  let running = 0;
  const work = Array.from(
    { length: 9 },
    async (_, n) =>
      await inTurn(async () => {
        begun.push(n);
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 1));
        running -= 1;
        return n;
      }),
  );
  assert.deepEqual(await Promise.all(work), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
  assert.deepEqual([most, begun], [2, [0, 1, 2, 3, 4, 5, 6, 7, 8]]);
});

test('work that fails gives its slot back', async () => {
  const inTurn = slots(1);
  await assert.rejects(
    inTurn(async () => await Promise.reject(new Error('broken'))),
    /broken/,
  );
  assert.equal(await inTurn(async () => await Promise.resolve('next')), 'next');
});

test('who is aborted while it waits never begins, and the next one does', async () => {
  const inTurn = slots(1);
  const gone = new AbortController();
  let end = (): void => undefined;
  const first = inTurn(async () => await new Promise<void>((resolve) => (end = resolve)));
  let hasBegun = false;
  const second = inTurn(async () => await Promise.resolve((hasBegun = true)), gone.signal);
  const third = inTurn(async () => await Promise.resolve('third'));
  gone.abort();
  await assert.rejects(second, { name: 'AbortError' });
  end();
  await first;
  assert.deepEqual([await third, hasBegun], ['third', false]);
  await assert.rejects(
    inTurn(async () => await Promise.resolve(1), gone.signal),
    { name: 'AbortError' },
  );
});
