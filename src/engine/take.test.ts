import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEAD, entriesOf, makeDayLoop, startNext } from '../../test/support/day-loops.ts';
import { fakeEngine } from '../../test/support/fake-engine.ts';
import type { Event } from '../core/event.ts';
import { memoryStore } from '../store/memory.ts';
import { decideByName, overrideLoop } from './commands.ts';
import { takeTogether } from './take.ts';

const TODAY = '2026-01-29T12:00:00.000Z';
const WORD = { type: 'commented', by: 'Ada', file: null, line: null, raised: null } as const;
const CANCEL: Event = { type: 'overridden', override: 'cancel', by: 'Ada', reason: null, verdict: null, review: false };

test('a person who saw an older loop decides nothing, and nothing is written', async () => {
  const engine = fakeEngine(memoryStore(), { now: () => TODAY });
  const id = await makeDayLoop(engine);
  await assert.rejects(overrideLoop(engine, id, { override: 'cancel', by: 'Ada', reason: null, seq: 7 }), { code: 'conflict' });
  assert.deepEqual(await entriesOf(engine, id), ['created']);
  assert.equal((await overrideLoop(engine, id, { override: 'cancel', by: 'Ada', reason: null, seq: 1 })).state, 'cancelled');
});

test('what was refused since somebody looked does not keep them from deciding', async () => {
  const engine = fakeEngine(memoryStore(), { now: () => TODAY });
  const id = await makeDayLoop(engine);
  await assert.rejects(overrideLoop(engine, id, { override: 'handback', by: 'Bob', reason: null, seq: 1 }), { code: 'refused' });
  assert.deepEqual(await entriesOf(engine, id), ['created', 'refused']);
  assert.equal((await overrideLoop(engine, id, { override: 'cancel', by: 'Ada', reason: null, seq: 1 })).state, 'cancelled');
  await assert.rejects(overrideLoop(engine, id, { override: 'takeover', by: 'Bob', reason: null, seq: 2 }), { code: 'conflict' });
});

test('an answer that came too late is told as that, also where its choice is not offered any more', async () => {
  const engine = fakeEngine(memoryStore(), { now: () => TODAY });
  const id = await makeDayLoop(engine);
  const answer = { choice: 'accept', by: 'Ada', reason: null, agent: null, ceilingUsd: null };
  await assert.rejects(decideByName(engine, id, { ...answer, seq: 0 }), { code: 'conflict', message: /moved on since you looked at it/ });
  await assert.rejects(decideByName(engine, id, { ...answer, seq: 1 }), { code: 'refused', message: /asks nothing/ });
});

test('words that belong together are all taken, or none is written where the loop does not take one', async () => {
  const engine = fakeEngine(memoryStore(), { now: () => TODAY });
  const id = await makeDayLoop(engine);
  const words = {
    events: [
      { ...WORD, text: 'One.' },
      { ...WORD, text: ' ' },
    ] as const,
    before: async () => {},
  };
  await assert.rejects(takeTogether(engine, id, words), { code: 'refused', message: /a comment needs words/ });
  assert.deepEqual(await entriesOf(engine, id), ['created']);
  await takeTogether(engine, id, {
    ...words,
    events: [
      { ...WORD, text: 'One.' },
      { ...WORD, text: 'Two.' },
    ],
  });
  assert.deepEqual(await entriesOf(engine, id), ['created', 'commented', 'commented']);
});

test('what a dead driver left is ended and booked before the word of several that takes its place', async () => {
  const killed: string[] = [];
  const engine = fakeEngine(memoryStore(), { now: () => TODAY, killMarked: async (marker) => killed.push(marker) });
  const id = await makeDayLoop(engine);
  await engine.store.transaction((tx) => tx.setOwner(id, DEAD));
  await startNext(engine, id);
  await takeTogether(engine, id, { events: [{ ...WORD, text: 'Enough.' }, CANCEL], before: async () => {} });
  assert.deepEqual((await entriesOf(engine, id)).slice(-3), ['interrupted', 'commented', 'overridden']);
  assert.equal(killed.length, 1);
});
