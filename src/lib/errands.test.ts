import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openErrands } from './errands.ts';

test('work under way is told to stop, and waited for', async () => {
  const errands = openErrands();
  const ended: string[] = [];
  const work = errands.run(async () => {
    await sleep(60_000, undefined, { signal: errands.signal }).catch(() => undefined);
    await sleep(20);
    ended.push('work');
    return 7;
  });
  errands.stop(new Error('enough'));
  await errands.settle(60_000);
  assert.deepEqual([ended, await work], [['work'], 7]);
  assert.throws(() => errands.signal.throwIfAborted(), /enough/);
});

test('work that fails is over too, and its error goes to whoever asked for it', async () => {
  const errands = openErrands();
  const work = errands.run(async () => {
    await sleep(20);
    throw new Error('broken');
  });
  const failed = assert.rejects(work, /broken/);
  await errands.settle(60_000);
  await failed;
});

test('work that does not end holds nobody up for ever', async () => {
  const errands = openErrands();
  let end = (): void => undefined;
  const work = errands.run(async () => await new Promise<void>((resolve) => (end = resolve)));
  const started = performance.now();
  await errands.settle(50);
  assert.ok(performance.now() - started < 5000);
  end();
  await work;
});
