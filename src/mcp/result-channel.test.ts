import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { callTool } from '../agents/fake-calls.ts';
import type { FakeCall } from '../agents/fake-calls.ts';
import { fakeAgent, fakeEnded, fakeInput } from '../agents/fake.ts';
import { closeInbox, openInbox } from '../engine/inbox.ts';
import type { Inbox, InboxSubject, ToolCall } from '../engine/inbox.ts';
import { runProcess } from '../lib/process.ts';
import type { ProcessEnd } from '../lib/process.ts';
import { serveInbox } from './result-channel.ts';
import type { ResultChannel } from './result-channel.ts';

const TOOL = 'set_loop_review_result';
const MIB = 1024 * 1024;
const ASK = line({ id: 7, method: 'tools/call', params: { name: TOOL, arguments: { loopId: '29', passed: true } } });

function line(message: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
}

let folder = '';
let count = 0;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'volley-mcp-'));
});
after(async () => await rm(folder, { recursive: true, force: true }));

type Served = { readonly inbox: Inbox; readonly channel: ResultChannel; readonly path: string };

async function serve(t: TestContext, change: Partial<InboxSubject> = {}): Promise<Served> {
  const inbox = openInbox({ role: 'reviewer', loopId: 29, round: 1, findingIds: [], ...change });
  const path = join(folder, `s${count++}`);
  const channel = await serveInbox(inbox, path);
  t.after(async () => await channel.close());
  return { inbox, channel, path };
}

async function connectAgent(
  t: TestContext,
  bridge: readonly string[],
  options: ConstructorParameters<typeof Client>[1] = {},
): Promise<Client> {
  const [command = '', ...args] = bridge;
  const client = new Client({ name: 'agent', version: '1' }, options);
  await client.connect(new StdioClientTransport({ command, args }));
  t.after(async () => await client.close());
  return client;
}

async function call(
  client: Client,
  input: Record<string, unknown>,
  name = TOOL,
): Promise<{ readonly isError: boolean; readonly text: string }> {
  const { isError, content } = await client.callTool({ name, arguments: input });
  const [first] = content;
  return { isError: isError === true, text: first?.type === 'text' ? first.text : '' };
}

async function connectRaw(t: TestContext, path: string): Promise<Socket> {
  const socket = connect(path);
  socket.on('error', () => undefined);
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

async function closeOf(socket: Socket): Promise<void> {
  await new Promise((resolve) => socket.once('close', resolve));
}

async function runBridge(argv: readonly string[], input: string): Promise<ProcessEnd> {
  return await runProcess({ argv, cwd: folder, env: {}, input, wallMs: 30_000, marker: `mcp-test-${process.pid}-${count++}` });
}

/** Runs a fake agent that makes these calls: what its stream shows of them, and the answers that it got. */
async function playCalls(bridge: readonly string[], calls: readonly FakeCall[]): Promise<{ shown: ToolCall[]; said: string[] }> {
  const agent = fakeAgent({
    name: 'fake',
    async *script(input) {
      for (const one of calls) yield* callTool(input, one);
      yield fakeEnded(null);
    },
  });
  const shown: ToolCall[] = [];
  const said: string[] = [];
  const input = fakeInput({ cwd: folder, bridge, marker: `mcp-fake-${process.pid}-${count++}` });
  for await (const event of agent.run(input, new AbortController().signal)) {
    if (event.type === 'tool') shown.push({ tool: event.name, arguments: event.input });
    if (event.type === 'text') said.push(event.text);
  }
  return { shown, said };
}

// It comes first: while the protocol is being loaded, the question and the end of the input wait together.
test('what was asked before the input ended is answered', async (t) => {
  const { path, inbox } = await serve(t);
  const socket = await connectRaw(t, path);
  socket.end(ASK);
  let answers = '';
  for await (const chunk of socket) answers += String(chunk);
  assert.match(answers, /"id":7/);
  assert.equal(inbox.calls.length, 1);
});

test('a reviewer sees its tool alone, corrects a malformed call, and its result is final', async (t) => {
  const { inbox, channel } = await serve(t);
  const client = await connectAgent(t, channel.bridge);
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name, inputSchema }) => [name, inputSchema.required]),
    [[TOOL, ['loopId', 'passed']]],
  );
  const refused = await call(client, { loopId: '29', passed: 'yes' });
  assert.equal(refused.isError, true);
  assert.match(refused.text, /^passed: /);
  const accepted = { loopId: '29', passed: false, issues: [{ file: 'a.ts', line: 1, description: 'wrong' }], extra: { kept: true } };
  assert.equal((await call(client, accepted)).isError, false);
  assert.deepEqual(await call(client, { loopId: '29', passed: true }), { isError: true, text: 'The result of this session is final.' });
  const report = closeInbox(
    inbox,
    inbox.calls.map((one) => ({ ...one, tool: `mcp__volley__${one.tool}` })),
  );
  assert.deepEqual(report.kind === 'result' ? JSON.parse(report.json) : report, accepted);
});

