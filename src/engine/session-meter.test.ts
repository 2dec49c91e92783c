import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentEvent } from '../agents/agent.ts';
import type { Usage } from '../core/review.ts';
import { plainAgent } from '../core/settings.ts';
import type { AgentSpec } from '../core/settings.ts';
import { NO_USAGE } from '../core/usage-meter.ts';
import { openSessionMeter } from './session-meter.ts';
import type { Metered, SessionMeter } from './session-meter.ts';

const MODEL = plainAgent({ name: 'coder', driver: 'claude', model: 'dear' });
const SCRIPT = plainAgent({ name: 'script', driver: 'command' });

/** A cent per token of the dear model, a tenth of it for the cheap one; nobody knows the others. */
const CENTS: Readonly<Record<string, number>> = { dear: 1, cheap: 0.1, gift: 0 };

async function price(model: string | null, { inputTokens, outputTokens }: Usage): Promise<number | null> {
  const cents = CENTS[model ?? ''];
  return await Promise.resolve(cents === undefined ? null : (((inputTokens ?? 0) + (outputTokens ?? 0)) * cents) / 100);
}

function open(spec: AgentSpec, reservedUsd: number | null = null): SessionMeter {
  return openSessionMeter({ spec, reservedUsd, price });
}

function used(usage: Partial<Usage>, counts: 'step' | 'total' = 'step', model: string | null = null): AgentEvent {
  return { type: 'usage', counts, usage: { ...NO_USAGE, ...usage }, model };
}

async function metered(meter: SessionMeter, events: readonly AgentEvent[], reported: Partial<Usage> | null = null): Promise<Metered> {
  for (const event of events) await meter.take(event);
  return await meter.close(reported === null ? null : { ...NO_USAGE, ...reported });
}

function cost({ usage, costBasis }: Metered): readonly [number | null | undefined, string | null] {
  const usd = usage?.costUsd;
  return [typeof usd === 'number' ? Number(usd.toFixed(6)) : usd, costBasis];
}

test('tokens of a model are priced, step by step with the model of the step', async () => {
  const events = [used({ inputTokens: 10, outputTokens: 5 }), used({ inputTokens: 100 }, 'step', 'cheap'), used({ outputTokens: 10 })];
  const sum = await metered(open(MODEL), events);
  assert.deepEqual(cost(sum), [0.26, 'priced']);
  assert.deepEqual([sum.usage?.inputTokens, sum.usage?.outputTokens], [110, 15]);
});

test('totals are priced by what they rose', async () => {
  const events = [used({ inputTokens: 10 }, 'total'), used({ inputTokens: 10 }, 'total'), used({ inputTokens: 30 }, 'total')];
  assert.deepEqual(cost(await metered(open(MODEL), events)), [0.3, 'priced']);
});

test('money that the agent reports beats the price of its tokens', async () => {
  const events = [used({ inputTokens: 100 }), used({ inputTokens: 100, costUsd: 0.4 }, 'total')];
  assert.deepEqual(cost(await metered(open(MODEL), events)), [0.4, 'reported']);
  const tokensLast = [used({ costUsd: 0.4 }, 'total'), used({ inputTokens: 100 }, 'total')];
  assert.deepEqual(cost(await metered(open(MODEL), tokensLast)), [0.4, 'reported']);
});

test('a cost of nothing does not beat tokens that have a price', async () => {
  assert.deepEqual(cost(await metered(open(MODEL), [used({ inputTokens: 100, costUsd: 0 })])), [1, 'priced']);
  assert.deepEqual(cost(await metered(open({ ...MODEL, model: 'unknown' }), [used({ inputTokens: 100, costUsd: 0 })])), [0, 'reported']);
  assert.deepEqual(cost(await metered(open({ ...MODEL, model: 'gift' }), [used({ inputTokens: 100 })])), [0, 'priced']);
});

test('what an agent reports at its end counts where nothing was seen before', async () => {
  assert.deepEqual(cost(await metered(open(MODEL), [], { costUsd: 0.3, inputTokens: 900 })), [0.3, 'reported']);
  assert.deepEqual(cost(await metered(open(MODEL), [], { inputTokens: 20 })), [0.2, 'priced']);
});

