import assert from 'node:assert/strict';
import { test } from 'node:test';
import { safeJson } from './safe-json.ts';

// oxlint-disable-next-line no-control-regex -- That is what is looked for.
const RAW = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/;

test('JSON means the same to programs and nothing to a terminal', () => {
  const value = { text: '\u001b]52;c;x\u0007 \u009b5n \u202e \u2028 ü 🎉' };
  assert.doesNotMatch(safeJson(value), RAW);
  assert.deepEqual(JSON.parse(safeJson(value)), value);
});
