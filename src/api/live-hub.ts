import { setTimeout as delay } from 'node:timers/promises';
import { lastSeq, positionUpTo } from '../core/live-seq.ts';
import type { Hearing, PlacedStep } from '../engine/bus.ts';
import type { Desk } from '../engine/desk.ts';
import { listLoops } from '../engine/list-loops.ts';
import type { ListedLoop } from './contract/loops.ts';
import { listedLoop } from './listed-loop.ts';
import type { LiveClient } from './live-client.ts';
import { FramePages, framesOf } from './live-frames.ts';
import type { LiveLimits } from './live-limits.ts';

/** How often it is looked whether a client has taken what it was sent. */
const DRAIN_MS = 20;

/** Gives every client the frames of the journal that it wants, each once and in order; it reads the journal once for all of them. */
export class LiveHub {
  readonly #desk: Desk;
  readonly #limits: LiveLimits;
  readonly #broke: (error: unknown) => void;
  readonly #clients = new Set<LiveClient>();
  readonly #pages: FramePages;
  #opening: Promise<Hearing> | null = null;
  /** The newest position that was told to whoever is live. */
  #head = 0;

  constructor(desk: Desk, limits: LiveLimits, broke: (error: unknown) => void) {
    this.#desk = desk;
    this.#limits = limits;
    this.#broke = broke;
    this.#pages = new FramePages(desk.live.bus);
  }

  get clients(): ReadonlySet<LiveClient> {
    return this.#clients;
  }

  /** Behind this frame comes what has not happened yet. */
  get newest(): number {
    return lastSeq(this.#head);
  }

  /** Lets the hub follow the journal, if it does not yet. */
  async open(): Promise<void> {
    this.#opening ??= this.#listen();
    await this.#opening;
  }

  add(client: LiveClient): void {
    this.#clients.add(client);
  }

  remove(client: LiveClient): void {
    this.#clients.delete(client);
    if (this.#clients.size === 0) this.close();
  }

  /** Stops following; the next client begins anew. */
  close(): void {
    void this.#opening?.then((hearing) => hearing.stop()).catch(this.#broke);
    this.#opening = null;
  }

  /** Brings a client up to date behind its cursor, and keeps it so. */
  catchUp(client: LiveClient): void {
    if (client.pace === 'live') client.pace = 'behind';
    if (client.isServed) return;
    client.isServed = true;
    void this.#serve(client).catch((error: unknown) => this.#fail(error, [client]));
  }

  async #listen(): Promise<Hearing> {
    try {
      const hearing = await this.#desk.live.bus.listen({
        heard: (steps) => this.#tell(steps),
        failed: (error) => {
          this.#opening = null;
          this.#fail(error, [...this.#clients]);
        },
      });
      this.#head = hearing.position;
      return hearing;
    } catch (error) {
      this.#opening = null;
      throw error;
    }
  }

  #tell(steps: readonly PlacedStep[]): void {
    const made = steps.map((step) => ({ position: step.position, frames: framesOf(step) }));
    this.#pages.add(made, this.#head);
    this.#head = steps.at(-1)?.position ?? this.#head;
    const frames = made.flatMap((one) => one.frames);
    for (const client of this.#clients) {
      const isLate = client.pace === 'live' && !client.deliver(frames, this.newest, this.#limits.pendingBytes);
      if (isLate) this.catchUp(client);
    }
  }

  /** Until the client is live; there is one of these for each client at a time. */
  async #serve(client: LiveClient): Promise<void> {
    try {
      while (client.isOpen && client.pace !== 'live') {
        if (!client.follows) this.#goLive(client);
        else if (client.pendingBytes > this.#limits.pendingBytes / 4) await this.#drain(client);
        else if (client.pace === 'dropped' || this.#isTooFar(client)) await this.#sendSnapshot(client);
        else await this.#advance(client);
      }
    } finally {
      client.isServed = false;
    }
  }

  /** What was sent in one go may be much; whoever goes on taking it, however slowly, misses nothing. */
  async #drain(client: LiveClient): Promise<void> {
    let until = performance.now() + this.#limits.patienceMs;
    let least = client.pendingBytes;
    while (client.isOpen && client.pendingBytes > this.#limits.pendingBytes / 4) {
      await delay(DRAIN_MS);
      if (client.pendingBytes < least) until = performance.now() + this.#limits.patienceMs;
      least = Math.min(least, client.pendingBytes);
      if (performance.now() > until) client.pace = 'dropped';
    }
  }

  /** Nothing is awaited between the look at the head and the change of pace, so nothing is told in between. */
  async #advance(client: LiveClient): Promise<void> {
    const { epoch } = client;
    const position = positionUpTo(client.cursor);
    if (position > this.#head && position > (await this.#desk.engine.store.position())) {
      // It has seen what this journal does not have: a backup was put back.
      if (client.epoch === epoch) this.#restart(client);
      return;
    }
    if (client.epoch !== epoch) return;
    if (position >= this.#head) {
      client.pace = 'live';
      return;
    }
    const page = await this.#pages.after(position, this.#head);
    if (client.epoch === epoch) client.deliver(page.frames, lastSeq(page.until), this.#limits.pendingBytes);
  }

  #goLive(client: LiveClient): void {
    client.cursor = this.newest;
    client.pace = 'live';
  }

  #restart(client: LiveClient): void {
    client.cursor = this.newest;
    client.send({ type: 'snapshot', seq: client.cursor, loops: null });
  }

  #isTooFar(client: LiveClient): boolean {
    return this.#head - positionUpTo(client.cursor) > this.#limits.entriesBehind;
  }

  /** The rows are read after the head is known, so they are at least as new as the frames that they stand for. */
  async #sendSnapshot(client: LiveClient): Promise<void> {
    const { epoch } = client;
    const seq = this.newest;
    const loops = await this.#rowsFor(client);
    if (client.epoch !== epoch || !client.isOpen) return;
    client.send({ type: 'snapshot', seq: Math.max(seq, client.cursor), loops });
    client.cursor = Math.max(seq, client.cursor);
    client.pace = 'behind';
  }

  async #rowsFor({ cursor, subscription }: LiveClient): Promise<ListedLoop[] | null> {
    const most = this.#limits.snapshotLoops;
    const { store } = this.#desk.engine;
    const changed = await store.loopsAfter(positionUpTo(cursor), most + 1);
    const wanted = subscription?.loops ?? null;
    if (changed.length > most && (wanted === null || wanted.size > most)) return null;
    const among = changed.length > most ? [...(wanted ?? [])] : changed.filter((id) => wanted?.has(id) !== false);
    const { loops } = await listLoops(this.#desk.engine, { among, sort: 'newest', limit: most });
    return loops.map(listedLoop);
  }

  #fail(error: unknown, clients: readonly LiveClient[]): void {
    this.#broke(error);
    for (const client of clients) client.close(1011, 'the journal cannot be read');
  }
}
