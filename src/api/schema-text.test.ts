import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { docsPage } from './docs-page.ts';
import { openApi } from './openapi.ts';
import { schemaText } from './schema-text.ts';

test('a schema is told in the notation of TypeScript', () => {
  const told: [object, string][] = [
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ type: ['integer', 'null'] }, 'number | null /* whole */'],
    [{ type: ['array', 'null'], items: { type: 'string' } }, 'string[] | null'],
    [{ type: 'array', items: { type: ['string', 'null'] } }, '(string | null)[]'],
    [{ anyOf: [{ $ref: '#/components/schemas/Proof' }, { type: 'null' }] }, 'Proof | null'],
    [{ enum: ['a', 'b', null] }, '"a" | "b" | null'],
    [{ type: 'object', properties: { a: { type: 'boolean' } }, required: ['a'] }, '{\n  a: boolean;\n}'],
    [{ type: 'object', additionalProperties: { type: ['number', 'null'] } }, '{ [name: string]: number | null }'],
    [{}, 'unknown'],
  ];
  for (const [schema, text] of told) assert.equal(schemaText(schema), text);
});

test('what a schema limits beyond that stands in a comment', () => {
  const told: [z.ZodType, string][] = [
    [z.iso.datetime(), 'string /* date-time */'],
    [z.int().min(1).max(500).default(100), 'number /* whole, 1 to 500, default 100 */'],
    [z.int().positive(), 'number /* whole, at least 1 */'],
    [z.number().positive(), 'number /* above 0 */'],
    [z.int(), 'number /* whole */'],
    [z.string().min(1), 'string /* at least 1 character */'],
    [z.array(z.string().max(40)).max(5), '(string /* at most 40 characters */)[] /* at most 5 items */'],
  ];
  for (const [schema, text] of told) assert.equal(schemaText(z.toJSONSchema(schema, { io: 'input' })), text);
});

test('of all that the API takes and answers only the value of a setting is unknown', () => {
  const unknown = docsPage(openApi('1')).matchAll(/(\w+)\??: unknown/g);
  assert.deepEqual([...new Set(Array.from(unknown, ([, name]) => name))], ['value']);
});
