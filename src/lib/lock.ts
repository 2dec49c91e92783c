import { readFileSync } from 'node:fs';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nonce } from './ids.ts';
import { isRunning } from './process-tree.ts';

/** How long somebody waits for a lock, and what makes them give up before. */
export type LockWait = { readonly waitMs?: number; readonly signal?: AbortSignal };

/** A lock that is held. */
export type Lock = { release(): Promise<void> };

const WAIT_MS = 60_000;
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 200;

/** Does work that only one process of this machine may do at a time; the file at `path` is there while somebody does. */
export async function withLock<T>(path: string, work: () => Promise<T>, wait: LockWait = {}): Promise<T> {
  const lock = await takeLock(path, wait);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

/** Takes a lock, waiting for whoever holds it; one whose holder is gone is taken over. */
export async function takeLock(path: string, { waitMs = WAIT_MS, signal }: LockWait = {}): Promise<Lock> {
  await mkdir(dirname(path), { recursive: true });
  const mine = `${path}.${nonce()}`;
  await writeFile(mine, holderText(process.pid), { mode: 0o600, flag: 'wx' });
  try {
    const deadline = performance.now() + waitMs;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      signal?.throwIfAborted();
      if (await isLinked(mine, path)) return { release: async () => await rm(path, { force: true }) };
      if (performance.now() > deadline) throw new Error(`${path} is held by another process for too long`);
      if (await isAbandoned(path))
        await clearAway(path, { waitMs: deadline - performance.now(), ...(signal === undefined ? {} : { signal }) });
      else await sleep(pauseMs * (0.5 + Math.random() / 2));
    }
  } finally {
    await rm(mine, { force: true });
  }
}

/** A link is made or not made, and shows the whole content at once: nobody ever sees a lock without its holder. */
async function isLinked(mine: string, path: string): Promise<boolean> {
  try {
    await link(mine, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Only one at a time may remove what a dead process left, else the second would remove the lock that the first took after it. */
async function clearAway(path: string, wait: LockWait): Promise<void> {
  await withLock(
    `${path}.gone`,
    async () => {
      if (await isAbandoned(path)) await rm(path, { force: true });
    },
    wait,
  );
}

async function isAbandoned(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return false;
  const [, pid = '', start = ''] = /^(\d+) (.*)\n$/.exec(text) ?? [];
  // The number of a process is given to another one sooner or later, so its start must fit too.
  return pid === '' || !isRunning(Number(pid)) || startOf(Number(pid)) !== start;
}

function holderText(pid: number): string {
  return `${pid} ${startOf(pid)}\n`;
}

/** When a process started, in ticks since this machine did; empty where there is no /proc. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may hold anything, so the fields are counted from its end.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    // Gone meanwhile, or not Linux.
    return '';
  }
}
