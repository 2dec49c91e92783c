import assert from 'node:assert/strict';
import { test } from 'node:test';
import { total } from '../src/price.js';

test('three pieces cost three times as much', () => {
  assert.equal(total(2, 3), 6);
});
