import type { Event } from '../core/event.ts';
import type { Loop } from '../core/loop.ts';
import { DONE_STATES, LOST_STATES, patienceMs, waitsForTasks } from '../core/waiting.ts';
import { appendTogether } from './append.ts';
import type { Engine } from './engine.ts';
import { failByGit } from './fail.ts';

/** What came of letting tasks start that waited for others. */
export type Released = {
  /** Those that cannot start, and ask a person. */
  readonly asking: readonly Loop[];
  readonly broken: readonly { readonly id: number; readonly error: unknown }[];
  /** Whether others may start too, which were left for the next time. */
  readonly isMore: boolean;
};

/** Lets tasks start whose dependencies are done, again and again. */
export type Releases = {
  /** At most `limit` of them; whoever has nothing to release pays for one question to the store. */
  next(limit: number): Promise<Released>;
};

/** Lets tasks start whose dependencies are done, from where those ended; where they never will be, a person is asked. */
export async function releaseLoops(engine: Engine, ids: readonly number[]): Promise<void> {
  for (const id of ids) await releaseOne(engine, id);
}

/** The same for all, a few at a time, as things happen. A task that cannot be released stops no other one, and is tried again after a while. */
export function openReleases(engine: Engine): Releases {
  let position = 0;
  const broken = new Map<number, { readonly times: number; readonly againMs: number }>();
  const isPatient = ({ againMs }: { readonly againMs: number }): boolean => Date.parse(engine.now()) < againMs;
  return {
    next: async (limit) => {
      const now = await engine.store.position();
      const isDue = [...broken.values()].some((one) => !isPatient(one));
      if (now === position && !isDue) return { asking: [], broken: [], isMore: false };
      const except = [...broken].filter(([, one]) => isPatient(one)).map(([id]) => id);
      const ids = await engine.store.releasable({ after: isDue ? 0 : position, except, limit });
      const asking: Loop[] = [];
      const failed: { id: number; error: unknown }[] = [];
      for (const id of ids) {
        try {
          const released = await releaseOne(engine, id);
          if (released !== null && released.escalation !== null) asking.push(released);
          broken.delete(id);
        } catch (error) {
          const times = (broken.get(id)?.times ?? -1) + 1;
          broken.set(id, { times, againMs: Date.parse(engine.now()) + patienceMs(times) });
          failed.push({ id, error });
        }
      }
      const isMore = ids.length === limit;
      if (!isMore) {
        position = now;
        // Whoever was due and was not found waits no longer.
        for (const [id, one] of broken) if (!isPatient(one)) broken.delete(id);
      }
      return { asking, broken: failed, isMore };
    },
  };
}

async function releaseOne(engine: Engine, id: number): Promise<Loop | null> {
  const loop = await engine.store.load(id);
  if (loop === null || !waitsForTasks(loop)) return null;
  return await release(engine, loop).catch(async (error: unknown) => await failByGit(engine, id, error));
}

async function release(engine: Engine, loop: Loop): Promise<Loop> {
  const found = await Promise.all(loop.task.dependsOn.map(async (id) => ({ id, on: await engine.store.load(id) })));
  const lost = found.flatMap(({ id, on }) => lostWords(id, on));
  if (lost.length > 0) return await tell(engine, loop, { type: 'dependency-lost', why: lost.join('; ') });
  const done = found.flatMap(({ on }) => (on !== null && isDone(on) ? [on] : []));
  if (done.length < found.length) return loop;
  // A change that exists is what it is; only what an author makes can build on other work.
  const isMade = loop.task.kind === 'review' || loop.head !== null;
  if (isMade) return await tell(engine, loop, { type: 'released', base: loop.base, start: loop.start, ground: [], notes: [] });
  return await startFrom(engine, loop, done);
}

/** From where it would have started, with the work of the tasks before. */
async function startFrom(engine: Engine, loop: Loop, done: readonly Loop[]): Promise<Loop> {
  const names = done.map(({ id }) => `task ${id}`).join(' and ');
  const joined = await engine.workspace.joinCommits([loop.start.commit, ...done.map(headOf)], `Merge ${names} for task ${loop.id}`);
  if (joined.kind === 'conflict') {
    const why = `the work of ${names} does not go together with where task ${loop.id} starts from: ${joined.files.join(', ')}`;
    return await tell(engine, loop, { type: 'dependency-lost', why });
  }
  const { head } = joined;
  const isThere = head.commit === loop.start.commit;
  const base = { ref: done.map(({ branch }) => branch).join(' + '), commit: head.commit, mergeBase: head.commit, mergeBaseTree: head.tree };
  return await tell(engine, loop, {
    type: 'released',
    ...(isThere ? { base: loop.base, start: loop.start } : { base, start: head }),
    ground: done.map((one) => ({ id: one.id, commit: headOf(one) })),
    notes: isThere ? [] : [`It starts from the work of ${names} (${head.commit.slice(0, 8)}).`],
  });
}

/** Whoever else looks for work may have been quicker. */
async function tell(engine: Engine, loop: Loop, event: Event): Promise<Loop> {
  return await appendTogether(engine, async (tx, append) => {
    const now = await tx.load(loop.id);
    return now === null || waitsForTasks(now) ? (await append(loop.id, event)).loop : now;
  });
}

function headOf(loop: Loop): string {
  return (loop.head ?? loop.start).commit;
}

function isDone({ state }: Loop): boolean {
  return DONE_STATES.includes(state);
}

function lostWords(id: number, loop: Loop | null): readonly string[] {
  if (loop === null) return [`there is no task ${id}`];
  return LOST_STATES.includes(loop.state) ? [`task ${id} ${loop.state === 'failed' ? 'failed' : 'was cancelled'}`] : [];
}
