import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { connect, createServer, Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { createClient } from '../../src/api/contract/client.ts';
import { follow } from '../../src/api/contract/follow.ts';
import { liveDoor } from '../../src/api/live.ts';
import { LiveClient } from '../../src/api/live-client.ts';
import type { LiveSocket } from '../../src/api/live-client.ts';
import { LiveHub } from '../../src/api/live-hub.ts';
import { LIVE_LIMITS } from '../../src/api/live-limits.ts';
import type { LiveLimits } from '../../src/api/live-limits.ts';
import { describeApi } from '../../src/api/openapi.ts';
import { routesOf } from '../../src/api/routes.ts';
import { openServer } from '../../src/api/server.ts';
import { openDesk } from '../../src/app-desk.ts';
import { ServerFrame } from '../../src/api/contract/live.ts';
import { plainTask } from '../../src/core/task.ts';
import { openErrands } from '../../src/lib/errands.ts';
import { appendEvent } from '../../src/engine/append.ts';
import { fakeEnded } from '../../src/agents/fake.ts';
import { framesInJournal, journalFrames, openLive } from '../support/live-listener.ts';
import type { BrowserLogin, LivePlace } from '../support/live-listener.ts';
import { eventually } from '../support/scenario.ts';
import { serveScenario } from '../support/served.ts';
import type { ServedProject } from '../support/served.ts';
import { openSlowly } from '../support/slow-socket.ts';

type Served = AsyncDisposable & { readonly project: ServedProject; readonly place: LivePlace };

async function serve(): Promise<Served> {
  const project = await serveScenario({
    author: () => [fakeEnded('{}')],
    reviewer: () => [fakeEnded('{"passed":true,"summary":"Good."}')],
  });
  const place = { url: project.served.url, token: project.token };
  return { project, place, [Symbol.asyncDispose]: async () => await project[Symbol.asyncDispose]() };
}

/** A second server on the same project, whose live channel holds less. */
async function serveWith(project: ServedProject, limits: Partial<LiveLimits>): Promise<AsyncDisposable & { readonly place: LivePlace }> {
  const desk = openDesk(project.app, () => undefined);
  const broke = (error: unknown): void => assert.fail(String(error));
  const listening = await openServer({
    port: 0,
    token: project.token,
    agentToken: 'nobody’s',
    allowedHosts: [],
    revoked: { has: () => false, add: () => undefined },
    handlers: routesOf(desk, { version: 'test', startedAt: '', works: false, describe: describeApi('test') }),
    doors: [liveDoor(desk, { limits: { ...LIVE_LIMITS, ...limits }, broke })],
    errands: openErrands(),
    broke,
  });
  return {
    place: { url: listening.url, token: project.token },
    [Symbol.asyncDispose]: async () => await listening.close(),
  };
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

const BOTH = ['journal', 'review-loop'] as const;
const isHello = (frame: ServerFrame): frame is Extract<ServerFrame, { type: 'hello' }> => frame.type === 'hello';
const isSubscribed = (frame: ServerFrame): frame is Extract<ServerFrame, { type: 'subscribed' }> => frame.type === 'subscribed';
const isSnapshot = (frame: ServerFrame): frame is Extract<ServerFrame, { type: 'snapshot' }> => frame.type === 'snapshot';
const isError = (frame: ServerFrame): frame is Extract<ServerFrame, { type: 'error' }> => frame.type === 'error';

function isAtLeast(seq: number): (frame: ServerFrame) => boolean {
  return (frame) => 'seq' in frame && frame.seq >= seq && frame.type !== 'hello' && frame.type !== 'subscribed';
}

function seqs(frames: readonly ServerFrame[]): readonly number[] {
  return journalFrames(frames).flatMap((frame) => ('seq' in frame ? [frame.seq] : []));
}

async function lastSeq({ app }: ServedProject): Promise<number> {
  return (await app.engine.store.position()) * 8;
}

test('a client sees a whole loop as it goes on, each frame once, as the journal has it', async () => {
  await using served = await serve();
  const { project, place } = served;
  const client = openLive(place);
  const { seq } = await client.until('hello', isHello);
  client.send({ type: 'subscribe', topics: [...BOTH] });
  await client.until('subscribed', isSubscribed);
  const id = await makeLoop(project);
  await project.app.drive([id], new AbortController().signal);
  const { store } = project.app.engine;
  await client.until('the last frame', isAtLeast(await lastSeq(project)));
  const expected = await framesInJournal(store, { after: seq, topics: BOTH });
  assert.ok(expected.some(({ type }) => type === 'review-loop:state-changed'));
  assert.deepEqual(journalFrames(client.frames), expected);
  const { body } = await project.ask('GET', '/api/health');
  client.send({ type: 'ping' });
  const pong = await client.until('pong', (frame) => frame.type === 'pong');
  assert.equal(Object(pong).seq, Object(body).seq);
  client.close();
});

test('a client goes on behind any frame, in the middle of an entry too, with the topics and loops that it wants', async () => {
  await using served = await serve();
  const { project, place } = served;
  const ids = [await makeLoop(project), await makeLoop(project), await makeLoop(project)];
  await project.app.drive(ids, new AbortController().signal);
  const { store } = project.app.engine;
  const all = await framesInJournal(store, { after: 0, topics: BOTH });
  const afters = [0, ...all.map((frame) => ('seq' in frame ? frame.seq : 0))];
  const client = openLive(place);
  await client.until('hello', isHello);
  for (const [index, after] of afters.entries()) {
    const topics = index % 3 === 0 ? (['review-loop'] as const) : BOTH;
    const loops = index % 4 === 0 ? { loops: [1, 3] } : {};
    for (let times = 0; times < 2; times += 1) client.send({ type: 'subscribe', topics: [...topics], ...loops, after });
    const expected = await framesInJournal(store, { after, topics, ...loops });
    const got = await eventually('the frames', async () => {
      const answered = client.frames.filter(isSubscribed).length === 2 * (index + 1);
      const frames = journalFrames(client.frames.slice(client.frames.findLastIndex(isSubscribed)));
      return answered && frames.length >= expected.length && frames;
    });
    assert.deepEqual(got, expected, `after ${after}`);
  }
  client.close();
});

test('clients that come while the journal grows see each frame exactly once', async () => {
  await using served = await serve();
  const { project, place } = served;
  const ids = [await makeLoop(project), await makeLoop(project)];
  for (let count = 0; count < 150; count += 1) await warn(project, ids[count % 2] ?? 1, `before ${count}`);
  const clients: ReturnType<typeof openLive>[] = [];
  for (let count = 0; count < 150; count += 1) {
    await warn(project, ids[count % 2] ?? 1, `meanwhile ${count}`);
    if (count % 15 !== 0) continue;
    const client = openLive(place);
    client.send({ type: 'subscribe', topics: [...BOTH], after: count * 8 + (count % 7) });
    clients.push(client);
  }
  const until = await lastSeq(project);
  for (const [index, client] of clients.entries()) {
    await client.until('the last frame', isAtLeast(until));
    const after = index * 15 * 8 + ((index * 15) % 7);
    assert.deepEqual(journalFrames(client.frames), await framesInJournal(project.app.engine.store, { after, topics: BOTH }));
    client.close();
  }
});

test('a frame that cannot be read is answered with what is wrong, and after a few the socket is closed', async () => {
  await using served = await serve();
  const client = openLive(served.place);
  await client.until('hello', isHello);
  const bad = [
    '{',
    '[]',
    '{"type":"subscribe","topics":["everything"]}',
    '{"type":"subscribe","topics":["output"]}',
    '{"type":"ping","more":1}',
  ];
  for (const text of bad) client.send(text);
  await eventually('the answers', async () => client.frames.filter(isError).length === bad.length);
  for (const { code, message, remedy } of client.frames.filter(isError)) {
    assert.equal(code, 'bad-request');
    assert.match(`${message} ${remedy}`, /frame.*Send subscribe/);
  }
  assert.match(client.frames.filter(isError)[3]?.message ?? '', /^The frame needs the numbers of at most 50 loops/);
  client.send({ type: 'ping' });
  await client.until('pong', (frame) => frame.type === 'pong');
  client.send('once more');
  assert.equal((await client.closed).code, 1008);
});

test('a frame that is too large closes the socket', async () => {
  await using served = await serve();
  const client = openLive(served.place);
  await client.until('hello', isHello);
  client.send('x'.repeat(300_000));
  assert.ok([1006, 1009].includes((await client.closed).code));
});

test('whoever may not come in gets an error and no socket, and whoever asks without one is told', async () => {
  await using served = await serve();
  const { project, place } = served;
  const refused = async (headers: Readonly<Record<string, string>>): Promise<string> =>
    await new Promise((resolve, reject) => {
      const { port, host } = new URL(place.url);
      const socket = connect(Number(port), '127.0.0.1');
      const given = {
        Host: host,
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
        ...headers,
      };
      const lines = Object.entries(given).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`GET /api/live HTTP/1.1\r\n${lines.join('')}\r\n`);
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      socket.once('error', reject).once('close', () => resolve(text));
    });
  const bearer = { Authorization: `Bearer ${project.token}` };
  const cases = [
    [{}, 401, 'not-logged-in'],
    [{ Authorization: 'Bearer wrong' }, 401, 'not-logged-in'],
    [{ ...bearer, Origin: 'http://evil.example' }, 403, 'wrong-origin'],
    [{ ...bearer, Host: 'evil.example' }, 421, 'wrong-host'],
  ] as const;
  for (const [headers, status, code] of cases) {
    const text = await refused(headers);
    assert.match(text, new RegExp(`^HTTP/1\\.1 ${status} `));
    assert.match(text, new RegExp(`"code":"${code}"`));
    assert.doesNotMatch(text, /101 Switching/);
  }
  const { status, body } = await project.ask('GET', '/api/live');
  assert.deepEqual([status, Object(body).code], [400, 'bad-request']);
});

test('there are only so many clients, and one that leaves makes room', async () => {
  await using served = await serve();
  await using small = await serveWith(served.project, { clients: 2 });
  const [one, two] = [openLive(small.place), openLive(small.place)];
  await Promise.all([one.until('hello', isHello), two.until('hello', isHello)]);
  assert.equal((await openLive(small.place).closed).code, 1013);
  one.close();
  await one.closed;
  const next = openLive(small.place);
  await next.until('hello', isHello);
  for (const client of [two, next]) client.close();
});

test('a client that is too far behind gets the loops that changed in the place of the frames, and then goes on', async () => {
  await using served = await serve();
  const { project } = served;
  await using small = await serveWith(project, { entriesBehind: 20, snapshotLoops: 2 });
  const ids = [await makeLoop(project), await makeLoop(project), await makeLoop(project)];
  const first = (await lastSeq(project)) + 7;
  for (let count = 0; count < 30; count += 1) await warn(project, count % 2 === 0 ? 1 : 3, String(count));
  const at = (await lastSeq(project)) + 7;
  const behind = async (after: number, loops?: readonly number[]): Promise<number[] | null> => {
    const client = openLive(small.place);
    client.send({ type: 'subscribe', topics: [...BOTH], after, ...(loops === undefined ? {} : { loops: [...loops] }) });
    const snapshot = await client.until('snapshot', isSnapshot);
    assert.deepEqual([snapshot.seq, journalFrames(client.frames)], [at, []]);
    client.close();
    return snapshot.loops?.map(({ id }) => id) ?? null;
  };
  assert.deepEqual(await behind(first), [3, 1]);
  assert.deepEqual(await behind(first, [3, 2]), [3]);
  assert.equal(await behind(0), null, 'they are too many');
  assert.deepEqual(await behind(0, [2, 3]), [3, 2]);
  const client = openLive(small.place);
  client.send({ type: 'subscribe', topics: ['journal'], after: first });
  await client.until('snapshot', isSnapshot);
  await warn(project, ids[1] ?? 2, 'goes on');
  await client.until('what comes then', isAtLeast(at + 1));
  assert.deepEqual(journalFrames(client.frames), await framesInJournal(project.app.engine.store, { after: at, topics: ['journal'] }));
  client.close();
});

test('a client that knows more than the journal has is told to fetch everything anew', async () => {
  await using served = await serve();
  await makeLoop(served.project);
  const client = openLive(served.place);
  client.send({ type: 'subscribe', topics: [...BOTH], after: 80_000 });
  const { seq, loops } = await client.until('snapshot', isSnapshot);
  assert.deepEqual([seq, loops], [(await lastSeq(served.project)) + 7, null]);
  await warn(served.project, 1, 'goes on');
  await client.until('what comes then', isAtLeast(seq + 1));
  client.close();
});

/** A socket whose other end takes a little whenever somebody looks how much is left. */
function slowSocket(sent: ServerFrame[]): LiveSocket {
  let pending = 0;
  return {
    get bufferedAmount() {
      pending = Math.max(0, pending - 2000);
      return pending;
    },
    readyState: 1,
    send: (bytes) => {
      pending += bytes.length;
      sent.push(ServerFrame.parse(JSON.parse(bytes.toString('utf8'))));
    },
    ping: () => undefined,
    close: () => undefined,
    terminate: () => undefined,
    on: () => undefined,
  };
}

test('a client that takes little at a time, but goes on taking, misses nothing', async () => {
  await using served = await serve();
  const { project } = served;
  const id = await makeLoop(project);
  const after = (await lastSeq(project)) + 7;
  for (let count = 0; count < 30; count += 1) await warn(project, id, `${count} ${'x'.repeat(4000)}`);
  const limits = { ...LIVE_LIMITS, pendingBytes: 64 * 1024, patienceMs: 30 };
  const hub = new LiveHub(
    openDesk(project.app, () => undefined),
    limits,
    (error) => assert.fail(String(error)),
  );
  const sent: ServerFrame[] = [];
  const client = new LiveClient(slowSocket(sent), { tcp: new Socket(), login: null }, performance.now());
  client.subscribe({ topics: ['journal'] });
  client.cursor = after;
  await hub.open();
  hub.add(client);
  hub.catchUp(client);
  await eventually('it is live', async () => client.pace === 'live');
  assert.deepEqual(seqs(sent), seqs(await framesInJournal(project.app.engine.store, { after, topics: ['journal'] })));
  assert.ok(!sent.some(isSnapshot));
  hub.remove(client);
});

test('a client that takes nothing gets a snapshot when it does again, and is never sent more than a bound; the others see all', async () => {
  await using served = await serve();
  const { project } = served;
  await using small = await serveWith(project, { pendingBytes: 256 * 1024, patienceMs: 100 });
  const id = await makeLoop(project);
  const after = (await lastSeq(project)) + 7;
  const slow = await openSlowly(small.place, { type: 'subscribe', topics: ['journal'], after });
  const quick = openLive(served.place);
  quick.send({ type: 'subscribe', topics: ['journal'], after });
  await quick.until('subscribed', isSubscribed);
  // More than the buffers of both ends hold.
  for (let count = 0; count < 300; count += 1) await warn(project, id, `${count} ${'x'.repeat(40_000)}`);
  const until = await lastSeq(project);
  await quick.until('the last frame', isAtLeast(until));
  await new Promise((resolve) => setTimeout(resolve, 300));
  const frames = await slow.take(isSnapshot);
  const snapshot = frames.find(isSnapshot);
  assert.ok(snapshot);
  assert.deepEqual(
    snapshot.loops?.map((row) => row.id),
    [id],
  );
  const expected = await framesInJournal(project.app.engine.store, { after, topics: ['journal'] });
  assert.deepEqual(seqs(quick.frames), seqs(expected));
  const got = seqs(frames.slice(0, frames.indexOf(snapshot)));
  assert.ok(got.length > 0 && got.length < 300, `${got.length} frames`);
  assert.deepEqual(got, seqs(expected).slice(0, got.length));
  await warn(project, id, 'goes on');
  const later = (await slow.take(isAtLeast(until + 8))).slice(frames.indexOf(snapshot));
  assert.deepEqual(seqs(later), seqs(await framesInJournal(project.app.engine.store, { after: snapshot.seq, topics: ['journal'] })));
  slow.close();
  quick.close();
});

test('a client that gives no sign of life is given up', async () => {
  await using served = await serve();
  await using small = await serveWith(served.project, { clients: 1, pingMs: 30, deadMs: 200 });
  const dead = await openSlowly(small.place, { type: 'ping' });
  const alive = await eventually('room for another', async () => {
    const client = openLive(small.place);
    return await client.until('hello', isHello).then(
      () => client,
      () => null,
    );
  });
  dead.close();
  await new Promise((resolve) => setTimeout(resolve, 500));
  alive.send({ type: 'ping' });
  await alive.until('pong', (frame) => frame.type === 'pong');
  alive.close();
});

test('what agents say comes from their transcripts, whoever writes them, and goes on at any byte', async () => {
  await using served = await serve();
  const { project, place } = served;
  const id = await makeLoop(project);
  const folder = join(project.app.project.root, '.volley', 'transcripts');
  await mkdir(folder, { recursive: true });
  const path = (name: string): string => `.volley/transcripts/${name}`;
  await writeFile(join(folder, 'task-1-2-author.log'), 'said before\n');
  await writeFile(join(folder, 'task-2-2-author.log'), 'of another\n');
  const [now, all] = [openLive(place), openLive(place)];
  now.send({ type: 'subscribe', topics: ['output'], loops: [id] });
  all.send({ type: 'subscribe', topics: ['output'], loops: [id], outputAfter: { [path('task-1-2-author.log')]: 5 } });
  await Promise.all([now.until('subscribed', isSubscribed), all.until('subscribed', isSubscribed)]);
  const long = 'é€😀 long words\n'.repeat(10_000);
  const bytes = Buffer.from(long);
  for (let at = 0; at < bytes.length; at += 7001) await appendFile(join(folder, 'task-1-2-author.log'), bytes.subarray(at, at + 7001));
  await writeFile(join(folder, 'task-1-4-reviewer-2.log'), 'a reviewer\n');
  const said = (client: ReturnType<typeof openLive>, name: string): string =>
    client.frames.flatMap((frame) => (frame.type === 'output' && frame.transcript === path(name) ? [frame.text] : [])).join('');
  for (const [client, before] of [[now, ''] as const, [all, 'before\n'] as const]) {
    await eventually('all of it', async () => said(client, 'task-1-2-author.log').length >= before.length + long.length);
    await eventually('the reviewer', async () => said(client, 'task-1-4-reviewer-2.log') !== '');
    assert.equal(said(client, 'task-1-2-author.log'), before + long);
    assert.equal(said(client, 'task-1-4-reviewer-2.log'), 'a reviewer\n');
    let next = before === '' ? 12 : 5;
    for (const frame of client.frames) {
      if (frame.type !== 'output' || frame.transcript !== path('task-1-2-author.log')) continue;
      assert.deepEqual([frame.loop, frame.offset, frame.next - frame.offset], [id, next, Buffer.byteLength(frame.text)]);
      next = frame.next;
    }
    assert.equal(said(client, 'task-2-2-author.log'), '');
    client.close();
  }
});

test('the output of a real session is told while it works', async () => {
  await using project = await serveScenario({
    author: async function* () {
      yield { type: 'text', stream: 'stdout', text: 'I am thinking.\n' };
      await new Promise((resolve) => setTimeout(resolve, 400));
      yield fakeEnded('{}');
    },
  });
  const id = await makeLoop(project);
  const client = openLive({ url: project.served.url, token: project.token });
  client.send({ type: 'subscribe', topics: ['output', 'journal'], loops: [id], outputAfter: {} });
  await client.until('subscribed', isSubscribed);
  const driving = project.app.drive([id], new AbortController().signal);
  await client.until('what it thinks', (frame) => frame.type === 'output' && frame.text.includes('I am thinking.'));
  assert.ok(!client.frames.some((frame) => frame.type === 'event' && frame.payload.event.type === 'authored'));
  await driving;
  client.close();
});

/** A cookie as the server makes it, which ends when it is said, and the key of its page. */
function cookieFor({ url, token }: LivePlace, id: string, untilMs: number): BrowserLogin {
  const sign = (text: string): string => createHmac('sha256', token).update(text).digest('base64url');
  return { cookie: `volley-${new URL(url).port}=${id}.${untilMs}.${sign(`cookie ${id}.${untilMs}`)}`, page: sign(`page ${id}`) };
}

test('a socket ends when its cookie is taken back, and no other one does', async () => {
  await using served = await serve();
  const { place } = served;
  const [mine, others] = ['mine', 'others'].map((id) => cookieFor(place, id, Date.now() + 60_000));
  assert.ok(mine && others);
  const [first, second, other, program] = [openLive(place, mine), openLive(place, mine), openLive(place, others), openLive(place)];
  for (const client of [first, second, other, program]) await client.until('hello', isHello);
  const headers = { cookie: mine.cookie, origin: place.url, 'x-volley-page': mine.page };
  assert.equal((await fetch(`${place.url}/api/session`, { method: 'DELETE', headers })).status, 200);
  for (const client of [first, second]) assert.deepEqual(await client.closed, { code: 1008, reason: 'logged out' });
  assert.equal((await fetch(`${place.url}/api/health`, { headers })).status, 401);
  for (const client of [other, program]) {
    client.send({ type: 'ping' });
    await client.until('pong', ({ type }) => type === 'pong');
    client.close();
  }
});

test('a socket ends when the time of its cookie is over', async () => {
  await using served = await serve();
  await using short = await serveWith(served.project, { pingMs: 50 });
  const untilMs = Date.now() + 1500;
  const client = openLive(short.place, cookieFor(short.place, 'short', untilMs));
  await client.until('hello', isHello);
  assert.deepEqual(await client.closed, { code: 1008, reason: 'logged out' });
  assert.ok(Date.now() >= untilMs);
});

test('whoever follows with the key of a page sends it, and is told why when the cookie is taken back', async () => {
  await using served = await serve();
  const { place } = served;
  const login = cookieFor(place, 'follower', Date.now() + 60_000);
  // A browser adds these by itself.
  const browser = createServer((socket) => {
    const server = connect(Number(new URL(place.url).port), '127.0.0.1');
    socket.on('error', () => undefined).on('close', () => server.destroy());
    server.on('error', () => undefined).on('close', () => socket.destroy());
    const added = `\r\nHost: ${new URL(place.url).host}\r\nCookie: ${login.cookie}\r\nOrigin: ${place.url}\r\n`;
    socket.on('data', (bytes) => {
      const text = bytes.toString('latin1');
      const isRequest = /^[A-Z]+ \//.test(text);
      server.write(Buffer.from(isRequest ? text.replace(/\r\nhost: .*\r\n/i, added) : text, 'latin1'));
    });
    server.pipe(socket);
  });
  await new Promise<void>((resolve) => browser.listen(0, '127.0.0.1', resolve));
  const address = browser.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const { ask } = createClient({ url, page: login.page });
  await assert.rejects(async () => {
    for await (const frame of follow({ url, page: login.page, topics: ['journal'] })) if (frame.type === 'subscribed') await ask('logOut');
  }, /cookie is wrong or too old/);
  await assert.rejects(async () => await ask('health'), { status: 401 });
  browser.close();
});

test('a server that stops says so to its clients and does not wait for those that do not answer', async () => {
  const served = await serve();
  const client = openLive(served.place);
  await client.until('hello', isHello);
  const silent = await openSlowly(served.place, { type: 'subscribe', topics: ['journal'] });
  const startedMs = performance.now();
  await served[Symbol.asyncDispose]();
  assert.ok(performance.now() - startedMs < 5000);
  await client.closed;
  silent.close();
});
