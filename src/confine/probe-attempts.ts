import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../core/readers/coerce.ts';
import { nonce } from '../lib/ids.ts';
import { runProcess } from '../lib/process.ts';
import { bubblewrapConfinement } from './bubblewrap.ts';
import type { Variables } from './variables.ts';

/** What is tried inside of a sandbox, and whether it must succeed there. */
const EXPECTED = {
  'read its checkout': true,
  'write its checkout': true,
  'write its home': true,
  'write temporary files': true,
  'read a file outside': false,
  'write a file outside': false,
  'write a protected file': false,
  'read a hidden file': false,
  'reach a port of this machine': false,
  'reach a port of this machine through the proxy': false,
  'see processes of this machine': false,
} as const;
type Attempt = keyof typeof EXPECTED;

/** How a try went: `strong` if all went as it must, `weak` with what did not, `broken` if it never came to its end. */
export type Tried =
  | { readonly kind: 'strong' }
  | { readonly kind: 'weak'; readonly attempt: string; readonly expected: boolean }
  | { readonly kind: 'broken'; readonly said: string };

const WALL_MS = 60_000;
const NAMESPACES = ['pid', 'net', 'mnt', 'ipc'];

/** Runs inside. It gets its tasks as JSON and prints what it managed to do. */
const SCRIPT = `
const { appendFileSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, rmdirSync } = require('node:fs');
const { connect } = require('node:net');
const given = JSON.parse(process.argv[1]);
const can = (act) => { try { return act() !== false; } catch { return false; } };
const talk = (port, text) => new Promise((done) => {
  const socket = connect(port, '127.0.0.1', () => socket.write(text));
  socket.once('data', (bytes) => { socket.destroy(); done(String(bytes)); });
  socket.once('error', () => done('')).setTimeout(15000, () => { socket.destroy(); done(''); });
});
for (const path of ['file', given.outside, 'protected']) can(() => appendFileSync(path, 'more'));
const proxyPort = Number(new URL(process.env.HTTP_PROXY).port);
const tunnel = 'CONNECT 127.0.0.1:' + given.port + ' HTTP/1.1\\r\\n\\r\\n';
Promise.all([talk(given.port, 'x'), talk(proxyPort, tunnel)]).then(([direct, answer]) => console.log(JSON.stringify({
  'read its checkout': can(() => readFileSync('file', 'utf8').startsWith(given.word)),
  'write its home': can(() => appendFileSync(process.env.HOME + '/file', 'more')),
  'write temporary files': can(() => rmdirSync(mkdtempSync(process.env.TMPDIR + '/'))),
  'read a file outside': can(() => readFileSync(given.outside, 'utf8').includes(given.word)),
  'read a hidden file': can(() => readFileSync('hidden', 'utf8') !== ''),
  'reach a port of this machine': direct !== '',
  'reach a port of this machine through the proxy': !answer.startsWith('HTTP/1.1 403 '),
  'see processes of this machine': Object.entries(given.spaces).some(([name, id]) => readlinkSync('/proc/self/ns/' + name) === id)
    || readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).length > 6,
})));
`;

/** Makes a real sandbox and tries in it what must work and what must not. */
export async function tryBubblewrap(program: string, stateDir: string, user: Variables): Promise<Tried> {
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(stateDir, 'probe-'));
  const greeter = createServer((socket) => socket.on('error', () => undefined).end('hello'));
  try {
    greeter.listen(0, '127.0.0.1');
    await once(greeter, 'listening');
    return await tryIn(folder, portOf(greeter), { program, stateDir, user });
  } finally {
    greeter.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tryIn(
  folder: string,
  port: number,
  bubblewrap: { readonly program: string; readonly stateDir: string; readonly user: Variables },
): Promise<Tried> {
  const word = nonce();
  const [checkout, session, outside] = [join(folder, 'checkout'), join(folder, 'session'), join(folder, 'outside')];
  const [file, kept, hidden] = [join(checkout, 'file'), join(checkout, 'protected'), join(checkout, 'hidden')];
  for (const path of [checkout, session]) mkdirSync(path);
  for (const path of [outside, file, kept, hidden]) writeFileSync(path, word);
  const held = await bubblewrapConfinement(bubblewrap).hold(
    { cwd: checkout, env: {} },
    {
      role: 'author',
      passEnv: [],
      home: join(folder, 'home'),
      folder: session,
      read: [],
      write: [],
      protect: [kept],
      hide: [hidden],
      network: { mode: 'provider', hosts: [] },
    },
  );
  const spaces = Object.fromEntries(NAMESPACES.map((name) => [name, readlinkSync(`/proc/self/ns/${name}`)]));
  try {
    const end = await runProcess({
      argv: [...held.launcher, process.execPath, '-e', SCRIPT, JSON.stringify({ word, outside, port, spaces })],
      cwd: held.cwd,
      env: held.env,
      wallMs: WALL_MS,
      marker: `probe-${nonce()}`,
    });
    const isWritten = (path: string): boolean => readFileSync(path, 'utf8') !== word;
    // A folder of its own may stand where another one is outside; what counts is what really changed.
    const seen = {
      'write its checkout': isWritten(file),
      'write a file outside': isWritten(outside),
      'write a protected file': isWritten(kept),
    };
    return judge(end.kind === 'not-started' ? end.message : end.output, seen);
  } finally {
    await held.close();
  }
}

const Report = z.record(z.string(), z.boolean());

/** Only a report that names each attempt counts; a program that says nothing has shown nothing. */
function judge(output: string, seen: Readonly<Record<string, boolean>>): Tried {
  const told = readReport(output);
  if (told === null) return { kind: 'broken', said: output };
  const report = { ...told, ...seen };
  for (const [attempt, expected] of entries()) {
    if (report[attempt] !== expected) return { kind: 'weak', attempt, expected };
  }
  return { kind: 'strong' };
}

function entries(): [Attempt, boolean][] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- These are the keys of the table above.
  return Object.entries(EXPECTED) as [Attempt, boolean][];
}

function readReport(output: string): Readonly<Record<string, boolean>> | null {
  const line = output.split('\n').find((text) => text.startsWith('{'));
  const read = parseJson(line ?? '');
  return read.ok ? (Report.safeParse(read.value).data ?? null) : null;
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('a server that listens has an address');
  return address.port;
}
