import { readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { stateFolder } from './app-files.ts';
import { VolleyError } from './core/errors.ts';
import { jsonValue } from './core/parse-json.ts';
import { isAlive, thisProcess } from './dispatch/owner.ts';

/** A server that runs, as it wrote itself down. */
const Running = z.object({ pid: z.number(), startedAt: z.string(), host: z.string(), url: z.string() });
export type Running = z.infer<typeof Running>;

/** Where the server of a project keeps its tokens, and who it is. */
export function serverFiles(key: string): {
  readonly revoked: string;
  readonly folder: string;
  readonly token: string;
  readonly agentToken: string;
  readonly running: string;
  readonly lock: string;
} {
  const folder = join(stateFolder(key), 'server');
  return {
    folder,
    revoked: join(folder, 'revoked.json'),
    token: join(folder, 'token'),
    agentToken: join(folder, 'agent-token'),
    running: join(folder, 'running.json'),
    lock: join(folder, 'lock'),
  };
}

/** The living server of a project; null if there is none. */
export async function findRunning(key: string): Promise<Running | null> {
  const text = await readFile(serverFiles(key).running, 'utf8').catch(() => null);
  if (text === null) return null;
  // Half of it, written when the machine went down, is nobody's: whoever wrote it is gone.
  const parsed = Running.safeParse(jsonValue(text));
  // It listens on this machine or nowhere, also where the machine has another name by now.
  return parsed.success && (await isAlive({ ...parsed.data, host: hostname() })) ? parsed.data : null;
}

/** That a project has its server already. */
export function servedAlready({ pid, url }: Running): VolleyError {
  return new VolleyError('busy', `Process ${pid} serves this project already at ${url}.`, 'Use that one, or end it first.');
}

/** Writes down that this process serves a project; the result takes it back. */
export async function recordRunning(key: string, url: string): Promise<() => Promise<void>> {
  const { running } = serverFiles(key);
  await writeFile(running, JSON.stringify({ ...(await thisProcess()), url }), { mode: 0o600 });
  return async () => await rm(running, { force: true });
}

/** A new address of a server that runs, by which one browser gets in, once; behind it the same by the names of proxies. */
export async function newAddresses(key: string, { url }: Pick<Running, 'url'>): Promise<readonly string[]> {
  // One that is made now is not the one that the server knows.
  const token = await readFile(serverFiles(key).token, 'utf8').catch(() => null);
  if (token === null) throw tokenGone(url);
  const response = await fetch(`${url}/api/codes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token.trim()}` },
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch((error: unknown) => {
    throw silent(url).from(error);
  });
  if (response.status === 401) throw tokenGone(url);
  if (!response.ok) throw silent(url);
  const made = z.object({ url: z.string(), others: z.array(z.string()) }).parse(await response.json());
  return [made.url, ...made.others];
}

/** A server that is there but stopped, or busy beyond measure, must not hold anybody up. */
const ANSWER_MS = 5000;

function tokenGone(url: string): VolleyError {
  return new VolleyError(
    'busy',
    `The token file of the server at ${url} is gone, or is not the one that it was started with.`,
    'End its process, then start it again with volley serve.',
  );
}

function silent(url: string): VolleyError {
  return new VolleyError('busy', `The server at ${url} does not answer.`, 'End its process, then start it again with volley serve.');
}
