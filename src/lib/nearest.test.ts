import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest } from './nearest.ts';

const KEYS = ['maxRounds', 'blockAt', 'quorum', 'run'];

test('a slip of the finger finds its word', () => {
  assert.equal(nearest('maxRond', KEYS), 'maxRounds');
  assert.equal(nearest('qourum', KEYS), 'quorum');
  assert.equal(nearest('rn', KEYS), 'run');
});

test('another way of writing finds the word', () => {
  assert.equal(nearest('block_at', KEYS), 'blockAt');
  assert.equal(nearest('MAX-ROUNDS', KEYS), 'maxRounds');
});

test('a word that is like none finds none', () => {
  assert.equal(nearest('notify', KEYS), null);
  assert.equal(nearest('x', []), null);
});