test('what an agent reports at its end lowers nothing', async () => {
  const seen = [used({ inputTokens: 100, outputTokens: 5 })];
  const low = await metered(open(MODEL), seen, { inputTokens: 1, outputTokens: 9, costUsd: 0.01 });
  assert.deepEqual(cost(low), [1.05, 'priced']);
  assert.deepEqual([low.usage?.inputTokens, low.usage?.outputTokens], [100, 9]);
  assert.deepEqual(cost(await metered(open(MODEL), seen, { costUsd: 2 })), [2, 'reported']);
  assert.deepEqual(cost(await metered(open(MODEL), seen, { inputTokens: 120 })), [1.25, 'priced']);
});

test('the form with zeros that the prompt shows says nothing', async () => {
  const zeros = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
  assert.deepEqual(await metered(open(MODEL), [], zeros), { usage: null, costBasis: null });
  assert.deepEqual(cost(await metered(open(MODEL, 0.5), [], zeros)), [0.5, 'reserved']);
});

test('a paid agent about which nothing is known counts its reservation', async () => {
  assert.deepEqual(await metered(open(MODEL, 0.5), []), { usage: { ...NO_USAGE, costUsd: 0.5 }, costBasis: 'reserved' });
  assert.deepEqual(await metered(open(MODEL), []), { usage: null, costBasis: null });
  const unknown = { ...MODEL, model: 'unknown' };
  assert.deepEqual(cost(await metered(open(unknown, 0.5), [used({ inputTokens: 9 })])), [0.5, 'reserved']);
  assert.deepEqual(cost(await metered(open(unknown), [used({ inputTokens: 9 })])), [null, null]);
});

test('tokens without a price beside priced ones count the reservation, or the price that is known', async () => {
  const events = [used({ inputTokens: 10 }), used({ inputTokens: 10 }, 'step', 'unknown')];
  assert.deepEqual(cost(await metered(open(MODEL, 0.5), events)), [0.5, 'reserved']);
  assert.deepEqual(cost(await metered(open(MODEL, 0.05), events)), [0.1, 'reserved']);
  assert.deepEqual(cost(await metered(open(MODEL), events)), [0.1, 'priced']);
});

test('a free agent is free until it reports a cost', async () => {
  assert.deepEqual(await metered(open(SCRIPT), []), { usage: null, costBasis: 'free' });
  const tokens = await metered(open({ ...SCRIPT, driver: 'builtin', model: 'dear' }), [used({ inputTokens: 10 })], { costUsd: 0 });
  assert.deepEqual([tokens.usage?.inputTokens, tokens.costBasis], [10, 'free']);
  assert.deepEqual(cost(await metered(open(SCRIPT), [], { costUsd: 0.2 })), [0.2, 'reported']);
});

test('a session has to stop once it used more than its reservation', async () => {
  const reported = open(MODEL, 0.5);
  assert.equal(await reported.take({ type: 'started', pid: 1 }), false);
  assert.equal(await reported.take(used({ costUsd: 0.5 })), false);
  assert.equal(await reported.take(used({ costUsd: 0.01 })), true);
  assert.equal(await reported.take({ type: 'text', stream: 'stdout', text: 'more' }), true);
  const priced = open(MODEL, 0.5);
  assert.equal(await priced.take(used({ inputTokens: 50 })), false);
  assert.equal(await priced.take(used({ inputTokens: 51 }, 'total')), true);
});

test('without a reservation nothing stops a session', async () => {
  assert.equal(await open(MODEL).take(used({ costUsd: 1000 })), false);
});

test('events that are taken at once are all priced', async () => {
  const meter = open(MODEL, 0.25);
  const stops = await Promise.all([1, 2, 3].map(async () => await meter.take(used({ inputTokens: 10 }))));
  assert.ok(stops.includes(true));
  assert.deepEqual(cost(await meter.close(null)), [0.3, 'priced']);
});
