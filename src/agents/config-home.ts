import { chmod, lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { VolleyError } from '../core/errors.ts';
import { nonce } from '../lib/ids.ts';
import { takeLock, withLock } from '../lib/lock.ts';
import type { Lock } from '../lib/lock.ts';
import type { AgentEvent } from './agent.ts';
import { readResultFile } from './result-file.ts';

/** What a lasting config home has to hold, by paths below `dir`. */
export type HomePlan = {
  readonly dir: string;
  /** Settings files and their exact content; one that is right is left alone, because a session may be using it. */
  readonly files: Readonly<Record<string, string>>;
  /** What a session could leave to the next one, which is removed. */
  readonly clear: readonly string[];
};

/** Brings a config home into the state that a session, or a person's login, starts from. */
export async function renewHome({ dir, files, clear }: HomePlan): Promise<void> {
  await withLock(`${dir}.lock`, async () => {
    await makeHome(dir);
    for (const name of clear) await rm(join(dir, name), { recursive: true, force: true });
    for (const [name, text] of Object.entries(files)) await writeExactly(join(dir, name), text);
  });
}

/** The login in a config home: the file that the agent's own program keeps it in, and whether it has to be refreshed before it serves. */
export type StoredLogin = { readonly dir: string; readonly file: string; readonly isStale: (text: string | null) => boolean };

const WAIT_MS = 10 * 60_000;
const HOLD_MS = 60_000;
const LOOK_MS = 100;

/**
 * Runs a session with a login that is fresh. Agents refresh their login by themselves, and a token that serves to refresh one
 * may serve only once; so while it is stale, sessions start one after the other: each waits until the one before it has
 * changed the login, or has heard from its model.
 */
export async function* withFreshLogin(
  login: StoredLogin,
  session: () => AsyncIterable<AgentEvent>,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, void, undefined> {
  const turn = (await isStale(login)) ? await takeTurn(login, signal) : null;
  try {
    for await (const event of session()) {
      if (isFromModel(event)) turn?.pass();
      yield event;
    }
  } finally {
    turn?.pass();
    await turn?.passed;
  }
}

type Turn = { readonly pass: () => void; readonly passed: Promise<void> };

/** Null where nobody has to wait any more: the login is fresh, the session is cancelled, or it took too long, which is better than never. */
async function takeTurn(login: StoredLogin, signal: AbortSignal): Promise<Turn | null> {
  const lock = await takeLock(`${login.dir}.login.lock`, { waitMs: WAIT_MS, signal }).catch(() => null);
  if (lock === null) return null;
  if (await isStale(login)) return holdTurn(login, lock);
  await lock.release();
  return null;
}

function holdTurn(login: StoredLogin, lock: Lock): Turn {
  const over = new AbortController();
  const watch = async (): Promise<void> => {
    try {
      const before = await contentOf(login);
      const deadline = performance.now() + HOLD_MS;
      while (!over.signal.aborted && performance.now() < deadline) {
        await sleep(LOOK_MS, undefined, { signal: over.signal, ref: false }).catch(() => undefined);
        if ((await contentOf(login)) !== before) break;
      }
    } finally {
      await lock.release();
    }
  };
  return { pass: () => over.abort(), passed: watch() };
}

/** A login that sessions may have to write, and whether what they leave can be what its own program made of it. */
export type GuardedLogin = Pick<StoredLogin, 'dir' | 'file'> & { readonly mayFollow: (before: string, after: string) => boolean };

/**
 * Runs a session that can write the login, and puts back what was there if something else is left than its own program would leave.
 * The program refreshes the login before its model's first word, and commands run only after that: so what is there by then is kept.
 */
export async function* guardLogin(
  login: GuardedLogin,
  session: () => AsyncIterable<AgentEvent>,
): AsyncGenerator<AgentEvent, void, undefined> {
  let kept = await contentOf(login);
  let isHeard = false;
  try {
    for await (const event of session()) {
      if (!isHeard && isFromModel(event)) {
        isHeard = true;
        kept = lawful(login, kept, await contentOf(login));
      }
      yield event;
    }
  } finally {
    await putBack(login, kept);
  }
}

function lawful({ mayFollow }: GuardedLogin, before: string | null, after: string | null): string | null {
  return before !== null && after !== null && mayFollow(before, after) ? after : before;
}

async function putBack(login: GuardedLogin, kept: string | null): Promise<void> {
  if (kept === null) return;
  await withLock(`${login.dir}.lock`, async () => {
    const left = await contentOf(login);
    if (left === kept || lawful(login, kept, left) !== kept) return;
    await makeHome(login.dir);
    await writeExactly(join(login.dir, login.file), kept);
  });
}

function isFromModel(event: AgentEvent): boolean {
  return (
    event.type === 'tool' || event.type === 'usage' || event.type === 'limited' || (event.type === 'text' && event.stream === 'stdout')
  );
}

async function isStale(login: StoredLogin): Promise<boolean> {
  return login.isStale(await contentOf(login));
}

async function contentOf({ dir, file }: Pick<StoredLogin, 'dir' | 'file'>): Promise<string | null> {
  return (await readResultFile(join(dir, file))).text;
}

async function makeHome(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  if (!(await lstat(dir)).isDirectory()) {
    throw new VolleyError('bad-config', `${dir} is a link, not a folder of Volley's own.`, 'Remove it and log in again.');
  }
  await chmod(dir, 0o700);
}

async function writeExactly(path: string, text: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  // Nothing else may be opened: a pipe would never end.
  if (found?.isFile() === true && found.nlink === 1 && (await readFile(path, 'utf8')) === text) return;
  if (found?.isDirectory() === true) await rm(path, { recursive: true, force: true });
  const fresh = `${path}.${nonce()}`;
  await writeFile(fresh, text, { mode: 0o600, flag: 'wx' });
  await rename(fresh, path);
}
