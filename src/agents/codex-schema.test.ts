import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRecord } from '../core/readers/coerce.ts';
import { inputProblems, RESULT_TOOLS } from '../core/readers/tool-inputs.ts';
import { Role } from '../core/settings.ts';
import { answerSchema, strictSchema } from './codex-schema.ts';

/** Every schema of an object within a schema. */
function objectsIn(schema: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (Array.isArray(schema)) return schema.flatMap(objectsIn);
  if (!isRecord(schema)) return [];
  const inner = Object.values(schema).flatMap(objectsIn);
  return isRecord(schema['properties']) && 'required' in schema ? [schema, ...inner] : inner;
}

test('every role’s schema leaves nothing open', () => {
  for (const role of Role.options) {
    const objects = objectsIn(answerSchema(role));
    assert.ok(objects.length > 0, role);
    for (const { properties, required, additionalProperties } of objects) {
      assert.deepEqual([required, additionalProperties], [Object.keys(properties ?? {}), false], role);
    }
  }
});

test('what Volley knows itself is not asked for', () => {
  for (const role of Role.options) assert.doesNotMatch(JSON.stringify(answerSchema(role)), /loopId|taskId|costUsd/);
});

test('what may be left out may be null, and the rest may not', () => {
  const schema = strictSchema({
    type: 'object',
    properties: {
      must: { type: 'string' },
      may: { type: 'string', description: 'kept' },
      word: { type: 'string', enum: ['a', 'b'] },
      either: { anyOf: [{ type: 'string' }, { type: 'object', properties: { x: { type: 'number' } } }] },
      already: { type: ['number', 'null'] },
      list: { type: 'array', items: { type: 'object', properties: { y: { type: 'boolean' } } } },
    },
    required: ['must'],
    additionalProperties: {},
  });
  const inner = { required: ['x'], additionalProperties: false };
  assert.deepEqual(schema['properties'], {
    must: { type: 'string' },
    may: { type: ['string', 'null'], description: 'kept' },
    word: { type: ['string', 'null'], enum: ['a', 'b', null] },
    either: {
      anyOf: [{ type: 'string' }, { type: 'object', properties: { x: { type: ['number', 'null'] } }, ...inner }, { type: 'null' }],
    },
    already: { type: ['number', 'null'] },
    list: {
      type: ['array', 'null'],
      items: { type: 'object', properties: { y: { type: ['boolean', 'null'] } }, required: ['y'], additionalProperties: false },
    },
  });
});

test('an answer with a null in every place that may have one is understood', () => {
  const issue = { file: null, line: null, lineEnd: null, type: null, severity: null, category: null, description: 'Wrong.', impact: null };
  const review = {
    passed: false,
    verdict: null,
    summary: null,
    intentSatisfied: null,
    issues: [{ ...issue, suggestion: null, patch: null }],
  };
  assert.deepEqual(inputProblems(RESULT_TOOLS.reviewer, { loopId: 29, ...review, evidence: null, head: null }), []);
  assert.deepEqual(inputProblems(RESULT_TOOLS.author, { loopId: 29, summary: null, taskComplete: null }), []);
});
