import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { Nothing } from './contract/route.ts';
import { readRequest } from './read-request.ts';

const body = z.union([z.strictObject({ many: z.array(z.string()) }), z.strictObject({ one: z.string(), size: z.number().optional() })]);

function problems(value: unknown): string {
  try {
    readRequest({ params: Nothing, query: Nothing, body }, { params: {}, query: {}, body: value });
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return '';
}

test('where a body may have several shapes, the one that fits best tells what is wrong with it', () => {
  assert.equal(problems({ one: 'x' }), '');
  assert.equal(problems({ one: 'x', size: 'big' }), "'size' in the body must be a number.");
  assert.equal(problems({ many: ['x', 3] }), "'many.1' in the body must be a text.");
  assert.equal(problems({ one: 'x', sise: 3 }), "The body must not have 'sise'.");
  assert.equal(problems({ one: 3, sise: 3 }), "'one' in the body must be a text; The body must not have 'sise'.");
});

test('what is wrong is told in plain words', () => {
  const told: [z.ZodType, unknown, string][] = [
    [z.string(), undefined, 'is missing'],
    [z.string().default('x').nonoptional(), null, 'must be a text'],
    [z.string().optional().nonoptional(), undefined, 'is missing'],
    [z.coerce.number(), 'abc', 'must be a number'],
    [z.coerce.number().int(), '1.5', 'must be a whole number'],
    [z.int().positive(), 0, 'must be more than 0'],
    [z.int().min(1).max(500), 501, 'must be at most 500'],
    [z.string().min(1), '', 'must not be empty'],
    [z.string().max(3), 'long', 'must have at most 3 characters'],
    [z.array(z.string()).min(1), [], 'must not be empty'],
    [z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 item'],
    [z.enum(['a', 'b']), 'c', 'must be one of a, b'],
    [z.enum(['a', 'b']), undefined, 'is missing'],
    [z.boolean(), 'yes', 'must be true or false'],
    [z.iso.datetime(), 'noon', 'must be a time, such as 2026-01-31T12:00:00Z'],
    [z.string().regex(/^x$/, 'is no commit'), 'y', 'is no commit'],
    [z.string().regex(/^x$/), 'y', 'must be in the form that the route takes'],
  ];
  for (const [schema, value, words] of told) {
    const route = { params: Nothing, query: Nothing, body: z.object({ it: schema }) };
    assert.throws(() => readRequest(route, { params: {}, query: {}, body: value === undefined ? {} : { it: value } }), {
      message: `'it' in the body ${words}.`,
    });
  }
});

test('of what may be of several kinds, the name that tells the kind is what is wrong', () => {
  const change = z.discriminatedUnion('kind', [z.strictObject({ kind: z.literal('a') }), z.strictObject({ kind: z.literal('b') })]);
  const route = { params: Nothing, query: Nothing, body: z.object({ change }) };
  const problem = (given: object): string => {
    try {
      readRequest(route, { params: {}, query: {}, body: { change: given } });
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
    return '';
  };
  assert.equal(problem({}), "'change.kind' in the body is missing.");
  assert.equal(problem({ kind: 'c' }), "'change.kind' in the body is of no kind that is known.");
});
