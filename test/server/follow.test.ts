import assert from 'node:assert/strict';
import { once } from 'node:events';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fakeEnded } from '../../src/agents/fake.ts';
import { ApiError, createClient } from '../../src/api/contract/client.ts';
import { follow } from '../../src/api/contract/follow.ts';
import type { Following } from '../../src/api/contract/following.ts';
import type { ServerFrame } from '../../src/api/contract/live.ts';
import { liveDoor } from '../../src/api/live.ts';
import { describeApi } from '../../src/api/openapi.ts';
import { routesOf } from '../../src/api/routes.ts';
import { openServer } from '../../src/api/server.ts';
import { openErrands } from '../../src/lib/errands.ts';
import { openDesk } from '../../src/app-desk.ts';
import { plainTask } from '../../src/core/task.ts';
import { appendEvent } from '../../src/engine/append.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { framesInJournal, journalFrames } from '../support/live-listener.ts';
import type { LivePlace } from '../support/live-listener.ts';
import { answers, APPROVED, eventually, issue, makeScenario, rejected, turns } from '../support/scenario.ts';
import { startServer } from '../support/server-process.ts';
import { serveScenario } from '../support/served.ts';
import type { ServedProject } from '../support/served.ts';

const BOTH = ['journal', 'review-loop'] as const;

async function project(): Promise<ServedProject> {
  return await serveScenario({
    author: () => [fakeEnded('{}')],
    reviewer: () => [fakeEnded('{"passed":true,"summary":"Good."}')],
  });
}

async function makeLoop({ app }: ServedProject): Promise<number> {
  const task = plainTask({ kind: 'implement', title: 'Add it', source: { kind: 'authored' } });
  const loop = await app.start({ change: { kind: 'authored', base: null }, task, flags: {} });
  assert.ok(loop);
  return loop.id;
}

async function warn({ app }: ServedProject, id: number, text: string): Promise<void> {
  await appendEvent(app.engine, id, { type: 'warned', about: 'branch', text });
}

/** A server of the project beside its own, on any port or on this one, which may be called by further names. */
async function serveOn({ app, token }: ServedProject, port = 0, hosts: readonly string[] = []): ReturnType<typeof openServer> {
  const desk = openDesk(app, () => undefined);
  const broke = (error: unknown): void => assert.fail(String(error));
  return await openServer({
    port,
    token,
    agentToken: 'nobody’s',
    revoked: { has: () => false, add: () => undefined },
    allowedHosts: hosts,
    handlers: routesOf(desk, { version: 'test', startedAt: '', works: false, describe: describeApi('test') }),
    doors: [liveDoor(desk, { broke })],
    errands: openErrands(),
    broke,
  });
}

/** Somebody who follows until they are stopped, and keeps what comes. */
class Reader implements AsyncDisposable {
  readonly frames: ServerFrame[] = [];
  readonly #stop = new AbortController();
  readonly #reading: Promise<void>;

  constructor(following: Following, slowlyMs = 0) {
    this.#reading = this.#read(following, slowlyMs);
  }

