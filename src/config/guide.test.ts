import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { VolleyError } from '../core/errors.ts';
import { configJsonSchema } from './json-schema.ts';
import { loadConfig } from './load.ts';
import type { Loaded } from './load.ts';
import { REVIEW_LOOP_NAMES } from './other-names.ts';
import { configRows, valueText } from './show.ts';
import { environmentLayer, flagsLayer } from './value-layers.ts';

const GUIDE = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');

function load(text: string): Loaded {
  return loadConfig({ drivers: ['command', 'builtin'], layers: [{ origin: 'project', label: 'volley.yaml', dir: '/project', text }] });
}

function blocks(kind: string): string[] {
  return [...GUIDE.matchAll(new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, text = '']) => text);
}

test('every example of the guide is a valid configuration', () => {
  const examples = blocks('yaml');
  assert.ok(examples.length > 5);
  for (const example of examples) load(example);
});

test('the mistakes of the guide are reported as it says', () => {
  const [wrong = ''] = blocks('yaml wrong');
  const [report = ''] = blocks('text');
  assert.throws(
    () => load(wrong),
    (error) => error instanceof VolleyError && `${error.message}\n` === report,
  );
});

test('the guide names every key', () => {
  const missing = keysOf(configJsonSchema()).filter((key) => !new RegExp(`[\`.{ ]${key}\\b`).test(GUIDE));
  assert.deepEqual(missing, []);
});

test('the guide tells the defaults as they are', () => {
  // Gates have no row of their own: none is the default.
  for (const { path, value } of configRows(load('')).filter((row) => row.path !== 'gates')) {
    const told = defaultTold(path);
    assert.ok(told?.includes(valueText(value).replaceAll('"', '')), `${path} is ${valueText(value)}, the guide says ${told}`);
  }
});

test('the guide names every variable and every flag, and seed 002’s names with what they stand for', () => {
  const names = ['author', 'reviewer', 'fixer', 'maxRounds', 'effort', 'ceiling', 'blockAt', 'requireSandbox'] as const;
  const labels = flagsLayer({ ...Object.fromEntries(names.map((name) => [name, 'x'])), gates: ['x'] }).values.map(({ label }) => label);
  const variables = environmentVariables();
  assert.equal(labels.length, variables.length + 1);
  for (const name of [...labels, ...variables]) assert.ok(GUIDE.includes(`\`${name}\``), name);
  for (const [name, path] of Object.entries(REVIEW_LOOP_NAMES)) assert.match(GUIDE, new RegExp(`\\| \`${name}\` \\| \`${path}\` \\|`));
});

/** The second cell of the row that names a setting, by its full path or by its key under the section's heading. */
function defaultTold(path: string): string | undefined {
  const [section = ''] = path.split('.');
  let heading = '';
  for (const line of GUIDE.slice(GUIDE.indexOf('## agents')).split('\n')) {
    if (line.startsWith('## ')) heading = line.slice(3);
    const [, names = '', told] = line.split('|');
    if (names.includes(`\`${path}\``) || (heading === section && names.includes(`\`${path.slice(section.length + 1)}\``))) return told;
  }
  return undefined;
}

function keysOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, value]: [string, unknown]) => [
    ...(name === 'properties' && typeof value === 'object' && value !== null ? Object.keys(value) : []),
    ...keysOf(value),
  ]);
}

/** Every variable that is asked for, as the layer itself tells. */
function environmentVariables(): string[] {
  const asked: string[] = [];
  environmentLayer(
    new Proxy<Record<string, string | undefined>>({}, { get: (_, name) => (typeof name === 'string' ? void asked.push(name) : undefined) }),
  );
  return asked;
}
