import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postCharge } from '../../src/charges/charge-routes.ts';

const account = { id: 'acct_1', currency: 'EUR' };
const charge = { id: 'ch_1', amount: 500, currency: 'EUR', source: { name: 'A', last4: '4242' } };
const db = { get: async () => undefined, all: async () => [], run: async () => undefined };
const psp = { charge: async () => charge, refund: async () => undefined, findByToken: async () => null };

test('a charge of nothing is refused', async () => {
  const request = { account, headers: {}, body: { amount: 0, currency: 'EUR', source: 'tok_1' } };
  await assert.rejects(postCharge(request, { db, psp } as never), /amount_invalid/);
});
