import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VolleyError } from '../core/errors.ts';
import { httpError } from './http-error.ts';

function remedyOf(remedy: string): string {
  return httpError(new VolleyError('bad-config', 'Nobody is the author.', remedy)).output.remedy;
}

test('an example in a remedy keeps its lines, because people copy it', () => {
  const example = '\n  agents:\n    my-author: { driver: command, run: ["bash", "author.sh"] }\n  roles: { author: my-author }';
  assert.equal(
    remedyOf(`Log an agent in\nWrite into volley.yaml, for example:${example}`),
    `Log an agent in. Write into volley.yaml, for example:${example}`,
  );
});

test('other lines of a remedy become sentences', () => {
  assert.equal(remedyOf('Name an agent\nThen try again'), 'Name an agent. Then try again.');
});
