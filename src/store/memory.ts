import type { Card } from '../core/card.ts';
import { wantsWork } from '../core/decide.ts';
import type { Draft } from '../core/draft.ts';
import type { JournalEntry } from '../core/event.ts';
import type { Loop } from '../core/loop.ts';
import { reservedUsd } from '../core/money.ts';
import { cardOf } from '../core/project-card.ts';
import { DONE_STATES, LOST_STATES } from '../core/waiting.ts';
import { adopted, firstStep, nextStep, unknownLoop, type Step } from './journal.ts';
import { countRows, filterRows } from './kept-rows.ts';
import type { KeptRow } from './kept-rows.ts';
import { loopRecord, loopRow, neededBy } from './loop-row.ts';
import { ownerRecord } from './owner-record.ts';
import { countKept } from './memory-counts.ts';
import { changedMemories, memoryOf } from './memory-rows.ts';
import type { MemoryRecord } from './memory-rows.ts';
import { bookedSessions, sumsOf } from './session-rows.ts';
import type { SessionRecord } from './session-rows.ts';
import type {
  AgentSpend,
  JobRow,
  LoopRow,
  Owner,
  PlacedEntry,
  Releasable,
  SpentAndReserved,
  Store,
  TimedWait,
  Transaction,
} from './store.ts';

type Kept = { readonly loop: Loop; readonly entries: readonly JournalEntry[] };
type KeptJob = { readonly wanted: boolean; readonly owner: Owner | null };
type Contents = {
  readonly loops: Map<number, Kept>;
  readonly jobs: Map<number, KeptJob>;
  readonly memories: Map<string, MemoryRecord>;
  readonly sessions: SessionRecord[];
  readonly drafts: Map<number, readonly Draft[]>;
  /** The entries of all loops in the order in which they came. */
  readonly placed: PlacedEntry[];
};

