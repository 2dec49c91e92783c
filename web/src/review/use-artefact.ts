import { useCallback, useEffect, useRef, useState } from 'react';
import { clientFor } from '../api/client.ts';
import { useConnection } from '../api/live.ts';
import { joined, LEAST, PAGE, pageBefore } from './artefact-parts.ts';
import type { Part } from './artefact-parts.ts';

const FOLLOW_MS = 1200;

/** The text of an artefact as far as it was read. */
export type ArtefactText = {
  readonly parts: readonly Part[];
  /** How long all of it is; null before anything was answered. */
  readonly bytes: number | null;
  /** What was not answered, and whether it comes before or after what was read. */
  readonly failure: Failure | null;
  /** Whether something follows what was read, and something comes before it. */
  readonly hasMore: boolean;
  readonly hasEarlier: boolean;
  readonly readMore: () => void;
  readonly readEarlier: () => void;
  /** Asks for what was not answered. */
  readonly askAgain: () => void;
};

type Failure = { readonly error: Error; readonly place: Page['place'] };

type Asked = { readonly loop: number; readonly name: string; readonly fromEnd: boolean; readonly running: boolean };
type Read = { readonly parts: readonly Part[]; readonly bytes: number | null; readonly failure: Failure | null };

/** Where the last page begins is only known once it was asked. */
type Page = { readonly offset: number | 'last'; readonly limit: number; readonly place: 'before' | 'after' };

const NOTHING: Read = { parts: [], bytes: null, failure: null };

/**
 * Reads an artefact in pages, from its beginning or from its end; one that is still being written is followed to its last word.
 * Another artefact needs another component: what was read is not forgotten.
 */
export function useArtefact({ loop, name, fromEnd, running }: Asked): ArtefactText {
  const [read, setRead] = useState(NOTHING);
  const busy = useRef(false);
  /** Answers whether it read to the end of what there is. */
  const fetchPart = useCallback(
    async (asked: Page, signal?: AbortSignal): Promise<boolean> => {
      if (busy.current) return false;
      busy.current = true;
      try {
        const page = await readPage({ loop, name }, asked, signal);
        const part = { offset: page.offset, end: page.next ?? page.bytes, text: page.text };
        setRead((before) => ({ bytes: page.bytes, failure: null, parts: joined(before.parts, part, asked.place) }));
        return page.next === null;
      } catch (error) {
        const failure = { error: error instanceof Error ? error : new Error(String(error)), place: asked.place };
        if (signal?.aborted !== true) setRead((before) => ({ ...before, failure }));
        return false;
      } finally {
        busy.current = false;
      }
    },
    [loop, name],
  );
  const begin = useCallback(
    async (signal?: AbortSignal) => await fetchPart({ offset: fromEnd ? 'last' : 0, limit: PAGE, place: 'after' }, signal),
    [fromEnd, fetchPart],
  );
  useEffect(() => {
    const stop = new AbortController();
    busy.current = false;
    void Promise.resolve().then(async () => (stop.signal.aborted ? false : await begin(stop.signal)));
    return () => stop.abort();
  }, [begin]);
  const first = read.parts[0]?.offset ?? 0;
  const end = read.parts.at(-1)?.end ?? 0;
  const isBegun = read.bytes !== null;
  const readOn = useCallback(
    async () => (isBegun ? await fetchPart({ offset: end, limit: PAGE, place: 'after' }) : await begin()),
    [isBegun, end, begin, fetchPart],
  );
  const readEarlier = useCallback(async () => await fetchPart({ ...pageBefore(first), place: 'before' }), [first, fetchPart]);
  const askAgain = read.failure?.place === 'before' ? readEarlier : readOn;
  useFollowing({ running, begun: isBegun || read.failure !== null, readOn });
  useAskedWhenBack(read.failure === null ? null : askAgain);
  return {
    ...read,
    hasMore: read.bytes !== null && end < read.bytes,
    hasEarlier: first > 0,
    readMore: () => void readOn(),
    readEarlier: () => void readEarlier(),
    askAgain: () => void askAgain(),
  };
}

/** Asks again what was not answered once the server is there again: nothing else would, where nothing is followed. */
function useAskedWhenBack(askAgain: (() => Promise<boolean>) | null): void {
  useEffect(() => {
    if (askAgain === null) return undefined;
    return useConnection.subscribe(({ state }, before) => {
      if (state === 'live' && before.state !== 'live') void askAgain();
    });
  }, [askAgain]);
}

type Followed = { readonly running: boolean; readonly begun: boolean; readonly readOn: () => Promise<boolean> };

/** Reads on while something is being written, and after that until its last word has come: what was written since the last look too. */
function useFollowing({ running, begun, readOn }: Followed): void {
  const [isWhole, setIsWhole] = useState(!running);
  useEffect(() => {
    if (isWhole || !begun) return;
    const look = async (): Promise<void> => {
      if ((await readOn()) && !running) setIsWhole(true);
    };
    if (!running) void look();
    const timer = setInterval(() => void look(), FOLLOW_MS);
    return () => clearInterval(timer);
  }, [running, begun, isWhole, readOn]);
}

async function readPage({ loop, name }: Pick<Asked, 'loop' | 'name'>, { offset, limit }: Page, signal?: AbortSignal) {
  const ask = async (query: { readonly offset: number; readonly limit: number }) =>
    await clientFor(signal).ask('readArtefact', { params: { id: loop, name }, query });
  return await ask({ offset: offset === 'last' ? pageBefore((await ask({ offset: 0, limit: LEAST })).bytes).offset : offset, limit });
}
