import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { configJsonSchema } from './json-schema.ts';

const FILE = new URL('../../schemas/volley.schema.json', import.meta.url);

test('the published schema is current (VOLLEY_UPDATE=1 writes it)', () => {
  if (process.env['VOLLEY_UPDATE'] === '1') writeFileSync(FILE, `${JSON.stringify(configJsonSchema(), null, 2)}\n`);
  assert.deepEqual(JSON.parse(readFileSync(FILE, 'utf8')), configJsonSchema());
});

test('every key of the schema says what it means', () => {
  assert.deepEqual(undescribed(configJsonSchema(), ''), []);
});

function undescribed(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]: [string, unknown]) => {
    if (key !== 'properties' || typeof value !== 'object' || value === null) return undescribed(value, path);
    return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
      const here = `${path}.${name}`;
      const isDescribed = typeof inner === 'object' && inner !== null && 'description' in inner;
      return [...(isDescribed ? [] : [here]), ...undescribed(inner, here)];
    });
  });
}
