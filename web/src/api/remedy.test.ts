import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remedyForPeople } from './remedy.ts';

test('advice that names the API, or what only programs say, is for programs', () => {
  assert.equal(remedyForPeople('Look at it again, then say it with the seq 17 if you still want it.'), null);
  assert.equal(remedyForPeople('See /api/openapi.json for what this route takes.'), null);
  assert.equal(remedyForPeople('Start the server: volley serve.'), 'Start the server: volley serve.');
});
