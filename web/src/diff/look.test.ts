import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLook, turned } from './look.ts';
import type { Look } from './look.ts';

const FRESH: Look = { style: 'unified', whitespace: 'show', wrap: false };

test('what was kept of a look holds as far as it still means something', () => {
  assert.deepEqual(readLook({ style: 'split', whitespace: 'gone', wrap: true, other: 1 }, FRESH), {
    style: 'split',
    whitespace: 'show',
    wrap: true,
  });
});

test('a look that cannot be read is the one of a new browser', () => {
  assert.deepEqual(readLook('split', FRESH), FRESH);
});

test('each part of a look turns the other way and back', () => {
  for (const part of ['style', 'whitespace', 'wrap'] as const) {
    assert.notDeepEqual(turned(FRESH, part), FRESH);
    assert.deepEqual(turned(turned(FRESH, part), part), FRESH);
  }
});
