import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchLimits } from './limits.ts';

/** Resolves with the limit that was reached; `now` is the clock. */
async function firstReached(limits: { readonly wallMs: number; readonly idleMs: number; readonly now?: () => number }): Promise<string> {
  return await new Promise((resolve) => {
    watchLimits({ ...limits, onWall: () => resolve('wall'), onIdle: () => resolve('idle') });
  });
}

test('the shorter limit is reached first', async () => {
  assert.equal(await firstReached({ wallMs: 40, idleMs: 10_000 }), 'wall');
  assert.equal(await firstReached({ wallMs: 10_000, idleMs: 40 }), 'idle');
});

test('a sign of life starts the idle time anew', async () => {
  const reached = new Promise<string>((resolve) => {
    const limits = watchLimits({ wallMs: 300, idleMs: 150, onWall: () => resolve('wall'), onIdle: () => resolve('idle') });
    const life = setInterval(limits.touch, 10);
    setTimeout(() => clearInterval(life), 400);
  });
  assert.equal(await reached, 'wall');
});

test('a day of sleep is not counted', async () => {
  const dayMs = 24 * 3_600_000;
  const fifthReading = Promise.withResolvers<string>();
  let reads = 0;
  // The clock jumps by a day at its third reading and stands still otherwise.
  const now = (): number => {
    if (++reads === 5) fifthReading.resolve('no limit');
    return reads >= 3 ? dayMs : 0;
  };
  const limits = watchLimits({
    wallMs: 200,
    idleMs: 200,
    now,
    onWall: () => fifthReading.resolve('wall'),
    onIdle: () => fifthReading.resolve('idle'),
  });
  assert.equal(await fifthReading.promise, 'no limit');
  limits.stop();
});

test('the idle time stands still while there is a reason for silence, the wall limit does not', async () => {
  const reached = async (isBusy: () => boolean): Promise<string> =>
    await new Promise((resolve) => {
      watchLimits({ wallMs: 300, idleMs: 60, isBusy, onWall: () => resolve('wall'), onIdle: () => resolve('idle') });
    });
  assert.equal(await reached(() => true), 'wall');
  assert.equal(await reached(() => false), 'idle');
});
