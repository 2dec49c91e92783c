import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastLook, lookBefore, rememberLook } from './last-look.ts';
import type { Shelf } from './last-look.ts';

function shelf(start?: string): Shelf {
  let kept = start ?? null;
  return { getItem: () => kept, setItem: (_key, value) => void (kept = value) };
}

test('what was looked at is remembered by loop', () => {
  const kept = shelf();
  rememberLook(kept, 'A', { commit: 'c1', at: '2026-01-01T00:00:00.000Z' });
  rememberLook(kept, 'B', { commit: 'c2', at: '2026-01-02T00:00:00.000Z' });
  assert.equal(lastLook(kept, 'A')?.commit, 'c1');
  assert.equal(lastLook(kept, 'B')?.commit, 'c2');
  assert.equal(lastLook(kept, 'C'), null);
});

test('the oldest looks are forgotten', () => {
  const kept = shelf();
  for (let day = 0; day < 201; day += 1) rememberLook(kept, `L${day}`, { commit: 'c', at: new Date(day * 86_400_000).toISOString() });
  assert.equal(lastLook(kept, 'L0'), null);
  assert.notEqual(lastLook(kept, 'L200'), null);
});

test('what somebody else wrote there is left alone', () => {
  assert.equal(lastLook(shelf('not json'), 'A'), null);
  assert.equal(lastLook(shelf('{"A":{"commit":4}}'), 'A'), null);
  assert.equal(lastLook(shelf('null'), 'A'), null);
});

test('a browser that keeps nothing is no mistake', () => {
  const full: Shelf = {
    getItem: () => null,
    setItem: () => {
      throw new Error('full');
    },
  };
  rememberLook(full, 'A', { commit: 'c', at: '' });
});

test('a reload is the same visit, and what came after the last look is news', () => {
  const browser = shelf();
  const tab = shelf();
  const at = '2026-01-01T00:00:00.000Z';
  rememberLook(browser, 'A', { commit: 'c1', at });
  assert.equal(lookBefore({ browser, tab }, 'A', 'c2')?.commit, 'c1');
  rememberLook(browser, 'A', { commit: 'c2', at });
  assert.equal(lookBefore({ browser, tab }, 'A', 'c2')?.commit, 'c1');
  assert.equal(lookBefore({ browser, tab }, 'A', 'c3')?.commit, 'c2');
  assert.equal(lookBefore({ browser, tab: shelf() }, 'A', 'c2')?.commit, 'c2');
});

test('what a tab saw as the first stays new to it after a reload', () => {
  const browser = shelf();
  const tab = shelf();
  assert.equal(lookBefore({ browser, tab }, 'A', 'c1'), null);
  rememberLook(browser, 'A', { commit: 'c1', at: '2026-01-01T00:00:00.000Z' });
  assert.equal(lookBefore({ browser, tab }, 'A', 'c1'), null);
});
