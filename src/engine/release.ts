import type { Loop } from '../core/loop.ts';
import { waitsForTasks } from '../core/waiting.ts';
import { appendEvent } from './append.ts';
import type { Engine } from './engine.ts';

/** Lets tasks start whose dependencies are done, from where those ended; where they never will be, a person is asked. Gives those that ask. */
export async function releaseLoops(engine: Engine, ids: readonly number[] | null): Promise<readonly Loop[]> {
  const asking: Loop[] = [];
  const waiting = ids ?? (await engine.store.rows({ waiting: true })).filter((row) => row.waiting === 'dependency').map(({ id }) => id);
  for (const id of waiting.toSorted((a, b) => a - b)) {
    const loop = await engine.store.load(id);
    if (loop === null || !waitsForTasks(loop)) continue;
    const released = await release(engine, loop);
    if (released.escalation !== null) asking.push(released);
  }
  return asking;
}

async function release(engine: Engine, loop: Loop): Promise<Loop> {
  const found = await Promise.all(loop.task.dependsOn.map(async (id) => ({ id, on: await engine.store.load(id) })));
  const lost = found.flatMap(({ id, on }) => lostWords(id, on));
  if (lost.length > 0) return await appendEvent(engine, loop.id, { type: 'dependency-lost', why: lost.join('; ') });
  const done = found.flatMap(({ on }) => (on !== null && isDone(on) ? [on] : []));
  if (done.length < found.length) return loop;
  // A change that exists is what it is; only what an author makes can build on other work.
  const isMade = loop.task.kind === 'review' || loop.head !== null;
  if (isMade) return await appendEvent(engine, loop.id, { type: 'released', base: loop.base, start: loop.start, ground: [], notes: [] });
  return await startFrom(engine, loop, done);
}

/** From where it would have started, with the work of the tasks before. */
async function startFrom(engine: Engine, loop: Loop, done: readonly Loop[]): Promise<Loop> {
  const names = done.map(({ id }) => `task ${id}`).join(' and ');
  const joined = await engine.workspace.joinCommits([loop.start.commit, ...done.map(headOf)], `Merge ${names} for task ${loop.id}`);
  if (joined.kind === 'conflict') {
    const why = `the work of ${names} does not go together with where task ${loop.id} starts from: ${joined.files.join(', ')}`;
    return await appendEvent(engine, loop.id, { type: 'dependency-lost', why });
  }
  const { head } = joined;
  const isThere = head.commit === loop.start.commit;
  const base = { ref: done.map(({ branch }) => branch).join(' + '), commit: head.commit, mergeBase: head.commit, mergeBaseTree: head.tree };
  return await appendEvent(engine, loop.id, {
    type: 'released',
    ...(isThere ? { base: loop.base, start: loop.start } : { base, start: head }),
    ground: done.map((one) => ({ id: one.id, commit: headOf(one) })),
    notes: isThere ? [] : [`It starts from the work of ${names} (${head.commit.slice(0, 8)}).`],
  });
}

function headOf(loop: Loop): string {
  return (loop.head ?? loop.start).commit;
}

function isDone({ state }: Loop): boolean {
  return state === 'approved' || state === 'ready_for_human_review' || state === 'merged';
}

function lostWords(id: number, loop: Loop | null): readonly string[] {
  if (loop === null) return [`there is no task ${id}`];
  return loop.state === 'cancelled' || loop.state === 'failed'
    ? [`task ${id} ${loop.state === 'failed' ? 'failed' : 'was cancelled'}`]
    : [];
}
