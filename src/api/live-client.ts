import type { Socket } from 'node:net';
import type { LiveTopic, ServerFrame, Subscribe } from './contract/live.ts';
import { sayGoodbye } from './goodbye.ts';
import type { Login } from './guard.ts';
import { bytesOf } from './live-frames.ts';
import type { Frame } from './live-frames.ts';

/** As much of a WebSocket as the live channel uses. */
export type LiveSocket = {
  readonly bufferedAmount: number;
  readonly readyState: number;
  send(bytes: Buffer, options: { readonly binary: boolean }): void;
  ping(): void;
  close(code: number, reason: string): void;
  terminate(): void;
  on(event: 'message', listener: (bytes: Buffer, isBinary: boolean) => void): void;
  on(event: 'ping' | 'pong' | 'close', listener: () => void): void;
};

/** What a client asked for. */
export type Subscription = { readonly topics: ReadonlySet<LiveTopic>; readonly loops: ReadonlySet<number> | null };

/**
 * How a client gets its frames: `live` as they come, `behind` from the journal until it has caught up, `dropped` not at all, because
 * it takes nothing, and a snapshot in their place when it does.
 */
export type Pace = 'live' | 'behind' | 'dropped';

const OPEN = 1;

/** One client of the live channel: its socket, what it wants, and up to where it has got everything. */
export class LiveClient {
  readonly #socket: LiveSocket;
  readonly #tcp: Socket;
  #isCorked = false;
  subscription: Subscription | null = null;
  /** The client has got all frames that it wants up to this one. */
  cursor = 0;
  pace: Pace = 'live';
  /** Counts its subscriptions, so that whatever was under way for an earlier one is noticed. */
  epoch = 0;
  isServed = false;
  seenAtMs: number;
  badFrames = 0;

  /** The cookie that opened it; null where it was the token. */
  readonly login: Login | null;

  constructor(socket: LiveSocket, { tcp, login }: { readonly tcp: Socket; readonly login: Login | null }, nowMs: number) {
    this.#socket = socket;
    this.#tcp = tcp;
    this.login = login;
    this.seenAtMs = nowMs;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === OPEN;
  }

  /** Bytes that the client has not taken yet. */
  get pendingBytes(): number {
    return this.#socket.bufferedAmount;
  }

  /** Whether it asked for frames of the journal at all. */
  get follows(): boolean {
    return this.subscription !== null && (this.subscription.topics.has('journal') || this.subscription.topics.has('review-loop'));
  }

  subscribe({ topics, loops }: Pick<Subscribe, 'topics' | 'loops'>): void {
    this.subscription = { topics: new Set(topics), loops: loops === undefined ? null : new Set(loops) };
    this.epoch += 1;
  }

  unsubscribe(): void {
    this.subscription = null;
    this.epoch += 1;
  }

  wants(frame: Frame): boolean {
    if (this.subscription === null || frame.seq <= this.cursor) return false;
    const { topics, loops } = this.subscription;
    return topics.has(frame.topic) && (loops === null || loops.has(frame.loop));
  }

  /** Sends the wanted ones of these frames, all that there are up to `until`, unless the client has not taken `mostBytes` yet. */
  deliver(frames: readonly Frame[], until: number, mostBytes: number): boolean {
    for (const frame of frames) {
      if (!this.wants(frame)) continue;
      if (this.pendingBytes > mostBytes) return false;
      this.sendBytes(frame.bytes);
      this.cursor = frame.seq;
    }
    this.cursor = Math.max(this.cursor, until);
    return true;
  }

  send(frame: ServerFrame): void {
    this.sendBytes(bytesOf(frame));
  }

  /** What is sent in one go leaves in one piece. */
  sendBytes(bytes: Buffer): void {
    if (!this.isOpen) return;
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#tcp.cork();
      process.nextTick(() => {
        this.#isCorked = false;
        this.#tcp.uncork();
      });
    }
    this.#socket.send(bytes, { binary: false });
  }

  ping(): void {
    if (this.isOpen) this.#socket.ping();
  }

  /** Says goodbye; whoever does not answer that soon is cut off. */
  close(code: number, reason: string): void {
    sayGoodbye(this.#socket, code, reason);
  }

  terminate(): void {
    this.#socket.terminate();
  }
}
