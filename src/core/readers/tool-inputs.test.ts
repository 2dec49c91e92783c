import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRecord } from './coerce.ts';
import { publishedInput, RESULT_TOOLS } from './tool-inputs.ts';

/** Seed 001's tool, as agents know it. */
const SEED = {
  loopId: { type: 'string', description: 'The loop being reviewed' },
  taskId: { type: 'string', description: 'The task that was reviewed (optional for checkpoint reviews)' },
  passed: { type: 'boolean' },
  interpretedIntent: { type: 'string' },
  intentSatisfied: { type: 'boolean' },
};
const SEED_ISSUE = {
  file: { type: 'string' },
  line: { type: 'number' },
  type: { type: 'string' },
  description: { type: 'string' },
  suggestion: { type: 'string' },
};

test("the reviewer's tool is that of seed 001, with more that may be said", () => {
  const { type, properties, required } = publishedInput(RESULT_TOOLS.reviewer);
  assert.deepEqual([type, required], ['object', ['loopId', 'passed']]);
  assert.partialDeepStrictEqual(properties, { ...SEED, issues: { type: 'array', items: { type: 'object', properties: SEED_ISSUE } } });
});

test('every published property says plainly what it holds, so that any client can fill it', () => {
  for (const tool of Object.values(RESULT_TOOLS)) {
    const text = JSON.stringify(publishedInput(tool));
    assert.doesNotMatch(text, /\$schema|\$ref|anyOf|oneOf|additionalProperties/, tool.name);
    for (const property of Object.values(isRecord(publishedInput(tool)['properties']) ? (publishedInput(tool)['properties'] ?? {}) : {}))
      assert.equal(isRecord(property) && typeof property['type'], 'string', tool.name);
  }
});
