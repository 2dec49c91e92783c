import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { openSqliteStore } from '../src/store/sqlite.ts';
import type { Store } from '../src/store/store.ts';
import { makeCreated } from '../test/support/created.ts';
import type { BuiltPackage } from './built-package.ts';
import { median } from './median.ts';
import { judge } from './row.ts';
import type { Row } from './row.ts';
import { runForOutput } from './run-timed.ts';
import { makeSampleProject } from './sample-project.ts';

const CLIENTS = 200;
const EVENTS_PER_SECOND = 200;
const SECONDS = 5;
const TIMES = 3;
const LOOPS = 20;

const Answer = z.object({ p50: z.number(), p99: z.number(), missing: z.number(), snapshots: z.number(), sample: z.string() });
type Answer = z.infer<typeof Answer>;
const Listening = z.object({ url: z.string(), tokenFile: z.string().nullable() });

/** How old an event is when clients get it, while another process writes the journal; beside a bare fan-out of the same bytes. */
export async function measureLive(built: BuiltPackage): Promise<Row[]> {
  await using project = await makeSampleProject(1);
  const folder = join(project.repository.root, '.volley');
  await mkdir(folder, { recursive: true });
  const store = await openSqliteStore({ file: join(folder, 'volley.db'), backupDir: folder });
  for (let n = 0; n < LOOPS; n += 1) await store.transaction(async (tx) => await tx.create(makeCreated, new Date(0).toISOString()));
  const options = { cwd: project.repository.root, env: project.env };
  await using ours = await startServer([built.bin, 'serve', '--json', '--port', '0'], options);
  await using bare = await startServer([fileURLToPath(new URL('./bare-fan-out.ts', import.meta.url))], options);
  const token = (await readFile(ours.tokenFile ?? '', 'utf8')).trim();
  const [live, plain]: [Answer[], Answer[]] = [[], []];
  for (let turn = 0; turn < TIMES; turn += 1) {
    const answer = await listen({ url: `${ours.url}/api/live`, token }, async (stamp) => await append(store, stamp));
    live.push(answer);
    plain.push(await fanOut(bare.url, answer.sample));
  }
  const rssMb = Number(await runForOutput('ps', ['-o', 'rss=', '-p', String(ours.process.pid)], { cwd: '/' })) / 1024;
  await store.close();
  return rowsOf(live, plain, rssMb);
}

function rowsOf(live: readonly Answer[], plain: readonly Answer[], rssMb: number): Row[] {
  const row = `live, ${CLIENTS} clients, ${EVENTS_PER_SECOND} events/s`;
  const delivery = (share: 'p50' | 'p99'): Pick<Row, 'ours' | 'baseline'> => ({
    ours: { value: median(live.map((one) => one[share])), unit: 'ms' },
    baseline: { value: median(plain.map((one) => one[share])), unit: 'ms' },
  });
  const missing = live.reduce((sum, one) => sum + one.missing + one.snapshots, 0);
  return [
    judge({
      row: `${row}, p50`,
      ...delivery('p50'),
      budget: null,
      note: 'from before another process appends to the journal until a client has the frame; against a bare WebSocket fan-out of the same bytes',
    }),
    judge({
      row: `${row}, p99`,
      ...delivery('p99'),
      budget: { of: 'ours', bound: 'at most', limit: 1000 },
      note: 'the same; writer, server and clients share the machine',
    }),
    judge({
      row: 'live, frames that did not come',
      ours: { value: missing, unit: 'frames' },
      baseline: null,
      budget: { of: 'ours', bound: 'at most', limit: 0 },
      note: `of ${(CLIENTS * EVENTS_PER_SECOND * SECONDS * TIMES).toLocaleString('en')}; a snapshot in their place counts as one`,
    }),
    judge({
      row: 'live, memory of the server',
      ours: { value: rssMb, unit: 'MB' },
      baseline: null,
      budget: null,
      note: 'resident, after all of it; only shown',
    }),
  ];
}

type Server = AsyncDisposable & z.infer<typeof Listening> & { readonly process: ChildProcess };

async function startServer(
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<Server> {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [line = ''] = await linesOf(child, 1);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return {
    ...Listening.parse(JSON.parse(line)),
    process: child,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await ended;
    },
  };
}

/** Opens the clients, lets the events happen at their rate, and gives what the clients saw. */
async function listen(place: { readonly url: string; readonly token: string }, happen: (stamp: string) => Promise<void>): Promise<Answer> {
  const program = fileURLToPath(new URL('./live-clients.ts', import.meta.url));
  const events = EVENTS_PER_SECOND * SECONDS;
  const child = spawn(process.execPath, [program, place.url, String(CLIENTS), String(events)], {
    // Other processes can read arguments.
    env: { ...process.env, VOLLEY_TOKEN: place.token },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  await lines.next();
  const startedMs = performance.now();
  for (let n = 0; n < events; n += 1) {
    const dueMs = startedMs + (n * 1000) / EVENTS_PER_SECOND - performance.now();
    if (dueMs > 0) await delay(dueMs);
    await happen(process.hrtime.bigint().toString().padStart(20, '0'));
  }
  const { value } = await lines.next();
  return Answer.parse(JSON.parse(String(value)));
}

async function append(store: Store, stamp: string): Promise<void> {
  const id = 1 + (Number(stamp.slice(-6)) % LOOPS);
  const at = new Date().toISOString();
  await store.transaction(async (tx) => await tx.append(id, { type: 'warned', about: 'branch', text: `sent at ${stamp}` }, at));
}

async function fanOut(url: string, sample: string): Promise<Answer> {
  const speaker = new WebSocket(`${url.replace('http', 'ws')}/speak`);
  await new Promise((resolve) => speaker.addEventListener('open', resolve));
  const answer = await listen({ url: `${url}/listen`, token: '' }, async (stamp) => {
    speaker.send(sample.replace(/sent at \d+/, `sent at ${stamp}`));
  });
  speaker.close();
  return answer;
}

async function linesOf(child: ChildProcess, count: number): Promise<string[]> {
  const lines: string[] = [];
  if (child.stdout === null) return lines;
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (lines.length === count) break;
  }
  return lines;
}
