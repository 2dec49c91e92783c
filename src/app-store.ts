import { databasePlace } from './app-files.ts';
import { NOTHING_COUNTED } from './core/counts.ts';
import { ensureVolleyFolder } from './store/artefacts.ts';
import { databaseExists } from './store/database.ts';
import type { Store } from './store/store.ts';

/** The journal of a project; its folder and file are made when something is first written, so that a mistake leaves nothing behind. */
export function openStore(root: string): Store {
  const place = databasePlace(root);
  // Its libraries take longer to load than git to answer, so whoever opens it asks git first.
  const loading = import('./store/sqlite.ts');
  let opened: Promise<Store> | null = null;
  const toWrite = async (): Promise<Store> =>
    await (opened ??= ensureVolleyFolder(root).then(async () => await (await loading).openSqliteStore(place)));
  const toRead = async (): Promise<Store | null> => (opened !== null || databaseExists(place) ? await toWrite() : null);
  return {
    transaction: async (work) => await (await toWrite()).transaction(work),
    load: async (id) => (await (await toRead())?.load(id)) ?? null,
    journal: async (id) => (await (await toRead())?.journal(id)) ?? [],
    position: async () => (await (await toRead())?.position()) ?? 0,
    entriesAfter: async (position, limit) => (await (await toRead())?.entriesAfter(position, limit)) ?? [],
    loopsAfter: async (position, limit) => (await (await toRead())?.loopsAfter(position, limit)) ?? [],
    rows: async (filter) => (await (await toRead())?.rows(filter)) ?? [],
    cards: async (ids) => (await (await toRead())?.cards(ids)) ?? new Map(),
    count: async (filter) => (await (await toRead())?.count(filter)) ?? { total: 0, states: {}, needsYou: 0 },
    jobs: async () => (await (await toRead())?.jobs()) ?? [],
    timedWaits: async (filter) => (await (await toRead())?.timedWaits(filter)) ?? [],
    releasable: async (query) => (await (await toRead())?.releasable(query)) ?? [],
    memories: async (filter) => (await (await toRead())?.memories(filter)) ?? [],
    drafts: async (id) => (await (await toRead())?.drafts(id)) ?? [],
    spendByAgent: async () => (await (await toRead())?.spendByAgent()) ?? [],
    tally: async (since) => (await (await toRead())?.tally(since)) ?? { spentUsd: 0, reservedUsd: 0, estimated: false },
    counts: async (range) => (await (await toRead())?.counts(range)) ?? NOTHING_COUNTED,
    close: async () => {
      // One that could not be opened has nothing to close, and said so to whoever asked for it.
      const store = await opened?.catch(() => null);
      await store?.close();
    },
  };
}