  async #read(following: Following, slowlyMs: number): Promise<void> {
    for await (const frame of follow({ ...following, signal: this.#stop.signal })) {
      this.frames.push(frame);
      if (slowlyMs > 0) await delay(slowlyMs);
    }
  }

  get connections(): number {
    return this.frames.filter(({ type }) => type === 'hello').length;
  }

  said(transcript: string): string {
    return this.frames.flatMap((one) => (one.type === 'output' && one.transcript === transcript ? [one.text] : [])).join('');
  }

  async subscribed(times = 1): Promise<void> {
    await eventually('it is let in', async () => this.frames.filter(({ type }) => type === 'subscribed').length >= times);
  }

  async seen(expected: readonly ServerFrame[]): Promise<void> {
    await eventually('the last frame', async () => journalFrames(this.frames).length >= expected.length);
    assert.deepEqual(journalFrames(this.frames), expected);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#reading;
  }
}

test('whoever starts a loop sees all of it, from before its first entry until they stop reading', async () => {
  await using served = await project();
  const place = { url: served.served.url, token: served.token };
  const { ask } = createClient(place);
  const { seq: after } = await ask('health');
  const { loops } = await ask('startTasks', { body: { text: 'Add it' } });
  const id = loops[0]?.id ?? 0;
  const driving = served.app.drive([id], new AbortController().signal);
  const frames: ServerFrame[] = [];
  for await (const frame of follow({ ...place, topics: [...BOTH], loops: [id], after })) {
    frames.push(frame);
    if ((await ask('showLoop', { params: { id } })).atRest) break;
  }
  await driving;
  const expected = await framesInJournal(served.app.engine.store, { after, topics: BOTH });
  assert.deepEqual(journalFrames(frames), expected.slice(0, journalFrames(frames).length));
  assert.equal((await ask('showLoop', { params: { id } })).atRest, true);
});

test('a server that stops and comes back on its port is followed on, without gap or repeat', async () => {
  await using served = await project();
  const first = await serveOn(served);
  const place: LivePlace = { url: first.url, token: served.token };
  const id = await makeLoop(served);
  await using reader = new Reader({ ...place, topics: [...BOTH], after: 0 });
  await reader.subscribed();
  await first.close();
  for (let times = 2; times < 5; times += 1) {
    await warn(served, id, `nobody hears this, ${times}`);
    const again = await serveOn(served, first.port);
    await reader.subscribed(times);
    await warn(served, id, `heard live, ${times}`);
    await reader.seen(await framesInJournal(served.app.engine.store, { after: 0, topics: BOTH }));
    await again.close();
  }
  assert.equal(reader.connections, 4);
});

test('kill -9 of volley serve in the middle of a loop: the loop is seen to its end, each frame once', { timeout: 120_000 }, async () => {
  await using scenario = await makeScenario({
    agents: {
      author: turns({ write: { 'a.txt': 'wrong\n' } }),
      reviewer: answers(rejected(issue('It is wrong.', { file: 'a.txt', line: 1 })), APPROVED),
      fixer: turns({ write: { 'a.txt': 'right\n' } }),
    },
  });
  let serving = await startServer(scenario);
  const place = { url: serving.url, token: serving.token };
  const { ask } = createClient(place);
  const { loops } = await ask('startTasks', { body: { text: 'Write it', autoReview: true } });
  await using reader = new Reader({ ...place, topics: [...BOTH], after: 0 });
  for (let kill = 0; kill < 3; kill += 1) {
    await delay(400 + 200 * kill);
    const ended = once(serving.process, 'exit');
    serving.process.kill('SIGKILL');
    await ended;
    serving = await startServer(scenario, ['--port', new URL(place.url).port]);
  }
  const loop = await eventually('its end', async () => {
    const now = await ask('showLoop', { params: { id: loops[0]?.id ?? 0 } });
    return now.atRest && now;
  });
  assert.deepEqual([loop.state, loop.approval?.by], ['approved', 'review']);
  const file = join(scenario.root, '.volley', 'volley.db');
  const store = await openSqliteStore({ file, backupDir: `${file}.backups` });
  await reader.seen(await framesInJournal(store, { after: 0, topics: BOTH }));
  await store.close();
  assert.ok(reader.connections > 1);
  const ended = once(serving.process, 'exit');
  serving.process.kill('SIGTERM');
  await ended;
});

test('what agents say goes on where it was, and what they had said before stays unsaid', async () => {
  await using served = await project();
  const first = await serveOn(served);
  const id = await makeLoop(served);
  const folder = join(served.app.project.root, '.volley', 'transcripts');
  await mkdir(folder, { recursive: true });
  const [old, now] = ['.volley/transcripts/task-1-2-author.log', '.volley/transcripts/task-1-4-reviewer.log'];
  const write = async (path: string, text: string): Promise<void> => await appendFile(join(served.app.project.root, path), text);
  await writeFile(join(served.app.project.root, old), 'said long ago\n');
  await using reader = new Reader({ url: first.url, token: served.token, topics: ['output'], loops: [id] });
  await reader.subscribed();
  // Nothing was heard of any transcript yet.
  await first.close();
  await write(now, 'é one\n');
  const second = await serveOn(served, first.port);
  await eventually('the first words', async () => reader.said(now) === 'é one\n');
  await second.close();
  await write(now, 'two\n');
  await write(old, 'and something after all\n');
  const third = await serveOn(served, first.port);
  await eventually('the last words', async () => reader.said(old).length > 0 && reader.said(now).length > 8);
  assert.deepEqual([reader.said(old), reader.said(now)], ['and something after all\n', 'é one\ntwo\n']);
  await third.close();
});

test('whoever reads slowly holds little back, and still sees every frame once', { timeout: 60_000 }, async () => {
  await using served = await project();
  const id = await makeLoop(served);
  const long = 'x'.repeat(100_000);
  await using reader = new Reader({ url: served.served.url, token: served.token, topics: ['journal'], after: 0 }, 10);
  await reader.subscribed();
  for (let entry = 0; entry < 250; entry += 1) await warn(served, id, long);
  await reader.seen(await framesInJournal(served.app.engine.store, { after: 0, topics: ['journal'] }));
  assert.ok(reader.connections > 1, 'it was never too much');
  assert.ok(!reader.frames.some(({ type }) => type === 'snapshot'));
});

test('a signal ends it: before it begins, while it waits, and while there is no server', async () => {
  await using served = await project();
  const place = { url: served.served.url, token: served.token };
  for await (const frame of follow({ ...place, topics: ['journal'], signal: AbortSignal.abort() })) assert.fail(frame.type);
  const waiting = new AbortController();
  const types: string[] = [];
  for await (const { type } of follow({ ...place, topics: ['journal'], signal: waiting.signal })) {
    types.push(type);
    if (type === 'subscribed') setTimeout(() => waiting.abort(), 50);
  }
  assert.deepEqual(types, ['hello', 'subscribed']);
  const gone = await serveOn(served);
  await gone.close();
  for await (const frame of follow({ ...place, url: gone.url, topics: ['journal'], signal: AbortSignal.timeout(700) }))
    assert.fail(frame.type);
});

test('what the server refuses is thrown, with what to do about it', async () => {
  await using served = await project();
  const place = { url: served.served.url, token: served.token };
  const reads = async (following: Following): Promise<void> => {
    for await (const frame of follow(following)) assert.ok(frame.type === 'hello', frame.type);
  };
  await assert.rejects(reads({ ...place, topics: ['output'] }), (error) => {
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.status, error.code], [400, 'bad-request']);
    assert.match(error.message, /needs the numbers of at most 50 loops/);
    return true;
  });
  await assert.rejects(reads({ ...place, token: 'wrong', topics: ['journal'] }), { name: 'ApiError', status: 401, code: 'not-logged-in' });
});