/** A journal that lives as long as the process, for tests and trials. */
export function memoryStore(): Store {
  let memory: Contents = { loops: new Map(), jobs: new Map(), memories: new Map(), sessions: [], drafts: new Map(), placed: [] };
  let last: Promise<unknown> = Promise.resolve();
  return {
    transaction: async (work) => {
      const mine = last.then(async () => {
        const draft: Contents = {
          loops: new Map(memory.loops),
          jobs: new Map(memory.jobs),
          memories: new Map(memory.memories),
          sessions: [...memory.sessions],
          drafts: new Map(memory.drafts),
          placed: [...memory.placed],
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
    position: async () => memory.placed.length,
    entriesAfter: async (position, limit) => memory.placed.slice(position, position + limit),
    loopsAfter: async (position, limit) => [...new Set(memory.placed.slice(position).map(({ loopId }) => loopId))].slice(0, limit),
    rows: async (filter = {}) => filterRows(keptRows(memory), filter),
    cards: async (ids) => new Map(ids.flatMap((id) => cardIn(memory, id))),
    count: async (filter = {}) => countRows(keptRows(memory), filter),
    jobs: async () => wantedJobs(memory),
    timedWaits: async ({ limit, ...filter }) => timedOf(filterRows(keptRows(memory), filter)).slice(0, limit),
    releasable: async (query) => releasableOf(memory, query),
    memories: async ({ codeHashes } = {}) =>
      [...memory.memories.values()]
        .filter((record) => codeHashes === undefined || codeHashes.includes(record.code_hash))
        .toReversed()
        .map(memoryOf),
    drafts: async (id) => memory.drafts.get(id) ?? [],
    spendByAgent: async () => spendByAgent(memory),
    tally: async (since) => tally(memory, since, null),
    counts: async (range) => countKept({ kept: [...memory.loops.values()], sessions: memory.sessions }, range),
    close: async () => {},
  };
}

function memoryTransaction(draft: Contents): Transaction {
  const { loops, jobs } = draft;
  const keep = ({ entry, loop }: Step): void => {
    loops.set(loop.id, { loop, entries: [...(loops.get(loop.id)?.entries ?? []), entry] });
    placeEntries(draft, loop.id, [entry]);
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
    refreshCard: async (id) => void kept(draft, id),
    adopt: async (journal, { job }) => {
      const { loop } = adopted(journal);
      loops.set(loop.id, { loop, entries: journal });
      placeEntries(draft, loop.id, journal);
      if (job) setJob(draft, loop.id, { wanted: wantsWork(loop) });
      return loop;
    },
    drafts: async (id) => draft.drafts.get(id) ?? [],
    putDraft: async (id, one) => {
      kept(draft, id);
      const others = (draft.drafts.get(id) ?? []).filter((other) => other.id !== one.id);
      draft.drafts.set(id, sortedDrafts([...others, one]));
    },
    dropDrafts: async (id, ids) => {
      draft.drafts.set(
        id,
        (draft.drafts.get(id) ?? []).filter((one) => !ids.includes(one.id)),
      );
    },
    putJob: async (id) => setJob(draft, id, { wanted: true }),
    dropJob: async (id) => setJob(draft, id, { wanted: false }),
    job: async (id) => (jobs.get(id)?.wanted === true ? { loopId: id, owner: jobs.get(id)?.owner ?? null } : null),
    jobs: async () => wantedJobs(draft),
    owner: async (id) => jobs.get(id)?.owner ?? null,
    setOwner: async (id, owner) => setJob(draft, id, { owner }),
  };
}

function cardIn({ loops }: Contents, id: number): [number, Card][] {
  const found = loops.get(id);
  return found === undefined ? [] : [[id, cardOf(found.loop)]];
}

function wantedJobs({ jobs }: Contents): readonly JobRow[] {
  return [...jobs]
    .filter(([, job]) => job.wanted)
    .toSorted(([a], [b]) => a - b)
    .map(([loopId, job]) => ({ loopId, owner: job.owner }));
}

function timedOf(rows: readonly LoopRow[]): readonly TimedWait[] {
  return rows
    .flatMap(({ id, waiting, waitingUntil: until }) => (waiting === null || until === null ? [] : [{ id, for: waiting, until }]))
    .toSorted((a, b) => (a.until === b.until ? a.id - b.id : a.until < b.until ? -1 : 1));
}

function releasableOf({ loops, placed }: Contents, { after, except, limit }: Releasable): readonly number[] {
  const changed = new Set(placed.slice(after).map(({ loopId }) => loopId));
  const stateOf = (id: number): string => loops.get(id)?.loop.state ?? LOST;
  const isEnough = (needed: readonly number[]): boolean =>
    needed.every((id) => DONE_STATES.includes(stateOf(id))) || needed.some((id) => [LOST, ...LOST_STATES].includes(stateOf(id)));
  return [...loops.values()]
    .filter(({ loop }) => neededBy(loop).length > 0 && !except.includes(loop.id))
    .filter(({ loop }) => [loop.id, ...neededBy(loop)].some((id) => changed.has(id)) && isEnough(neededBy(loop)))
    .map(({ loop }) => loop.id)
    .toSorted((a, b) => a - b)
    .slice(0, limit);
}

/** In the place of the state of a loop that does not exist. */
const LOST = '';

function sortedDrafts(drafts: readonly Draft[]): readonly Draft[] {
  return drafts.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id));
}

function placeEntries({ placed }: Contents, loopId: number, entries: readonly JournalEntry[]): void {
  for (const entry of entries) placed.push({ position: placed.length + 1, loopId, entry });
}

function tally({ loops, sessions }: Contents, since: string, id: number | null): SpentAndReserved {
  const booked = sessions.filter(({ at }) => at >= since);
  const others = [...loops.values()].filter(({ loop }) => loop.id !== id).map(({ loop }) => reservedUsd(loop));
  return sumsOf(
    sum(booked.map(({ usd }) => usd)),
    sum(others),
    booked.some(({ estimated }) => estimated === 1),
  );
}

function spendByAgent({ sessions }: Contents): readonly AgentSpend[] {
  return [...Map.groupBy(sessions, ({ agent }) => agent)]
    .map(([agent, booked]) => ({
      agent,
      sessions: booked.length,
      usd: Math.min(sum(booked.map(({ usd }) => usd)), Number.MAX_VALUE),
      estimated: booked.some(({ estimated }) => estimated === 1),
      lastAt: booked.reduce((last, { at }) => (at > last ? at : last), ''),
    }))
    .toSorted((a, b) => (a.agent < b.agent ? -1 : 1));
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

function keptRows(memory: Contents): readonly KeptRow[] {
  return [...memory.loops.values()].map(({ loop }) => {
    const job = memory.jobs.get(loop.id);
    const record = loopRecord(loop);
    const row = loopRow({ ...record, ...ownerRecord(job?.owner ?? null), wanted: job?.wanted === true ? 1 : 0 });
    return { row, words: record.words };
  });
}
