import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentSpec } from '../core/settings.ts';
import { findExecutable, isLeftOut } from '../lib/executable.ts';
import { ulid } from '../lib/ids.ts';
import { runProcess } from '../lib/process.ts';

/** Where the program of a coding agent lies, and what comes before the driver's own arguments. */
export type CliPlace =
  | { readonly path: string; readonly args: readonly string[]; readonly problem: null }
  | { readonly path: null; readonly args: readonly string[]; readonly problem: string };

/** The program of a coding agent, with what it says of its version, or why it says nothing. */
export type Cli = Pick<CliPlace, 'path' | 'args'> & Answer;

const ANSWER_MS = 10_000;

type Answer = { readonly version: string | null; readonly problem: string | null };

/** Answers of this process; a program that was replaced is asked again. */
const answers = new Map<string, Promise<Answer>>();

/** The program that the agent's configuration names, else the one of this name in the search path. */
export async function locateCli(name: string, spec: Pick<AgentSpec, 'run'>, searchPath = userPath()): Promise<CliPlace> {
  const [program = name, ...args] = spec.run;
  return { ...(await findExecutable(program, searchPath)), args };
}

/** The program, and its version. */
export async function findCli(name: string, spec: Pick<AgentSpec, 'run'>, searchPath = userPath()): Promise<Cli> {
  const { path, args, problem } = await locateCli(name, spec, searchPath);
  if (path === null) return { path, args, version: null, problem };
  // A program that the repository brings is started by nobody but a held session.
  if (isLeftOut(path)) return { path, args, version: null, problem: null };
  const { mtimeMs } = await stat(path);
  const key = JSON.stringify([path, args, mtimeMs]);
  const known = answers.get(key) ?? askVersion([path, ...args], searchPath);
  answers.set(key, known);
  return { path, args, ...(await known) };
}

/** The version number in what a program answered to `--version`; null if there is none. */
export function versionIn(answer: string): string | null {
  return /\d{1,6}(?:\.\d{1,6}){1,3}(?:-[A-Za-z0-9.]{1,20})?/.exec(answer)?.[0] ?? null;
}

/** Started in an empty folder, which is also its home: a question must not make it read or write the user's settings. */
async function askVersion(argv: readonly string[], searchPath: string): Promise<Answer> {
  const dir = await mkdtemp(join(tmpdir(), 'volley-look-'));
  try {
    const end = await runProcess({
      argv: [...argv, '--version'],
      cwd: dir,
      env: { PATH: searchPath, HOME: dir, TMPDIR: tmpdir(), LANG: 'C.UTF-8', TERM: 'dumb', NO_COLOR: '1' },
      wallMs: ANSWER_MS,
      graceMs: 500,
      outputLimitBytes: 1024 * 1024,
      tailChars: 4096,
      marker: `look-${ulid(Date.now())}`,
    });
    const version = end.kind === 'exited' && end.code === 0 ? versionIn(end.output) : null;
    const why = end.kind === 'timed-out' ? `did not answer in ${ANSWER_MS / 1000} s` : 'gave no version';
    return { version, problem: version === null ? `${argv[0] ?? ''} --version ${why}.` : null };
  } finally {
    await rm(dir, { recursive: true, force: true, maxRetries: 3 });
  }
}

function userPath(): string {
  return process.env['PATH'] ?? '';
}