test('a client of the newest protocol revision is served as well', async (t) => {
  const { channel, inbox } = await serve(t);
  const client = await connectAgent(t, channel.bridge, { versionNegotiation: { mode: 'auto' } });
  assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28');
  assert.equal((await call(client, { loopId: '29', passed: true })).isError, false);
  assert.equal(inbox.calls.length, 1);
});

test('the tool of another role is refused, and the agent is told which one is its own', async (t) => {
  const { channel } = await serve(t, { role: 'fixer', findingIds: ['29.1'] });
  const client = await connectAgent(t, channel.bridge);
  assert.deepEqual(
    (await client.listTools()).tools.map(({ name }) => name),
    ['report_fix'],
  );
  assert.deepEqual(await call(client, { loopId: '29', passed: true }), {
    isError: true,
    text: "This session is the fixer's: call report_fix.",
  });
});

test('two connections reach the same inbox', async (t) => {
  const { channel } = await serve(t);
  const [first, second] = await Promise.all([connectAgent(t, channel.bridge), connectAgent(t, channel.bridge)]);
  assert.equal((await call(first, { loopId: 29, passed: true })).isError, false);
  await first.close();
  assert.equal((await call(second, { loopId: 29, passed: true })).text, 'The result of this session is final.');
});

test('a bridge whose input has ended brings the answers and goes', async (t) => {
  const { channel, inbox } = await serve(t);
  const end = await runBridge(channel.bridge, ASK);
  assert.match(end.output, /"id":7/);
  assert.deepEqual([end.kind, end.kind === 'exited' ? end.code : null], ['exited', 0]);
  assert.ok(end.durationMs < 4_000);
  assert.equal(inbox.calls.length, 1);
});

test('a result of several megabytes passes the bridge whole', async (t) => {
  const { channel, inbox } = await serve(t);
  const client = await connectAgent(t, channel.bridge);
  const summary = 'ü\n'.repeat(2 * MIB);
  assert.equal((await call(client, { loopId: '29', passed: true, summary })).isError, false);
  assert.deepEqual(inbox.calls[0]?.arguments, { loopId: '29', passed: true, summary });
});

test('garbage on the socket is passed over', async (t) => {
  const { path, inbox } = await serve(t);
  const socket = await connectRaw(t, path);
  const deep = `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"${TOOL}","arguments":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}}\n`;
  socket.write(Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0x0a]));
  socket.write(
    `{"jsonrpc":\nnull\n[]\n"x"\n{}\n${line({ id: 1, result: {} })}${line({ id: {}, method: 5 })}${line({ method: 'x', params: [1] })}${deep}`,
  );
  socket.write(line({ id: 9, method: 'tools/list' }));
  let answers = '';
  for await (const chunk of socket) {
    answers += String(chunk);
    if (answers.includes('"id":9')) break;
  }
  assert.match(answers, /"id":9/);
  assert.deepEqual(
    inbox.calls.map(({ accepted }) => accepted),
    [false],
  );
});

