import { mkdir, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { shellWord } from '../core/words.ts';
import { findExecutable } from '../lib/executable.ts';
import type { AgentInput, DriverPlace } from './agent.ts';
import type { Account } from './claude-login.ts';
import { readAccount } from './claude-login.ts';
import { renewHome } from './config-home.ts';
import { readResultFile } from './result-file.ts';
import { runsApart } from './runs-apart.ts';
import { threadsOf } from './threads.ts';

/**
 * Claude Code obeys much of what lies in its config folder: variables in `.claude.json`, settings, hooks, memory, snapshots of shells,
 * letters from other sessions. So each session gets a folder of its own, and nothing of it stays but what was said, kept where no
 * session can reach it. The lasting home holds the login alone.
 */

/** The name that Claude Code is told for the folder of a project's threads, whatever its path is. */
export const PROJECT = 'volley';

const PROGRAM = 'claude';
const SETTINGS = '.claude.json';

/** The home with the login of Volley's own. */
export function claudeHome({ homes }: DriverPlace): string {
  return join(homes, PROGRAM);
}

/** Makes the home ready for a session, and returns what must stay as it is in there. */
export async function readyHome(home: string): Promise<readonly string[]> {
  // What a person's login wrote is not written again: it could change in between.
  const files = (await readAccount(home)) === null ? { [SETTINGS]: '{}\n' } : {};
  await renewHome({ dir: home, files, clear: [] });
  return [join(home, SETTINGS)];
}

/** Makes the home ready for a person's login, which runs outside of any confinement: nothing stays that a session may have left. */
export async function cleanHome(home: string): Promise<void> {
  const account = await readAccount(home);
  const names = await readdir(home).catch(() => []);
  await renewHome({
    dir: home,
    files: { [SETTINGS]: `${JSON.stringify(account ?? {})}\n` },
    clear: names.filter((name) => name !== SETTINGS && name !== '.credentials.json'),
  });
}

/** Makes the config folder of one session, with the account that it works with, and the thread that it goes on with. */
export async function makeSessionHome(input: AgentInput, given: { place: DriverPlace; account: Account | null }): Promise<string> {
  const dir = sessionHome(input);
  await rm(dir, { recursive: true, force: true });
  for (const path of [join(dir, 'projects', PROJECT), userIn(dir), temporaryIn(dir)]) await mkdir(path, { recursive: true, mode: 0o700 });
  await writeFile(join(dir, SETTINGS), `${JSON.stringify({ ...given.account, hasCompletedOnboarding: true })}\n`, { mode: 0o600 });
  await writeFile(shellIn(dir), await shellProgram(input, await realpath(dir)), { mode: 0o700 });
  const thread = input.resume === null ? null : await threadsOf(given.place, PROGRAM).read(input.resume);
  if (input.resume !== null && thread !== null) await writeFile(threadIn(dir, input.resume), thread, { mode: 0o600 });
  return dir;
}

/** Keeps what a session said, so that it can go on some day. */
export async function keepThread(input: AgentInput, place: DriverPlace, id: string): Promise<void> {
  const file = threadIn(sessionHome(input), id);
  const [real, folder] = await Promise.all([file, dirname(input.resultFile)].map(async (path) => await realpath(path).catch(() => null)));
  // The session could have put a link in the way, to have us read what it may not.
  const isOwn = typeof folder === 'string' && real === threadIn(join(folder, PROGRAM), id);
  const { text } = isOwn ? await readResultFile(file) : { text: null };
  if (text !== null) await threadsOf(place, PROGRAM).keep(id, text);
}

/** Where the program lies in a session's folder that starts its commands. */
export function shellIn(dir: string): string {
  return join(dir, 'shell');
}

/** What a session that keeps its commands apart takes for its user's home and for a folder of temporary files: they cannot write it. */
export function userIn(dir: string): string {
  return join(dir, 'user');
}

/** Where a session and its commands leave files for each other. */
export function temporaryIn(dir: string): string {
  return join(dir, 'tmp');
}

/** The program through which Claude Code starts commands: they run without the keys, so that none is printed by accident. */
async function shellProgram(input: AgentInput, dir: string): Promise<string> {
  const apart = runsApart(input) ? await apartFrom(input, dir) : { variables: '', launcher: '' };
  return `#!/bin/sh
unset ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN CLAUDE_CODE_OAUTH_TOKEN
${apart.variables}exec ${apart.launcher}"\${SHELL:-/bin/bash}" -c "$1"
`;
}

/**
 * Where no namespace can be made, the command fails. Commands see the session's folder but cannot write it, because Claude Code starts
 * this program and obeys settings from there, outside of their namespace; in the one part that they write, their output is not theirs.
 */
async function apartFrom({ env }: AgentInput, dir: string): Promise<{ readonly variables: string; readonly launcher: string }> {
  const { path } = await findExecutable('bwrap', env['PATH'] ?? '');
  const variables = ['HOME', 'TMPDIR'].map((name) => {
    const value = env[name];
    return value === undefined ? `unset ${name}\n` : `export ${name}=${shellWord(value)}\n`;
  });
  const [own, shared] = [shellWord(dir), shellWord(temporaryIn(dir))];
  const output = `${shared}/claude-"$(id -u)"`;
  const mounts = `--dev-bind / / --ro-bind ${own} ${own} --bind ${shared} ${shared} --ro-bind-try ${output} ${output}`;
  return {
    variables: variables.join(''),
    launcher: `${shellWord(path ?? 'bwrap')} --unshare-user --cap-drop ALL --die-with-parent ${mounts} -- `,
  };
}

function sessionHome({ resultFile }: AgentInput): string {
  return join(dirname(resultFile), PROGRAM);
}

function threadIn(dir: string, id: string): string {
  return join(dir, 'projects', PROJECT, `${id}.jsonl`);
}
