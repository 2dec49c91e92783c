import { wantsWork } from '../core/decide.ts';
import type { JournalEntry } from '../core/event.ts';
import type { Loop } from '../core/loop.ts';
import { reservedUsd } from '../core/money.ts';
import { adopted, firstStep, nextStep, unknownLoop, type Step } from './journal.ts';
import { loopRecord, loopRow } from './loop-row.ts';
import { ownerRecord } from './owner-record.ts';
import { changedMemories, memoryOf } from './memory-rows.ts';
import type { MemoryRecord } from './memory-rows.ts';
import { bookedSessions, sumsOf } from './session-rows.ts';
import type { SessionRecord } from './session-rows.ts';
import type { LoopRow, Owner, RowFilter, SpentAndReserved, Store, Transaction } from './store.ts';

type Kept = { readonly loop: Loop; readonly entries: readonly JournalEntry[] };
type KeptJob = { readonly wanted: boolean; readonly owner: Owner | null };
type Contents = {
  readonly loops: Map<number, Kept>;
  readonly jobs: Map<number, KeptJob>;
  readonly memories: Map<string, MemoryRecord>;
  readonly sessions: SessionRecord[];
};

/** A journal that lives as long as the process, for tests and trials. */
export function memoryStore(): Store {
  let memory: Contents = { loops: new Map(), jobs: new Map(), memories: new Map(), sessions: [] };
  let last: Promise<unknown> = Promise.resolve();
  return {
    transaction: async (work) => {
      const mine = last.then(async () => {
        const draft: Contents = {
          loops: new Map(memory.loops),
          jobs: new Map(memory.jobs),
          memories: new Map(memory.memories),
          sessions: [...memory.sessions],
        };
        const result = await work(memoryTransaction(draft));
        memory = draft;
        return result;
      });
      last = mine.catch(() => null);
      return await mine;
    },
    load: async (id) => memory.loops.get(id)?.loop ?? null,
    journal: async (id) => kept(memory, id).entries,
    rows: async (filter = {}) => readRows(memory, filter),
    memories: async ({ codeHashes } = {}) =>
      [...memory.memories.values()]
        .filter((record) => codeHashes === undefined || codeHashes.includes(record.code_hash))
        .toReversed()
        .map(memoryOf),
    close: async () => {},
  };
}

function memoryTransaction(draft: Contents): Transaction {
  const { loops, jobs } = draft;
  const keep = ({ entry, loop }: Step): void => {
    loops.set(loop.id, { loop, entries: [...(loops.get(loop.id)?.entries ?? []), entry] });
    setJob(draft, loop.id, { wanted: wantsWork(loop) });
  };
  return {
    load: async (id) => loops.get(id)?.loop ?? null,
    append: async (id, event, at) => {
      const before = kept(draft, id).loop;
      const step = nextStep(before, event, at);
      keep(step);
      remember(draft, before, step.loop);
      draft.sessions.push(...bookedSessions(before, step));
      return { before, loop: step.loop, seq: step.entry.seq, refused: step.refused };
    },
    create: async (make, at) => {
      const id = Math.max(0, ...loops.keys()) + 1;
      const event = make(id);
      if (event.id !== id) throw new Error(`loop ${id} was made with the number ${event.id}`);
      const step = firstStep(event, at);
      keep(step);
      return step.loop;
    },
    tally: async (since, id) => tally(draft, since, id),
    adopt: async (journal, { job }) => {
      const { loop } = adopted(journal);
      loops.set(loop.id, { loop, entries: journal });
      if (job) setJob(draft, loop.id, { wanted: wantsWork(loop) });
      return loop;
    },
    putJob: async (id) => setJob(draft, id, { wanted: true }),
    dropJob: async (id) => setJob(draft, id, { wanted: false }),
    job: async (id) => (jobs.get(id)?.wanted === true ? { loopId: id, owner: jobs.get(id)?.owner ?? null } : null),
    jobs: async () =>
      [...jobs]
        .filter(([, job]) => job.wanted)
        .toSorted(([a], [b]) => a - b)
        .map(([loopId, job]) => ({ loopId, owner: job.owner })),
    setOwner: async (id, owner) => setJob(draft, id, { owner }),
  };
}

function tally({ loops, sessions }: Contents, since: string, id: number): SpentAndReserved {
  const booked = sessions.filter(({ at }) => at >= since);
  const others = [...loops.values()].filter(({ loop }) => loop.id !== id).map(({ loop }) => reservedUsd(loop));
  return sumsOf(
    sum(booked.map(({ usd }) => usd)),
    sum(others),
    booked.some(({ estimated }) => estimated === 1),
  );
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

function remember(draft: Contents, before: Loop, after: Loop): void {
  const { made, forgotten } = changedMemories(before, after);
  for (const findingId of forgotten) draft.memories.delete(findingId);
  for (const record of made) draft.memories.set(record.finding_id, record);
}

function setJob(draft: Contents, id: number, change: Partial<KeptJob>): void {
  kept(draft, id);
  const job = { wanted: false, owner: null, ...draft.jobs.get(id), ...change };
  if (job.wanted || job.owner !== null) draft.jobs.set(id, job);
  else draft.jobs.delete(id);
}

function kept(memory: Contents, id: number): Kept {
  const found = memory.loops.get(id);
  if (found === undefined) throw unknownLoop(id);
  return found;
}

function readRows(memory: Contents, filter: RowFilter): readonly LoopRow[] {
  return [...memory.loops.values()]
    .filter(({ loop }) => filter.id === undefined || loop.id === filter.id)
    .filter(({ loop }) => filter.state === undefined || loop.state === filter.state)
    .filter(({ loop }) => filter.waiting === undefined || loop.waiting !== null)
    .toSorted((a, b) => b.loop.id - a.loop.id)
    .slice(0, filter.limit)
    .map(({ loop }) => {
      const job = memory.jobs.get(loop.id);
      return loopRow({ ...loopRecord(loop), ...ownerRecord(job?.owner ?? null), wanted: job?.wanted === true ? 1 : 0 });
    });
}
