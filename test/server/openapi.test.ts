import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { openApi } from '../../src/api/openapi.ts';
import { ROUTES } from '../../src/api/contract.ts';

test('an independent tool finds the description valid', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(openApi('1.0.0')));
  assert.ok(valid, JSON.stringify(errors, null, 2));
});

test('every route stands in the description once', () => {
  const { paths } = openApi('1.0.0');
  const described = Object.entries(paths ?? {}).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`));
  const declared = Object.values(ROUTES).map(({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`);
  assert.deepEqual(described.toSorted(), declared.toSorted());
});

test('every reference in the description leads somewhere', () => {
  const document = openApi('1.0.0');
  const text = JSON.stringify(document);
  const names = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref ?? ''));
  for (const name of names) {
    assert.match(name, /^#\/components\/schemas\/\w+$/);
    assert.ok(text.includes(`"${name.slice(name.lastIndexOf('/') + 1)}":{`), name);
  }
});
