import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Usage } from './review.ts';
import { greaterUsage, meterUsage, NO_USAGE, startMeter, usageOfMeter, usageSince } from './usage-meter.ts';
import type { UsageReport } from './usage-meter.ts';

function step(usage: Partial<Usage>): UsageReport {
  return { counts: 'step', usage: { ...NO_USAGE, ...usage }, model: null };
}

function total(usage: Partial<Usage>): UsageReport {
  return { ...step(usage), counts: 'total' };
}

function metered(reports: readonly UsageReport[], baseline: Partial<Usage> | null = null): Usage | null {
  const start = startMeter(baseline === null ? null : { ...NO_USAGE, ...baseline });
  return usageOfMeter(reports.reduce(meterUsage, start));
}

test('steps add up, each amount by itself', () => {
  const usage = metered([step({ inputTokens: 10, outputTokens: 1, cachedTokens: 4 }), step({ inputTokens: 20, reasoningTokens: 3 })]);
  assert.deepEqual(usage, { ...NO_USAGE, inputTokens: 30, outputTokens: 1, cachedTokens: 4, reasoningTokens: 3 });
});

test('nothing is known before something was told', () => {
  assert.equal(metered([]), null);
  assert.equal(metered([step({}), total({})], { inputTokens: 5 }), null);
});

test('a total is the sum so far, not one more part', () => {
  assert.equal(metered([total({ costUsd: 0.25 }), total({ inputTokens: 1 }), total({ costUsd: 0.75 })])?.costUsd, 0.75);
});

test('a resumed thread counts only what it used since', () => {
  const usage = metered([total({ inputTokens: 1200, outputTokens: 30 }), total({ inputTokens: 1500, outputTokens: 45 })], {
    inputTokens: 1000,
  });
  assert.deepEqual([usage?.inputTokens, usage?.outputTokens], [500, 45]);
});

test('a counter that falls began anew', () => {
  assert.equal(metered([total({ inputTokens: 100 }), total({ inputTokens: 30 }), total({ inputTokens: 50 })])?.inputTokens, 150);
  assert.equal(metered([total({ inputTokens: 30 })], { inputTokens: 1000 })?.inputTokens, 30);
});

test('a total accounts for the steps before it, and steps after it come on top', () => {
  const reports = [step({ inputTokens: 10 }), step({ inputTokens: 10 }), total({ inputTokens: 25 }), step({ inputTokens: 5 })];
  assert.equal(metered(reports)?.inputTokens, 30);
});

test('a total that says less than its steps takes nothing back', () => {
  assert.equal(metered([step({ inputTokens: 10 }), total({ inputTokens: 4 })])?.inputTokens, 10);
});

test('a total without an amount leaves what the steps say about it', () => {
  const usage = metered([step({ inputTokens: 10, outputTokens: 2 }), total({ inputTokens: 12 })]);
  assert.deepEqual([usage?.inputTokens, usage?.outputTokens], [12, 2]);
});

test('amounts that cannot be are not counted', () => {
  for (const amount of [Number.NaN, -1, Number.POSITIVE_INFINITY]) {
    const odd = { inputTokens: amount, costUsd: amount };
    assert.equal(metered([step(odd), total(odd)], odd), null);
    assert.equal(metered([total({ inputTokens: 5 })], odd)?.inputTokens, 5);
    assert.deepEqual(metered([step({ inputTokens: 7 }), step(odd), total({ ...odd, outputTokens: 1 })], odd), {
      ...NO_USAGE,
      inputTokens: 7,
      outputTokens: 1,
    });
  }
});

test('a sum stays a number that can be added to', () => {
  assert.equal(metered([step({ costUsd: 1e308 }), step({ costUsd: 1e308 })])?.costUsd, Number.MAX_VALUE);
});

test('whatever is told, no amount falls, and each can be added up', () => {
  const amount = fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 100 }), fc.double());
  const usage = fc
    .record({ inputTokens: amount, outputTokens: amount, costUsd: amount, cachedTokens: amount })
    .map((some): Usage => ({ ...NO_USAGE, ...some }));
  const report = fc.record({ counts: fc.constantFrom('step', 'total'), usage, model: fc.constant(null) });
  fc.assert(
    fc.property(fc.option(usage), fc.array(report), (baseline, reports) => {
      let meter = startMeter(baseline);
      for (const one of reports) {
        const before = usageOfMeter(meter) ?? NO_USAGE;
        meter = meterUsage(meter, one);
        const after = usageOfMeter(meter) ?? NO_USAGE;
        for (const key of ['inputTokens', 'outputTokens', 'costUsd', 'cachedTokens'] as const) {
          assert.ok(after[key] === null || Number.isFinite(after[key]));
          assert.ok((after[key] ?? -1) >= (before[key] ?? -1));
        }
      }
    }),
  );
});

test('what was used between two readings is their difference', () => {
  const before = { ...NO_USAGE, inputTokens: 10 };
  const after = { ...NO_USAGE, inputTokens: 15, outputTokens: 3 };
  assert.deepEqual(usageSince(before, after), { ...NO_USAGE, inputTokens: 5, outputTokens: 3 });
  assert.deepEqual(usageSince(null, after), after);
});

test('of two usages the greater amounts hold', () => {
  const one = { ...NO_USAGE, inputTokens: 10, outputTokens: 3, costUsd: Number.NaN };
  const other = { ...NO_USAGE, inputTokens: 5, outputTokens: 4, cachedTokens: 1 };
  assert.deepEqual(greaterUsage(one, other), { ...NO_USAGE, inputTokens: 10, outputTokens: 4, cachedTokens: 1 });
});
