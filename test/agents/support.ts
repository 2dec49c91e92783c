import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import type { Agent, AgentEvent, AgentInput } from '../../src/agents/agent.ts';
import { fakeInput } from '../../src/agents/fake.ts';
import { priceOf } from '../../src/agents/prices.ts';
import { bubblewrapConfinement } from '../../src/confine/bubblewrap.ts';
import { joinAccess } from '../../src/core/access.ts';
import type { AgentSpec } from '../../src/core/settings.ts';
import { closeInbox, openInbox } from '../../src/engine/inbox.ts';
import type { InboxReport } from '../../src/engine/inbox.ts';
import { openSessionMeter } from '../../src/engine/session-meter.ts';
import type { Metered } from '../../src/engine/session-meter.ts';
import { findExecutable } from '../../src/lib/executable.ts';
import { serveInbox } from '../../src/mcp/result-channel.ts';
import { makeRepository } from '../support/repository.ts';
import type { Files, TestRepository } from '../support/repository.ts';

/** Where a real agent works in a test: a checkout, config homes, and a folder for each session. */
export type Room = AsyncDisposable & {
  readonly repository: TestRepository;
  readonly homes: string;
  /** The home of a person who has settings of their own, which nobody may read. */
  readonly person: string;
  /** What a session is started with; each call begins another session. */
  session(change: Partial<AgentInput>): Promise<AgentInput>;
};

let sessions = 0;

/** Makes a room with a repository of these files. */
export async function makeRoom(files: Files = { 'src.js': 'one\ntwo\n' }): Promise<Room> {
  const repository = await makeRepository({ files });
  const [homes, person] = [join(repository.beside, 'homes'), join(repository.beside, 'person')];
  await Promise.all([homes, person].map(async (folder) => await mkdir(folder)));
  return {
    repository,
    homes,
    person,
    async session(change) {
      const marker = `agents-${process.pid}-${sessions++}`;
      const folder = join(repository.beside, marker);
      await mkdir(folder, { mode: 0o700 });
      const env = { PATH: process.env['PATH'] ?? '', HOME: person, LANG: 'C.UTF-8', ...change.env };
      const limits = { wallMs: 180_000, idleMs: 120_000 };
      return fakeInput({ cwd: repository.root, resultFile: join(folder, 'result'), marker, task: 29, ...limits, ...change, env });
    },
    [Symbol.asyncDispose]: async () => await repository[Symbol.asyncDispose](),
  };
}

/** The path of a real agent's program, which `npm run test:agents` fetches. */
export function programOf(variable: 'VOLLEY_CLAUDE' | 'VOLLEY_CODEX'): string {
  const path = process.env[variable] ?? '';
  if (path === '') throw new Error(`${variable} names no program. Run npm run test:agents.`);
  return path;
}

/** Runs a session as the engine does, and gives all that it told; exactly one last event comes, at the end. */
export async function play(
  agent: Agent,
  input: AgentInput,
  options: { readonly signal?: AbortSignal; readonly onEvent?: (event: AgentEvent) => void } = {},
): Promise<readonly AgentEvent[]> {
  await agent.needs();
  const events: AgentEvent[] = [];
  for await (const event of agent.run(input, options.signal ?? new AbortController().signal)) {
    events.push(event);
    options.onEvent?.(event);
  }
  assert.deepEqual(events.map(isLast).indexOf(true), events.length - 1, 'one last event, at the end');
  return events;
}

/** Runs a session with a result channel, and gives what came by it too. */
export async function playWithChannel(
  agent: Agent,
  input: AgentInput,
): Promise<{ readonly events: readonly AgentEvent[]; readonly report: InboxReport }> {
  const inbox = openInbox({ role: input.role, loopId: input.task, round: input.round, findingIds: [] });
  const channel = await serveInbox(inbox, `${input.resultFile}.sock`);
  try {
    const events = await play(agent, { ...input, report: 'mcp', bridge: channel.bridge });
    const shown = events.flatMap((event) => (event.type === 'tool' ? [{ tool: event.name, arguments: event.input }] : []));
    return { events, report: closeInbox(inbox, shown) };
  } finally {
    await channel.close();
  }
}

/** Runs a session held by the operating system, as the engine does; it reaches the hosts of its provider alone. */
export async function playHeld(agent: Agent, room: Room, input: AgentInput): Promise<readonly AgentEvent[]> {
  const program = (await findExecutable('bwrap', process.env['PATH'] ?? '')).path;
  assert.ok(program !== null, 'bubblewrap is missing');
  const user = { ...process.env, ...input.env };
  const confinement = bubblewrapConfinement({ program, stateDir: join(room.repository.beside, 'state'), user });
  const needs = await agent.needs();
  const looks = input.role === 'reviewer' || input.role === 'arbiter';
  const held = await confinement.hold(
    { cwd: input.cwd, env: {} },
    {
      role: input.role,
      passEnv: agent.spec.env,
      home: join(room.repository.beside, 'project-home'),
      folder: dirname(input.resultFile),
      network: { mode: 'provider', hosts: needs.hosts },
      ...joinAccess({ read: [input.cwd], write: looks ? [] : [input.cwd] }, needs),
    },
  );
  try {
    return await play(agent, { ...input, ...held, held: true });
  } finally {
    await held.close();
  }
}

/** The last event of a session. */
export function endOf(events: readonly AgentEvent[]): Extract<AgentEvent, { type: 'ended' | 'failed' }> {
  const last = events.at(-1);
  assert.ok(last !== undefined && (last.type === 'ended' || last.type === 'failed'));
  return last;
}

/** The last event of a session that went well. */
export function endedOf(events: readonly AgentEvent[]): Extract<AgentEvent, { type: 'ended' }> {
  const last = endOf(events);
  assert.ok(last.type === 'ended', last.type === 'failed' ? `${last.reason}: ${last.message}` : '');
  return last;
}

/** The last event of a session that failed. */
export function failureOf(events: readonly AgentEvent[]): Extract<AgentEvent, { type: 'failed' }> {
  const last = endOf(events);
  assert.ok(last.type === 'failed', 'it went well');
  return last;
}

/** All events of one kind. */
export function all<T extends AgentEvent['type']>(events: readonly AgentEvent[], type: T): readonly Extract<AgentEvent, { type: T }>[] {
  return events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
}

/** What a session cost by the published prices, as the engine counts it. */
export async function meteredOf(spec: AgentSpec, events: readonly AgentEvent[]): Promise<Metered> {
  const price = async (model: string | null, usage: Parameters<typeof priceOf>[1]): Promise<number | null> =>
    await priceOf(model, usage, null);
  const meter = openSessionMeter({ spec, reservedUsd: null, price });
  for (const event of events) await meter.take(event);
  return await meter.close(null);
}

/** A proxy that lets nobody through, and remembers who wanted to go where. */
export async function startOthers(): Promise<AsyncDisposable & { readonly url: string; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(403).end();
  });
  server.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://127.0.0.1:${address.port}`, asked, [Symbol.asyncDispose]: close };
}

function isLast(event: AgentEvent): boolean {
  return event.type === 'ended' || event.type === 'failed';
}
