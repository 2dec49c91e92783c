import { mkdir, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AgentInput, DriverPlace } from './agent.ts';
import { AUTH_FILE } from './codex-login.ts';
import { answerSchema } from './codex-schema.ts';
import { findRecord } from './codex-record.ts';
import { renewHome } from './config-home.ts';
import { readResultFile } from './result-file.ts';
import { threadsOf } from './threads.ts';

/**
 * Codex obeys much of what lies in its home: variables in `.env`, settings, instructions, skills, rules, hooks. So each session gets a
 * home of its own, and nothing of it stays but the record of its thread, kept where no session can reach it. The lasting home holds the
 * login alone.
 */

const DRIVER = 'codex';

/** The home with the login of Volley's own. */
export function codexHome({ homes }: DriverPlace): string {
  return join(homes, DRIVER);
}

/** Makes the lasting home ready for a person's login, which runs outside of any confinement: nothing else stays in there. */
export async function cleanHome(home: string): Promise<void> {
  const names = await readdir(home).catch(() => []);
  const files = { 'config.toml': 'cli_auth_credentials_store = "file"\n' };
  await renewHome({ dir: home, files, clear: names.filter((name) => name !== AUTH_FILE && !(name in files)) });
}

/** The folders and files that a session has for itself alone. */
export type SessionHome = {
  readonly home: string;
  /** What Codex takes for the home of its user, in which it would find settings too. */
  readonly user: string;
  /** Not around its home: Codex cannot hold itself if that lies among temporary files. */
  readonly tmp: string;
  /** The schema of the last message; null where it may say anything. */
  readonly schemaFile: string | null;
};

/** Makes the home of a session, with the login if it needs that, and with the thread that it goes on with. */
export async function makeSessionHome(input: AgentInput, given: { place: DriverPlace; usesLogin: boolean }): Promise<SessionHome> {
  const folder = join(dirname(input.resultFile), 'codex');
  await rm(folder, { recursive: true, force: true });
  const own = async (name: string): Promise<string> => {
    await mkdir(join(folder, name), { recursive: true, mode: 0o700 });
    return join(folder, name);
  };
  const [home, user, tmp] = [await own('home'), await own('user'), await own('tmp')];
  // Codex writes through the link when it refreshes the login, so that all sessions share the new one.
  if (given.usesLogin) await symlink(join(codexHome(given.place), AUTH_FILE), join(home, AUTH_FILE));
  if (input.resume !== null) await writeRecord(home, input.resume, await readThread(given.place, input.resume));
  const schemaFile = input.report === 'structured' ? join(folder, 'schema.json') : null;
  if (schemaFile !== null) await writeFile(schemaFile, JSON.stringify(answerSchema(input.role)));
  return { home, user, tmp, schemaFile };
}

/** What is kept of a thread; null where it is none of ours, or too old. */
export async function readThread(place: DriverPlace, id: string): Promise<string | null> {
  return await threadsOf(place, DRIVER).read(id);
}

/** Keeps the record of a session's thread, so that it can go on some day. */
export async function keepThread({ home }: SessionHome, place: DriverPlace, id: string): Promise<void> {
  const path = await findRecord(home, id);
  // The session could have put a link in the way, to have us read what it may not.
  if (path === null || (await realpath(path).catch(() => null)) !== path.replace(home, await realpath(home))) return;
  const { text } = await readResultFile(path);
  if (text !== null) await threadsOf(place, DRIVER).keep(id, text);
}

/** Codex finds a thread by its id, whatever the day in the path. */
async function writeRecord(home: string, id: string, text: string | null): Promise<void> {
  if (text === null) return;
  const folder = join(home, 'sessions', '2000', '01', '01');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, `rollout-2000-01-01T00-00-00-${id}.jsonl`), text, { mode: 0o600 });
}
