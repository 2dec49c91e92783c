import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { BuiltPackage } from './built-package.ts';
import { fillJournal, TASKS } from './many-tasks.ts';
import { alternate } from './median.ts';
import { judge } from './row.ts';
import type { Row } from './row.ts';
import { makeSampleProject } from './sample-project.ts';

const TIMES = 60;
const PAGE = 50;
const MOST_MS = 10;

const Listening = z.object({ type: z.literal('listening'), url: z.string(), tokenFile: z.string() });
const Listed = z.object({ loops: z.array(z.unknown()), total: z.number(), counts: z.object({ needsYou: z.number() }) });

/** What is asked of the server, and the bare queries that find the same: the rows, how many there are in each state, and a further count. */
const ASKED = [
  {
    what: `a page of ${PAGE}, with all counts`,
    query: `limit=${PAGE}`,
    bare: [
      `SELECT loops.*, jobs.* FROM loops LEFT JOIN jobs ON jobs.loop_id = loops.id ORDER BY number DESC LIMIT ${PAGE + 1}`,
      'SELECT state, count(*) AS loops FROM loops GROUP BY state',
      'SELECT count(*) FROM loops WHERE needs_you = 1',
    ],
  },
  {
    what: 'filtered by state and words',
    query: `limit=${PAGE}&state=approved,failed&q=greeting+7`,
    bare: [
      `SELECT loops.*, jobs.* FROM loops LEFT JOIN jobs ON jobs.loop_id = loops.id WHERE state IN ('approved', 'failed') AND instr(words, 'greeting') > 0 AND (instr(words, '7') > 0 OR number = 7) ORDER BY number DESC LIMIT ${PAGE + 1}`,
      "SELECT state, count(*) AS loops FROM loops WHERE state IN ('approved', 'failed') AND instr(words, 'greeting') > 0 AND (instr(words, '7') > 0 OR number = 7) GROUP BY state",
      "SELECT state, count(*) AS loops FROM loops WHERE instr(words, 'greeting') > 0 AND (instr(words, '7') > 0 OR number = 7) GROUP BY state",
    ],
  },
  {
    what: 'those that need somebody',
    query: `limit=${PAGE}&needsYou=true&sort=updated`,
    bare: [
      `SELECT loops.*, jobs.* FROM loops LEFT JOIN jobs ON jobs.loop_id = loops.id WHERE needs_you = 1 ORDER BY updated_at DESC, number DESC LIMIT ${PAGE + 1}`,
      'SELECT state, count(*) AS loops FROM loops WHERE needs_you = 1 GROUP BY state',
      'SELECT state, count(*) AS loops FROM loops GROUP BY state',
    ],
  },
];

/** The board of a project with many tasks over HTTP, beside bare queries for the same rows and counts. */
export async function measureBoard(built: BuiltPackage): Promise<Row[]> {
  await using project = await makeSampleProject(1);
  const { root } = project.repository;
  await fillJournal(join(root, '.volley'));
  const db = new DatabaseSync(join(root, '.volley', 'volley.db'));
  db.exec(`
    UPDATE loops SET title = 'Add greeting ' || number, words = 'add greeting ' || number, updated_at = strftime('%FT%TZ', number, 'unixepoch');
    UPDATE loops SET state = 'needs_human', needs_you = 1, choices = 'fix-manually,accept,cancel' WHERE number % 100 = 0;
  `);
  const server = spawn(process.execPath, [built.bin, 'serve', '--json', '--port', '0'], {
    cwd: root,
    env: project.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const lines = createInterface({ input: server.stdout });
    const first = await new Promise<string>((resolve) => lines.once('line', resolve));
    const { url, tokenFile } = Listening.parse(JSON.parse(first));
    const token = (await readFile(tokenFile, 'utf8')).trim();
    const rows: Row[] = [];
    for (const asked of ASKED) rows.push(await measure(asked, { url, token, db }));
    return rows;
  } finally {
    db.close();
    server.kill();
    await new Promise((resolve) => server.once('close', resolve));
  }
}

type Served = { readonly url: string; readonly token: string; readonly db: DatabaseSync };

async function measure({ what, query, bare }: (typeof ASKED)[number], { url, token, db }: Served): Promise<Row> {
  const ask = async (): Promise<unknown> =>
    await (await fetch(`${url}/api/loops?${query}`, { headers: { authorization: `Bearer ${token}` } })).json();
  const found = Listed.parse(await ask());
  const statements = bare.map((sql) => db.prepare(sql));
  const counts = z.array(z.object({ loops: z.number() })).parse(statements[1]?.all());
  const total = counts.reduce((sum, { loops }) => sum + loops, 0);
  if (found.total !== total || found.loops.length !== PAGE) throw new Error(`${query} found ${found.total} of ${total} loops`);
  const [ours = 0, baseline = 0] = await alternate(TIMES, [
    async () => await timed(ask),
    async () => await timed(async () => await Promise.resolve(JSON.stringify(statements.map((statement) => statement.all())))),
  ]);
  return judge({
    row: `board of ${TASKS.toLocaleString('en')} loops, ${what}`,
    ours: { value: ours, unit: 'ms' },
    baseline: { value: baseline, unit: 'ms' },
    budget: { of: 'ours', bound: 'at most', limit: MOST_MS },
    note: 'volley serve of the built package over HTTP; against bare SELECTs of the same rows and counts in this process',
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
