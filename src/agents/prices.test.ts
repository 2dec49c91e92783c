import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Usage } from '../core/review.ts';
import { priceOf } from './prices.ts';

const NOTHING: Usage = {
  inputTokens: null,
  outputTokens: null,
  costUsd: null,
  cachedTokens: null,
  cacheWriteTokens: null,
  reasoningTokens: null,
};
const OWN = { input: 10, output: 50, cached: 1, cacheWrite: 20 };

async function price(model: string | null, usage: Partial<Usage>, own: Parameters<typeof priceOf>[2] = null): Promise<number | null> {
  const usd = await priceOf(model, { ...NOTHING, ...usage }, own);
  return usd === null ? null : Number(usd.toFixed(9));
}

test('tokens of a known model cost what its maker asks', async () => {
  assert.equal(await price('claude-sonnet-4-5', { inputTokens: 100_000, outputTokens: 10_000 }), 0.45);
  assert.equal(await price('gpt-5', { inputTokens: 1_000_000, outputTokens: 100_000 }), 2.25);
});

test('tokens of the cache are part of the input and have a price of their own', async () => {
  assert.equal(await price('claude-sonnet-4-5', { inputTokens: 100_000, outputTokens: 0, cachedTokens: 100_000 }), 0.03);
  assert.equal(await price('claude-sonnet-4-5', { inputTokens: 100_000, cachedTokens: 40_000, cacheWriteTokens: 40_000 }), 0.222);
});

test('reasoning is part of the output and costs nothing more', async () => {
  const usage = { inputTokens: 0, outputTokens: 100_000 };
  assert.equal(await price('gpt-5', { ...usage, reasoningTokens: 90_000 }), await price('gpt-5', usage));
});

test('a provider may stand before the model', async () => {
  assert.equal(await price('anthropic/claude-sonnet-4-5', { inputTokens: 100_000 }), 0.3);
  assert.equal(await price('openrouter/anthropic/claude-sonnet-4.5', { inputTokens: 100_000 }), 0.3);
});

test('what nobody knows the price of has none', async () => {
  for (const model of [null, '', 'nobody-knows-it', 'nobody/gpt-5', '__proto__', '/', 'openai/']) {
    assert.equal(await price(model, { inputTokens: 100, outputTokens: 10 }), null);
  }
  assert.equal(await price('gpt-5', { costUsd: 3, cachedTokens: 10 }), null);
});

test('the agent’s own prices come first, for any model', async () => {
  const usage = { inputTokens: 100_000, outputTokens: 10_000, cachedTokens: 20_000, cacheWriteTokens: 30_000 };
  for (const model of ['gpt-5', 'nobody-knows-it', null]) assert.equal(await price(model, usage, OWN), 1.62);
  assert.equal(await price('gpt-5', usage, { ...OWN, input: 0, output: 0, cached: 0, cacheWrite: 0 }), 0);
});

test('of the own prices those of the cache may be left out, then it costs as much as other input', async () => {
  const usage = { inputTokens: 100_000, cachedTokens: 50_000, cacheWriteTokens: 50_000 };
  assert.equal(await price(null, usage, { ...OWN, cached: null, cacheWrite: null }), 1);
});

test('numbers that do not fit together have a price all the same', async () => {
  const tooMany = { inputTokens: 100_000, cachedTokens: 80_000, cacheWriteTokens: 80_000 };
  assert.equal(await price('claude-sonnet-4-5', tooMany), 0.099);
  assert.equal(await price(null, { ...tooMany, cachedTokens: 200_000 }, OWN), 0.1);
});

test('whatever is reported, a price is an amount or none', async () => {
  const count = fc.option(fc.integer({ min: 0, max: 10_000_000 }));
  const usages = fc.record({ inputTokens: count, outputTokens: count, cachedTokens: count, cacheWriteTokens: count });
  const models = fc.oneof(fc.constantFrom('claude-sonnet-4-5', 'gpt-5', 'gemini-2.5-pro', 'openai/gpt-5'), fc.string());
  await fc.assert(
    fc.asyncProperty(models, usages, fc.option(fc.constant(OWN)), async (model, usage, own) => {
      const usd = await price(model, usage, own);
      assert.ok(usd === null || (Number.isFinite(usd) && usd >= 0));
      if (own !== null) assert.equal(usd === null, usage.inputTokens === null && usage.outputTokens === null);
    }),
  );
});
