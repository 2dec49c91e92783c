import { create } from 'zustand';
import { ApiError } from '../../../src/api/contract/client.ts';
import { followBy, UnknownFrame } from '../../../src/api/contract/following.ts';
import type { ServerFrame } from '../../../src/api/contract/live.ts';
import { pageKey } from './client.ts';
import { readFrame } from './frame.ts';
import { askFailedAgain, asking, forgetAll, forgetLoop, queries } from './queries.ts';

/** How the page is connected; `since` is when that began, `locked` where the server does not let it in, `outdated` where the server is newer. */
export type Connection = { readonly state: 'connecting' | 'live' | 'offline' | 'locked' | 'outdated'; readonly since: number };

/** The connection of this page. */
export const useConnection = create<Connection>(() => ({ state: 'connecting', since: Date.now() }));

/** A browser that was asleep should soon know what it missed. */
const SILENCE_MS = 20_000;

/** So long changes are gathered before what they changed is asked again. */
const GATHER_MS = 150;

type Listener = (loops: ReadonlySet<number> | null) => void;
const listeners = new Set<Listener>();
let changed = new Set<number>();
let timer: ReturnType<typeof setTimeout> | null = null;

/** Calls whoever listens with the loops that changed, gathered; with null where nobody knows which. Returns how to stop. */
export function onChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** So long it rests after something went wrong that a new connection does not mend by itself. */
const REST_MS = 5000;

/** Follows the server as long as the page is open. What the server does not let in, and what is newer than this page, ends it. */
export async function keepLive(): Promise<void> {
  let after = await knownUntil();
  for (;;) {
    try {
      const behind = after === undefined ? {} : { after };
      const following = { ...pageKey(), ...behind, topics: ['journal' as const], silenceMs: SILENCE_MS, onLost: () => say('offline') };
      for await (const frame of followBy(readFrame, following)) {
        if (frame.type === 'subscribed' && after === undefined) noteAll();
        if ('seq' in frame && frame.type !== 'hello') after = frame.seq;
        hear(frame);
      }
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return say('locked');
      if (error instanceof UnknownFrame) return say('outdated');
      say('offline');
    }
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
  }
}

/** Where the journal ends before anything is asked: what came until then is in every answer, what comes later has to be told. */
async function knownUntil(): Promise<number | undefined> {
  try {
    return (await queries.fetchQuery({ ...asking('health'), retry: false })).seq;
  } catch {
    return undefined;
  }
}

function say(state: Connection['state']): void {
  if (useConnection.getState().state !== state) useConnection.setState({ state, since: Date.now() });
}

function hear(frame: ServerFrame): void {
  if (frame.type === 'hello') greet();
  else if (frame.type === 'event') note(frame.payload.loop);
  else if (frame.type === 'unreadable') note(frame.loop);
  else if (frame.type === 'snapshot') {
    if (frame.loops === null) noteAll();
    else for (const { id } of frame.loops) note(id);
  }
}

function greet(): void {
  const wasLive = useConnection.getState().state === 'live';
  say('live');
  if (!wasLive) void askFailedAgain();
}

function note(loop: number): void {
  changed.add(loop);
  timer ??= setTimeout(() => {
    timer = null;
    const loops = changed;
    changed = new Set();
    for (const id of loops) void forgetLoop(id);
    tell(loops);
  }, GATHER_MS);
}

/** Nobody knows what changed. */
function noteAll(): void {
  void forgetAll().then(() => tell(null));
}

function tell(loops: ReadonlySet<number> | null): void {
  for (const listener of listeners) listener(loops);
}
