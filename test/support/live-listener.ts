import { ServerFrame } from '../../src/api/contract/live.ts';
import type { ClientFrame, LiveTopic } from '../../src/api/contract/live.ts';
import { eventOutput } from '../../src/core/project-output.ts';
import { replayJournal } from '../../src/core/replay.ts';
import type { ReplayStep } from '../../src/core/replay.ts';
import { reviewLoopEvents } from '../../src/core/review-loop-events.ts';
import type { Store } from '../../src/store/store.ts';

/** Where a live channel is, and who may open it. */
export type LivePlace = { readonly url: string; readonly token: string };

/** A client of the live channel that keeps every frame. */
export type LiveListener = {
  readonly frames: readonly ServerFrame[];
  /** The same as they came. */
  readonly texts: readonly string[];
  /** The code and reason with which the socket was closed. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  send(frame: ClientFrame | string): void;
  /** The first frame, of those that came or come, that a check accepts. */
  until<F extends ServerFrame>(what: string, check: (frame: ServerFrame) => frame is F): Promise<F>;
  until(what: string, check: (frame: ServerFrame) => boolean): Promise<ServerFrame>;
  close(): void;
};

/** What a browser that logged in has: its cookie, and the key of its page. */
export type BrowserLogin = { readonly cookie: string; readonly page: string };

/** Opens the live channel of a server, with the token or as a browser does. */
export function openLive({ url, token }: LivePlace, login: BrowserLogin | null = null): LiveListener {
  const how =
    login === null
      ? { headers: { authorization: `Bearer ${token}` } }
      : { headers: { cookie: login.cookie, origin: url }, protocols: ['volley', `page.${login.page}`] };
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/live`, how);
  const frames: ServerFrame[] = [];
  const texts: string[] = [];
  const looks = new Set<() => void>();
  const look = (): void => looks.forEach((one) => one());
  socket.addEventListener('message', ({ data }) => {
    texts.push(String(data));
    frames.push(ServerFrame.parse(JSON.parse(String(data))));
    look();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.addEventListener('close', ({ code, reason }) => resolve({ code, reason }));
  });
  // A socket that fails is closed too, which is what is looked at.
  socket.addEventListener('error', () => undefined);
  const opened = new Promise((resolve) => socket.addEventListener('open', resolve));
  return {
    frames,
    texts,
    closed,
    send: (frame) => void opened.then(() => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame))),
    until: async (what: string, check: (frame: ServerFrame) => boolean) =>
      await new Promise<never>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`there was no frame: ${what}`)), 30_000);
        const find = (): void => {
          const found = frames.find(check);
          if (found === undefined) return;
          clearTimeout(timer);
          looks.delete(find);
          // The check says what it is.
          resolve(found as never);
        };
        looks.add(find);
        find();
        void closed.then(() => {
          clearTimeout(timer);
          reject(new Error(`the socket was closed before there was a frame: ${what}`));
        });
      }),
    close: () => socket.close(),
  };
}

/** What of the live channel is expected: behind a frame, of some topics and loops. */
export type Expected = { readonly after: number; readonly topics: readonly LiveTopic[]; readonly loops?: readonly number[] };

/** The frames that follow from a journal, worked out without the server. */
export async function framesInJournal(store: Store, { after, topics, loops }: Expected): Promise<readonly ServerFrame[]> {
  const replays = new Map<number, readonly ReplayStep[]>();
  const frames: ServerFrame[] = [];
  for (const { position, loopId, entry } of await store.entriesAfter(0, Number.MAX_SAFE_INTEGER)) {
    if (entry === null) throw new Error('an entry cannot be read');
    if (!replays.has(loopId)) replays.set(loopId, replayJournal(await store.journal(loopId))?.steps ?? []);
    const step = replays.get(loopId)?.[entry.seq - 1];
    if (step === undefined || loops?.includes(loopId) === false) continue;
    if (topics.includes('journal')) frames.push({ type: 'event', seq: position * 8, payload: eventOutput(step.after, entry) });
    if (!topics.includes('review-loop')) continue;
    for (const [index, { name, payload }] of reviewLoopEvents(step.before, entry, step.after).entries())
      frames.push(ServerFrame.parse({ type: name, seq: position * 8 + index + 1, payload }));
  }
  return frames.filter((frame) => 'seq' in frame && frame.seq > after);
}

/** Those of some frames that tell of the journal. */
export function journalFrames(frames: readonly ServerFrame[]): readonly ServerFrame[] {
  return frames.filter(({ type }) => type === 'event' || type.startsWith('review-loop:'));
}
