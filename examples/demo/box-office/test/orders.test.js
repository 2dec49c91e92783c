import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBook } from '../src/orders.js';
import { priceOf } from '../src/prices.js';

test('a group of ten gets a tenth off', () => {
  assert.equal(priceOf('balcony', 9), 25200);
  assert.equal(priceOf('balcony', 10), 25200);
});

test('an order can be found again', () => {
  const book = openBook();
  const { id } = book.order('stalls', 2);
  assert.equal(book.find(id).paid, 8400);
});

test('there is no price for an area that does not exist', () => {
  assert.throws(() => priceOf('roof', 1), /no area roof/);
});
