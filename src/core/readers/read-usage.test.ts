import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readUsage } from './read-usage.ts';

test('the cost is read although nothing else in the result makes sense', () => {
  const nothing = { inputTokens: null, outputTokens: null, cachedTokens: null, cacheWriteTokens: null, reasoningTokens: null };
  assert.deepEqual(readUsage('{"nonsense": true, "usage": {"costUsd": 0.9}}'), { ...nothing, costUsd: 0.9 });
});

test('no result, no JSON and impossible amounts are no cost', () => {
  for (const result of [null, '', 'LGTM', '{"usage": {"costUsd": -1}}', '[]']) assert.equal(readUsage(result), null);
});
