import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCreated, makeResult } from '../../test/support/created.ts';
import { entriesOf, startNext } from '../../test/support/day-loops.ts';
import { fakeEngine } from '../../test/support/fake-engine.ts';
import { headOf } from '../../test/support/loops.ts';
import { fakeWorkspace } from '../git/fake.ts';
import { memoryStore } from '../store/memory.ts';
import type { Store } from '../store/store.ts';
import { appendEvent } from './append.ts';
import type { Engine } from './engine.ts';
import { openReleases } from './release.ts';

type Stage = { readonly engine: Engine; readonly folded: number[]; readonly at: (minute: number) => void };

/** Loop 1, and so many that wait for it; `folded` are the loops that were read since it was emptied, the work of `lost` cannot be joined. */
async function makeStage(waiting: number, lost: { id: number | null } = { id: null }): Promise<Stage> {
  let minute = 0;
  const inner = memoryStore();
  const folded: number[] = [];
  const store: Store = { ...inner, load: async (id) => (folded.push(id), await inner.load(id)) };
  const engine = fakeEngine(store, {
    now: () => new Date(Date.parse('2026-01-29T10:00:00.000Z') + minute * 60_000).toISOString(),
    workspace: {
      ...fakeWorkspace(),
      joinCommits: async (_commits, message) => {
        if (message.endsWith(`task ${lost.id}`)) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
        return await Promise.resolve({ kind: 'joined', head: headOf('joined') });
      },
    },
  });
  await store.transaction(async (tx) => {
    await tx.create(makeCreated, engine.now());
    for (let made = 0; made < waiting; made += 1)
      await tx.create((id) => ({ ...makeCreated(id), task: { ...makeCreated(id).task, dependsOn: [1] } }), engine.now());
  });
  return { engine, folded, at: (now) => void (minute = now) };
}

async function approveFirst(engine: Engine): Promise<void> {
  await appendEvent(engine, 1, makeResult(await startNext(engine, 1), null));
  const by = { by: 'Test Person', reason: null, review: false };
  await appendEvent(engine, 1, { type: 'overridden', override: 'verdict', verdict: 'APPROVED', ...by });
  const { state } = await appendEvent(engine, 1, { type: 'finished', state: 'approved', why: 'approved' });
  assert.equal(state, 'approved');
}

async function waitingIn({ store }: Engine): Promise<number> {
  return (await store.rows({ waiting: true })).length;
}

test('what waits for a task is released a few at a time, and nothing is read of what cannot have changed', async () => {
  const { engine, folded } = await makeStage(5);
  const releases = openReleases(engine);
  assert.deepEqual(await releases.next(2), { asking: [], broken: [], isMore: false });
  await startNext(engine, 1);
  folded.length = 0;
  assert.deepEqual(await releases.next(2), { asking: [], broken: [], isMore: false });
  assert.deepEqual(folded, [], 'the task before is at work, so nobody is looked at');
  await appendEvent(engine, 1, { type: 'interrupted', token: 2, why: 'stopped', session: null });
  await approveFirst(engine);
  const rest: number[] = [];
  for (const isMore of [true, true, false]) {
    assert.equal((await releases.next(2)).isMore, isMore);
    rest.push(await waitingIn(engine));
  }
  assert.deepEqual(rest, [3, 1, 0]);
  assert.deepEqual(await entriesOf(engine, 6), ['created', 'released']);
});

test('who is lost asks, and what two release at once is released once', async () => {
  const { engine } = await makeStage(2);
  await appendEvent(engine, 1, { type: 'overridden', override: 'cancel', by: 'Test Person', reason: null, verdict: null, review: false });
  const [one, other] = await Promise.all([openReleases(engine).next(9), openReleases(engine).next(9)]);
  assert.deepEqual([...one.asking, ...other.asking].map(({ escalation }) => escalation?.reason).slice(0, 2), ['dependency', 'dependency']);
  for (const id of [2, 3]) assert.deepEqual(await entriesOf(engine, id), ['created', 'dependency-lost']);
});

test('a task that cannot be released stops no other one and is tried again after a while', async () => {
  const lost: { id: number | null } = { id: 2 };
  const { engine, at } = await makeStage(3, lost);
  await approveFirst(engine);
  const releases = openReleases(engine);
  assert.deepEqual(
    (await releases.next(9)).broken.map(({ id }) => id),
    [2],
  );
  assert.equal(await waitingIn(engine), 1);
  lost.id = null;
  await releases.next(9);
  assert.equal(await waitingIn(engine), 1, 'not at once');
  at(1);
  await releases.next(9);
  assert.equal(await waitingIn(engine), 0);
});
