import { ApiError, createClient, withoutSlash } from './client.ts';
import type { ClientOptions } from './client.ts';
import type { ServerFrame, Subscribe } from './live.ts';
import { LIVE_PATH, LIVE_PROTOCOL, PAGE_PROTOCOL } from './page-key.ts';

/** What is followed, and where the server is; `after` goes on behind a frame that was seen before. */
export type Following = ClientOptions &
  Omit<Subscribe, 'type'> & {
    /** A connection on which nothing was heard for so long, not even the answer to a ping, is given up and made anew. */
    readonly silenceMs?: number;
    /** Hears that a connection was lost, which is made again; the next `hello` tells that it is. */
    readonly onLost?: () => void;
  };

/** How long a lost connection is waited for before it is tried again; longer each time that it fails. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;

const SILENCE_MS = 60_000;

/** Whoever takes frames more slowly than they come leaves them to the server, and goes on from there. */
const MOST_WAITING_CHARS = 8 * 1024 * 1024;

/** Reads what a server said; throws where this version does not know it. */
export type ReadFrame = (text: string) => ServerFrame;

/** A frame that this version of Volley does not know: the server is a newer one. */
export class UnknownFrame extends Error {
  override readonly name = 'UnknownFrame';
}

/**
 * The frames of a server as they come, until the signal says stop. A lost connection is made again and goes on behind the last
 * frame: nothing is missing and nothing comes twice, also when the server was killed. What the server refuses is thrown.
 */
export async function* followBy(
  read: ReadFrame,
  { url, token, page, signal, silenceMs = SILENCE_MS, onLost, ...wanted }: Following,
): AsyncGenerator<ServerFrame, void, undefined> {
  const server = {
    ...(url === undefined ? {} : { url }),
    ...(token === undefined ? {} : { token }),
    ...(page === undefined ? {} : { page }),
  };
  let subscribe: Subscribe = { type: 'subscribe', ...wanted };
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    if (isAborted(signal)) return;
    let isLetIn = false;
    for await (const frame of new Connection({ server, silenceMs, signal, read }, subscribe).frames()) {
      isLetIn = true;
      pauseMs = FIRST_PAUSE_MS;
      if (frame.type === 'error' && frame.code === 'bad-request') throw new ApiError(400, frame);
      subscribe = behind(subscribe, frame);
      if (frame.type !== 'pong') yield frame;
    }
    if (!isAborted(signal)) onLost?.();
    // A socket does not tell why it was refused.
    if (!isLetIn) await knock({ server, silenceMs, signal });
    await nap(pauseMs, signal);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
}

/** A signal changes while nobody looks, which the compiler does not think of. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

/** A subscription that goes on behind a frame. */
function behind(subscribe: Subscribe, frame: ServerFrame): Subscribe {
  if (frame.type === 'output') return { ...subscribe, outputAfter: { ...subscribe.outputAfter, [frame.transcript]: frame.next } };
  if (!('seq' in frame) || frame.type === 'hello') return subscribe;
  const offsets = frame.type === 'subscribed' ? frame.outputAfter : null;
  return { ...subscribe, after: frame.seq, ...(offsets === null ? {} : { outputAfter: { ...offsets, ...subscribe.outputAfter } }) };
}

type Place = { readonly server: ClientOptions; readonly silenceMs: number; readonly signal: AbortSignal | undefined };

/** Throws where the server is there and does not let this client in. */
async function knock({ server, silenceMs, signal }: Place): Promise<void> {
  const signals = [AbortSignal.timeout(silenceMs), ...(signal === undefined ? [] : [signal])];
  try {
    await createClient({ ...server, signal: AbortSignal.any(signals) }).ask('health');
  } catch (error) {
    if (error instanceof ApiError && error.status >= 400 && error.status < 500) throw error;
    // It is not there, or cannot answer now: both may pass.
  }
}

async function nap(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
    if (isAborted(signal)) end();
  });
}

type Heard = { readonly frame: ServerFrame; readonly chars: number };

/** One connection, until it is lost, silent, too much for whoever reads it, or not wanted any more. */
class Connection {
  readonly #read: ReadFrame;
  readonly #socket: WebSocket;
  readonly #signal: AbortSignal | undefined;
  readonly #pulse: ReturnType<typeof setInterval>;
  readonly #heard: Heard[] = [];
  #waitingChars = 0;
  #heardAtMs = performance.now();
  #isOpen = true;
  #failure: Error | null = null;
  #wake = (): void => undefined;

  constructor({ server, silenceMs, signal, read }: Place & { readonly read: ReadFrame }, subscribe: Subscribe) {
    this.#read = read;
    this.#signal = signal;
    this.#socket = open(server);
    this.#socket.addEventListener('open', () => this.#socket.send(JSON.stringify(subscribe)));
    this.#socket.addEventListener('message', ({ data }) => this.#hear(String(data)));
    for (const name of ['close', 'error'] as const) this.#socket.addEventListener(name, this.#end);
    signal?.addEventListener('abort', this.#end);
    this.#pulse = setInterval(() => {
      if (performance.now() - this.#heardAtMs > silenceMs) this.#end();
      else if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send('{"type":"ping"}');
    }, silenceMs / 3);
  }

  /** To be read once; whoever stops reading closes it. */
  async *frames(): AsyncGenerator<ServerFrame, void, undefined> {
    try {
      while (!isAborted(this.#signal)) {
        const heard = this.#heard.shift();
        if (heard !== undefined) {
          this.#waitingChars -= heard.chars;
          yield heard.frame;
        } else if (this.#failure !== null) throw this.#failure;
        else if (this.#isOpen) await new Promise<void>((resolve) => (this.#wake = resolve));
        else return;
      }
    } finally {
      this.#end();
      this.#signal?.removeEventListener('abort', this.#end);
    }
  }

  #hear(text: string): void {
    if (!this.#isOpen) return;
    this.#heardAtMs = performance.now();
    try {
      this.#heard.push({ frame: this.#read(text), chars: text.length });
    } catch (cause) {
      this.#failure = new UnknownFrame('the server sent a frame that this version of Volley does not know', { cause });
    }
    this.#waitingChars += text.length;
    if (this.#failure !== null || this.#waitingChars > MOST_WAITING_CHARS) this.#end();
    this.#wake();
  }

  /** What was heard until now is still given. */
  readonly #end = (): void => {
    this.#isOpen = false;
    clearInterval(this.#pulse);
    this.#socket.close();
    this.#wake();
  };
}

/** A browser sends its cookie by itself, and cannot send a header: the key of its page goes as a protocol. */
function open({ url = '', token, page }: ClientOptions): WebSocket {
  const place = `${withoutSlash(url).replace(/^http/, 'ws')}${LIVE_PATH}`;
  if (token === undefined) return new WebSocket(place, page === undefined ? [] : [LIVE_PROTOCOL, `${PAGE_PROTOCOL}${page}`]);
  // Node takes them, which the types of a browser do not know.
  const socket: WebSocket = Reflect.construct(WebSocket, [place, { headers: { authorization: `Bearer ${token}` } }]);
  return socket;
}