test('a line that is too long ends its connection, and no other', async (t) => {
  const { path, channel } = await serve(t);
  const client = await connectAgent(t, channel.bridge);
  const socket = await connectRaw(t, path);
  const closed = closeOf(socket);
  const part = Buffer.alloc(MIB, 'x');
  for (let sent = 0; sent < 20 && !socket.destroyed; sent++) {
    if (!socket.write(part)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
  }
  socket.resume();
  await closed;
  assert.equal((await call(client, { loopId: '29', passed: true })).isError, false);
});

test('the socket is for its owner alone, and gone with its connections once the channel is closed', async (t) => {
  const { path, channel, inbox } = await serve(t);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  const socket = await connectRaw(t, path);
  const closed = closeOf(socket.resume());
  await channel.close();
  await closed;
  assert.equal(existsSync(path), false);
  assert.equal(inbox.calls.length, 0);
});

test('nothing reaches the inbox once the channel is being closed', async (t) => {
  const inbox = openInbox({ role: 'reviewer', loopId: 29, round: 1, findingIds: [] });
  const path = join(folder, `s${count++}`);
  const closing: Promise<void>[] = [];
  const channel = await serveInbox(
    {
      ...inbox,
      submit: (one) => {
        closing.push(channel.close());
        return inbox.submit(one);
      },
    },
    path,
  );
  const socket = await connectRaw(t, path);
  const closed = closeOf(socket.resume());
  socket.write(ASK + ASK);
  await closed;
  await Promise.all(closing);
  assert.equal(inbox.calls.length, 1);
});

test('a path that is too long, or in a folder that others can enter, is replaced by a private one', async () => {
  const open = await mkdtemp(join(folder, 'open-'));
  await chmod(open, 0o755);
  const inbox = openInbox({ role: 'author', loopId: 1, round: 1, findingIds: [] });
  for (const path of [join(folder, 'x'.repeat(120)), join(open, 's')]) {
    const channel = await serveInbox(inbox, path);
    const socket = channel.bridge[2] ?? '';
    assert.notEqual(socket, path);
    assert.equal((await stat(dirname(socket))).mode & 0o777, 0o700);
    assert.ok((await stat(socket)).isSocket());
    await channel.close();
    assert.equal(existsSync(dirname(socket)), false);
  }
});

test('a bridge whose socket is not there says so in one line and fails', async (t) => {
  const { channel } = await serve(t);
  const [program = '', file = ''] = channel.bridge;
  const end = await runBridge([program, file, join(folder, 'nowhere')], '');
  assert.deepEqual([end.kind, end.kind === 'exited' ? end.code : null], ['exited', 1]);
  assert.match(end.output, /^The result channel \S+nowhere cannot be reached: [^\n]*\n$/);
});

test('a bridge ends when the channel does, although its input stays open', { timeout: 30_000 }, async (t) => {
  const { channel } = await serve(t);
  const [command = '', ...args] = channel.bridge;
  const transport = new StdioClientTransport({ command, args });
  const client = new Client({ name: 'agent', version: '1' });
  await client.connect(transport);
  await client.listTools();
  await channel.close();
  while (transport.pid !== null) await sleep(5);
});

test('the calls of a fake agent are its result, after a correction too', async (t) => {
  const { channel, inbox } = await serve(t);
  const { shown, said } = await playCalls(channel.bridge, [
    { tool: TOOL, arguments: { loopId: '29' } },
    { tool: TOOL, arguments: { loopId: '29', passed: true, summary: 'ü\n' } },
  ]);
  assert.match(said.join(''), /^passed: .*\nNothing was recorded.*\nThe result is recorded. It is final.\n$/);
  assert.deepEqual(closeInbox(inbox, shown), { kind: 'result', json: '{"loopId":"29","passed":true,"summary":"ü\\n"}' });
});

test('a call behind the back of the agent makes its result foreign', async (t) => {
  const { channel, inbox } = await serve(t);
  const { shown } = await playCalls(channel.bridge, [
    { tool: TOOL, arguments: { loopId: '29', passed: true }, show: false },
    { tool: TOOL, arguments: { loopId: '29', passed: false } },
  ]);
  assert.equal(inbox.calls.length, 2);
  assert.equal(closeInbox(inbox, shown).kind, 'foreign');
});