test('an address is the same with a slash at its end', async () => {
  await using served = await project();
  const place = { url: `${served.served.url}/`, token: served.token };
  assert.equal((await createClient(place).ask('health')).type, 'health');
  for await (const frame of follow({ ...place, topics: ['journal'] })) {
    assert.equal(frame.type, 'hello');
    break;
  }
});

test('a server that is not there is told as an error that says so', async () => {
  await using served = await project();
  const gone = await serveOn(served);
  await gone.close();
  await assert.rejects(createClient({ url: gone.url, token: served.token }).ask('health'), {
    name: 'ApiError',
    status: 0,
    code: 'no-answer',
    message: `Nothing answers at ${gone.url}.`,
    remedy: 'Start the server: volley serve.',
  });
});

test('a connection that has gone silent is given up and made anew', async () => {
  await using served = await project();
  const id = await makeLoop(served);
  await using tunnel = await tunnelTo(served);
  await using reader = new Reader({ url: tunnel.url, token: served.token, topics: ['journal'], after: 0, silenceMs: 600 });
  await reader.subscribed();
  // It is asked for a sign of life meanwhile, so that a connection on which nothing happens is kept.
  await delay(1000);
  assert.equal(reader.connections, 1);
  tunnel.mute();
  await warn(served, id, 'nobody hears this at first');
  await reader.seen(await framesInJournal(served.app.engine.store, { after: 0, topics: ['journal'] }));
  assert.equal(reader.connections, 2);
});

type Tunnel = AsyncDisposable & {
  readonly url: string;
  /** From now on nothing comes through the connections that there are, and none of them is closed. */
  mute(): void;
};

/** A way to a server of the project that can lose what is sent. */
async function tunnelTo(served: ServedProject): Promise<Tunnel> {
  const pairs: (readonly [Socket, Socket])[] = [];
  let target = 0;
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near.on('close', () => far.destroy());
    pairs.push([near, far]);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const listening = await serveOn(served, 0, [`127.0.0.1:${port}`]);
  target = listening.port;
  const mute = (): void => {
    for (const [near, far] of pairs) for (const socket of [near, far]) socket.unpipe().resume();
  };
  return {
    url: `http://127.0.0.1:${port}`,
    mute,
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const socket of pairs.flat()) socket.destroy();
      await listening.close();
    },
  };
}
