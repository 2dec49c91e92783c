import type { FastifyInstance, FastifyRequest } from 'fastify';
import { VolleyError } from '../core/errors.ts';
import type { Desk } from '../engine/desk.ts';
import { ClientFrame } from './contract/live.ts';
import { LIVE_PATH } from './contract/page-key.ts';
import type { Subscribe } from './contract/live.ts';
import type { Guard } from './guard.ts';
import { httpError } from './http-error.ts';
import { LiveClient } from './live-client.ts';
import type { LiveSocket } from './live-client.ts';
import { LiveHub } from './live-hub.ts';
import { LIVE_LIMITS } from './live-limits.ts';
import type { LiveLimits } from './live-limits.ts';
import { LiveOutput } from './live-output.ts';
import { plainWords } from './plain-words.ts';
import { problemsOf } from './read-request.ts';
import type { Door, GuardOf } from './server.ts';

/** What the live channel is opened with. */
export type LiveOptions = { readonly limits?: LiveLimits; readonly broke: (error: unknown) => void };

/** The live channel: a WebSocket with everything that happens in the project, from the frame on that a client has last seen. */
export function liveDoor(desk: Desk, { limits = LIVE_LIMITS, broke }: LiveOptions): Door {
  return (server, { guard }) => {
    const hub = new LiveHub(desk, limits, broke);
    const output = new LiveOutput(desk.live.transcripts, broke);
    server.route({
      method: 'GET',
      url: LIVE_PATH,
      config: { access: 'token', isSocket: true },
      handler: async () => {
        throw new VolleyError('bad-request', 'This is a WebSocket.', `Open it with a WebSocket client: ws://HOST${LIVE_PATH}.`);
      },
      wsHandler: (socket: LiveSocket, request: FastifyRequest) =>
        void new Conversation({ hub, output, limits, broke, guard: guard() }, socket, request),
    });
    beatHeart(server, { hub, limits, guard });
  };
}

type Beating = Pick<Around, 'hub' | 'limits'> & Pick<GuardOf, 'guard'>;

/** Asks every client for a sign of life from time to time, and gives up those that gave none, or whose login is over. */
function beatHeart(server: FastifyInstance, { hub, limits: { pingMs, deadMs }, guard }: Beating): void {
  const timer = setInterval(() => {
    const now = performance.now();
    for (const client of hub.clients) {
      if (now - client.seenAtMs > deadMs) client.terminate();
      else if (!endOver(client, guard())) client.ping();
    }
  }, pingMs).unref();
  server.addHook('preClose', async () => clearInterval(timer));
}

/** Closes a client whose cookie counts no more; its next try is told why. */
function endOver(client: LiveClient, guard: Guard): boolean {
  if (client.login === null || !guard.isOver(client.login)) return false;
  client.close(1008, 'logged out');
  return true;
}

type Around = {
  readonly hub: LiveHub;
  readonly output: LiveOutput;
  readonly limits: LiveLimits;
  readonly broke: (error: unknown) => void;
  readonly guard: Guard;
};

/** What is said on one socket. */
class Conversation {
  readonly #around: Around;
  readonly #client: LiveClient;
  #last: Promise<void>;
  #waiting = 0;

  constructor(around: Around, socket: LiveSocket, request: FastifyRequest) {
    this.#around = around;
    const { hub, output, limits, guard } = around;
    this.#client = new LiveClient(socket, { tcp: request.raw.socket, login: request.login }, performance.now());
    if (hub.clients.size >= limits.clients) {
      this.#client.close(1013, 'too many clients');
      this.#last = Promise.resolve();
      return;
    }
    hub.add(this.#client);
    const forget = guard.onLogOut(() => void endOver(this.#client, guard));
    // It may have been taken back since the door was opened.
    endOver(this.#client, guard);
    socket.on('close', () => {
      forget();
      output.remove(this.#client);
      hub.remove(this.#client);
    });
    // A pong goes out by itself, whether its client takes it or not.
    socket.on('ping', () => void this.#isTaking());
    socket.on('pong', () => void (this.#client.seenAtMs = performance.now()));
    this.#last = this.#guarded(async () => await this.#greet());
    // One after the other, and none before the greeting.
    socket.on('message', (bytes, isBinary) => {
      this.#client.seenAtMs = performance.now();
      if (!this.#isTaking()) return;
      const said = isBinary ? null : bytes.toString('utf8');
      this.#waiting += 1;
      this.#last = this.#last.then(async () => {
        await this.#guarded(async () => await this.#hear(said));
        this.#waiting -= 1;
      });
    });
  }

  /** Ends with a client that says more than is answered, or does not take the answers. */
  #isTaking(): boolean {
    const { waitingFrames, pendingBytes } = this.#around.limits;
    if (!this.#client.isOpen) return false;
    if (this.#waiting < waitingFrames && this.#client.pendingBytes <= 2 * pendingBytes) return true;
    this.#client.close(1008, 'too many frames at once');
    return false;
  }

  async #guarded(step: () => Promise<void>): Promise<void> {
    if (!this.#client.isOpen) return;
    try {
      await step();
    } catch (error) {
      const { status, output } = httpError(error);
      if (status >= 500) this.#around.broke(error);
      this.#client.send(output);
      this.#client.badFrames += 1;
      if (status >= 500) this.#client.close(1011, 'the server failed');
      else if (this.#client.badFrames > this.#around.limits.badFrames) this.#client.close(1008, 'too many frames that cannot be read');
    }
  }

  async #greet(): Promise<void> {
    const { hub } = this.#around;
    await hub.open();
    this.#client.cursor = hub.newest;
    this.#client.send({ type: 'hello', v: 1, seq: hub.newest });
  }

  async #hear(said: string | null): Promise<void> {
    const frame = readFrame(said);
    switch (frame.type) {
      case 'subscribe':
        return await this.#subscribe(frame);
      case 'unsubscribe':
        this.#around.output.remove(this.#client);
        return this.#client.unsubscribe();
      case 'ping':
        return this.#client.send({ type: 'pong', seq: this.#client.cursor });
    }
  }

  async #subscribe(frame: Subscribe): Promise<void> {
    const { hub, output } = this.#around;
    const client = this.#client;
    output.remove(client);
    const { topics, loops = null } = frame;
    const outputAfter = topics.includes('output') ? (frame.outputAfter ?? (await output.ends(loops ?? []))) : null;
    if (!client.isOpen) return;
    client.subscribe(frame);
    if (frame.after !== undefined) client.cursor = frame.after;
    client.send({ type: 'subscribed', topics, loops, seq: client.cursor, outputAfter });
    if (outputAfter !== null) output.add(client, loops ?? [], outputAfter);
    hub.catchUp(client);
  }
}

function readFrame(said: string | null): ClientFrame {
  const parsed = ClientFrame.safeParse(said === null ? null : parseJson(said), { error: plainWords });
  if (parsed.success) return parsed.data;
  throw badFrame(parsed.error.issues.flatMap((issue) => problemsOf('frame', issue)).join('; '));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badFrame('The frame is not JSON').from(error);
  }
}

function badFrame(what: string): VolleyError {
  return new VolleyError('bad-request', `${what}.`, 'Send subscribe, unsubscribe or ping as JSON, for example {"type":"ping"}.');
}
