import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBook } from '../src/orders.js';
import { refund, refunded, seatNumbers } from '../src/refunds.js';

const gateway = { pay: async (id, cents) => `${id}/${cents}` };

test.only('a refund is remembered', async () => {
  const order = openBook().order('stalls', 1);
  await refund(order, 1000, gateway);
  await refund(order, 200, gateway);
  assert.equal(refunded(order), 1200);
});

test('more than was paid is refused', async () => {
  const order = openBook().order('stalls', 1);
  assert.rejects(refund(order, 4201, gateway), /More than was paid/);
});

test('seats come in order', () => {
  assert.deepEqual(seatNumbers('3,7,5'), [3, 5, 7]);
});
