import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { countReading } from './count-reading.ts';

class FakePage extends EventTarget {
  visibilityState: DocumentVisibilityState;
  constructor(state: DocumentVisibilityState) {
    super();
    this.visibilityState = state;
  }
  turn(state: DocumentVisibilityState): void {
    this.visibilityState = state;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

/** Lets time pass by hand. */
function clockOf(context: TestContext): (ms: number) => void {
  let now = 0;
  context.mock.timers.enable({ apis: ['setTimeout'] });
  context.mock.method(performance, 'now', () => now);
  return (ms) => {
    now += ms;
    context.mock.timers.tick(ms);
  };
}

function read(page: FakePage, earlierMs = 0): { readonly sums: number[]; readonly stop: () => void } {
  const sums: number[] = [];
  return { sums, stop: countReading({ page, earlierMs, enoughMs: 10_000 }, (sum) => sums.push(sum)) };
}

test('a page that nobody sees is not read', (context) => {
  const pass = clockOf(context);
  const { sums, stop } = read(new FakePage('hidden'));
  pass(60_000);
  stop();
  assert.deepEqual(sums, []);
});

test('only the time in sight counts, and it is told once it is enough', (context) => {
  const pass = clockOf(context);
  const page = new FakePage('hidden');
  const { sums, stop } = read(page);
  pass(20_000);
  page.turn('visible');
  pass(4000);
  page.turn('hidden');
  assert.deepEqual(sums, [4000]);
  pass(20_000);
  page.turn('visible');
  pass(6050);
  assert.deepEqual(sums, [4000, 10_050]);
  stop();
});

test('short visits add up', (context) => {
  const pass = clockOf(context);
  const first = read(new FakePage('visible'));
  pass(7000);
  first.stop();
  const second = read(new FakePage('visible'), first.sums.at(-1));
  pass(3050);
  assert.deepEqual(second.sums, [10_050]);
  second.stop();
  pass(60_000);
  assert.deepEqual(second.sums, [10_050, 10_050]);
});
