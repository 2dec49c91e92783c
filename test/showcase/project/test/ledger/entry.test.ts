import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBalanced } from '../../src/ledger/entry.ts';

test('two sides of one amount balance', () => {
  assert.equal(isBalanced([{ account: 'cash', amount: 100, currency: 'EUR' }, { account: 'sales', amount: -100, currency: 'EUR' }]), true);
});

test('currencies do not balance each other', () => {
  assert.equal(isBalanced([{ account: 'cash', amount: 100, currency: 'EUR' }, { account: 'sales', amount: -100, currency: 'USD' }]), false);
});
