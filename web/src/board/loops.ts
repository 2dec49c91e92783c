import { create } from 'zustand';
import type { ListedLoop } from '../../../src/api/contract/loops.ts';
import { onChange } from '../api/live.ts';
import { everyPage } from '../api/pages.ts';
import { ask } from '../api/queries.ts';
import { FINISHED, OPEN } from './columns.ts';

/** What this page knows of the loops, and what it has not asked for yet. */
type Known = {
  readonly loops: ReadonlyMap<number, ListedLoop>;
  /** Whether those that wait for a person, and those that are open, are all there. */
  readonly loaded: 'nothing' | 'needs-you' | 'open';
  readonly error: unknown;
  /** How many there are in all states, on the server. */
  readonly total: number;
  readonly finishedTotal: number;
  /** From where on finished ones are still to be asked for; null where all are there. */
  readonly finishedNext: string | null;
  /** How far back finished ones were asked for: when the last of them changed. */
  readonly finishedBack: string | null;
};

const NOTHING: Known = {
  loops: new Map(),
  loaded: 'nothing',
  error: null,
  total: 0,
  finishedTotal: 0,
  finishedNext: null,
  finishedBack: null,
};

/** The loops of the project, as far as this page has asked for them. */
export const useLoops = create<Known>(() => NOTHING);

const MOST = 500;
const FIRST_OPEN = 100;
const FINISHED_AT_ONCE = 60;
const OPEN_ONES = { state: OPEN.join(',') };
const FINISHED_ONES = { state: FINISHED.join(','), sort: 'updated' } as const;
const MOST_AMONG = 200;
const DRIVEN_MS = 30_000;

/** Keeps what is known up to date as long as the page is open. Returns how to stop. */
export function keepLoops(): () => void {
  void attempt(loadNeedsYou);
  // Who drives a loop may go away without a word in its journal.
  const timer = setInterval(() => {
    const driven = [...useLoops.getState().loops.values()].filter((loop) => loop.driven).map(({ id }) => id);
    void refresh(driven).catch(() => undefined);
  }, DRIVEN_MS);
  const stop = onChange((changed) => {
    if (changed !== null) void attempt(async () => await refresh([...changed]));
    else if (useLoops.getState().loaded === 'open') void loadBoard();
    else void attempt(loadNeedsYou);
  });
  return () => {
    clearInterval(timer);
    stop();
  };
}

/** Asks for all that waits, for all that is open, and for what was finished last. What is there is shown while the rest comes. */
export async function loadBoard(): Promise<void> {
  await attempt(async () => {
    const [waiting, open, finished] = await Promise.all([
      all({ needsYou: true }),
      ask('listLoops', { query: { ...OPEN_ONES, limit: FIRST_OPEN } }),
      ask('listLoops', { query: { ...FINISHED_ONES, limit: FINISHED_AT_ONCE } }),
    ]);
    take([...finished.loops, ...open.loops, ...waiting]);
    useLoops.setState(({ finishedNext, finishedBack, loaded }) => ({
      loaded: 'open',
      total: finished.counts.total,
      finishedTotal: finished.total,
      // Whoever has gone further already goes on from there.
      finishedNext: loaded === 'open' ? finishedNext : finished.next,
      finishedBack: loaded === 'open' ? finishedBack : (finished.loops.at(-1)?.updatedAt ?? null),
    }));
    if (open.next !== null) take(await all(OPEN_ONES, open.next));
    await fillCards();
  });
}

let isPaging = false;

/** Asks for the next finished ones; once at a time. */
export async function loadMoreFinished(limit = FINISHED_AT_ONCE * 2): Promise<void> {
  const { finishedNext } = useLoops.getState();
  if (finishedNext === null || isPaging) return;
  isPaging = true;
  try {
    const { loops, next } = await ask('listLoops', { query: { ...FINISHED_ONES, limit, cursor: finishedNext } });
    take(loops);
    useLoops.setState(({ finishedBack }) => ({ finishedNext: next, finishedBack: loops.at(-1)?.updatedAt ?? finishedBack }));
    await fillCards();
  } catch (error) {
    useLoops.setState({ error });
  } finally {
    isPaging = false;
  }
}

/** Asks for those whose titles have some words, and for the run of that name, so that also finished ones are found. */
export async function loadMatching(words: string): Promise<readonly ListedLoop[]> {
  const [titled, grouped] = await Promise.all([
    ask('listLoops', { query: { q: words, limit: MOST } }),
    ask('listLoops', { query: { group: words, limit: MOST } }),
  ]);
  const loops = [...titled.loops, ...grouped.loops];
  take(loops);
  return loops;
}

/** Asks again for single loops, such as one that was just decided about. */
export async function refresh(ids: readonly number[]): Promise<void> {
  for (let at = 0; at < ids.length; at += MOST_AMONG) {
    const among = ids.slice(at, at + MOST_AMONG).join(',');
    const { loops } = await ask('listLoops', { query: { among, limit: MOST_AMONG } });
    take(loops);
  }
}

/** The server makes cards that it has not kept a few at a time; those that it cannot make stay away. */
async function fillCards(): Promise<void> {
  for (let before = Infinity; ;) {
    const bare = [...useLoops.getState().loops.values()].filter(({ card }) => card === null).map(({ id }) => id);
    if (bare.length === 0 || bare.length >= before) return;
    before = bare.length;
    await refresh(bare);
  }
}

async function loadNeedsYou(): Promise<void> {
  take(await all({ needsYou: true }));
  useLoops.setState(({ loaded }) => ({ loaded: loaded === 'nothing' ? 'needs-you' : loaded }));
}

type Which = { readonly state?: string; readonly needsYou?: boolean };

async function all(which: Which, from?: string): Promise<readonly ListedLoop[]> {
  const pages = await everyPage(async (cursor = from) => await ask('listLoops', { query: { ...which, limit: MOST, cursor } }));
  return pages.flatMap(({ loops }) => loops);
}

/** An answer that was on its way while a newer one came is no news. */
function take(news: readonly ListedLoop[]): void {
  useLoops.setState(({ loops, total, finishedTotal }) => {
    const known = new Map(loops);
    let finished = finishedTotal;
    for (const loop of news) {
      const before = known.get(loop.id);
      if (before !== undefined && before.updatedAt > loop.updatedAt) continue;
      if (before !== undefined) finished += Number(isFinished(loop)) - Number(isFinished(before));
      known.set(loop.id, loop);
    }
    return { loops: known, total: Math.max(total, known.size), finishedTotal: finished };
  });
}

function isFinished({ state }: ListedLoop): boolean {
  return FINISHED.some((one) => one === state);
}

async function attempt(load: () => Promise<void>): Promise<void> {
  try {
    await load();
    useLoops.setState({ error: null });
  } catch (error) {
    useLoops.setState({ error });
  }
}
