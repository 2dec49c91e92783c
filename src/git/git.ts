import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { statSync } from 'node:fs';
import { devNull } from 'node:os';
import { delimiter } from 'node:path';
import { Readable } from 'node:stream';
import { VolleyError } from '../core/errors.ts';
import { absoluteFolders } from '../lib/executable.ts';
import { disarm } from './disarm.ts';
import { mendMirror } from './mend-mirror.ts';
import { watchStuck } from './stuck.ts';

/** The three folders that pin a git command to one repository, whatever files in a work tree claim. */
export type GitPlace = {
  readonly gitDir: string;
  readonly commonDir: string;
  readonly workTree: string | null;
  /** The user's own repository: its config is trusted and obeyed, apart from what we switch off. */
  readonly trusted: boolean;
  /** All that the config of a mirror may say; any other text is written over before git could obey it. */
  readonly config?: string;
};

/** How one git command runs. */
export type GitOptions = {
  readonly input?: string | Uint8Array;
  readonly indexFile?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly config?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly signal?: AbortSignal;
};

/** The oldest git that will do: `git cat-file --batch -z` and `git merge-tree --write-tree` came with it. */
export const OLDEST_GIT = '2.38';

/** What to do about a git that is missing or too old. */
export const INSTALL_GIT = `Install git ${OLDEST_GIT} or newer and see that it is in PATH.`;

/** What a git command gave back. */
export type GitResult = { readonly exitCode: number; readonly stdout: Buffer; readonly stderr: string };

/**
 * Whatever could run a program, or change what a command prints, is switched off in every call.
 * An empty `diff.external` makes a porcelain `git diff` fail, so pass `--no-ext-diff` or use plumbing.
 */
const HARDENED: readonly string[] = [
  'core.fsmonitor=false',
  `core.hooksPath=${devNull}`,
  // Newer gits know hooks in the config too, which a path to nowhere does not switch off.
  ...['post-checkout', 'post-index-change', 'pre-auto-gc', 'reference-transaction'].map((event) => `hook.${event}.enabled=false`),
  'core.quotePath=false',
  'core.pager=cat',
  'core.editor=false',
  'core.sshCommand=false',
  'core.askPass=',
  'core.alternateRefsCommand=true',
  'credential.helper=',
  'diff.external=',
  'diff.mnemonicPrefix=false',
  'diff.noprefix=false',
  `diff.orderFile=${devNull}`,
  'diff.suppressBlankEmpty=false',
  'diff.renameLimit=1000',
  'gc.auto=0',
  'maintenance.auto=false',
  ...['gpg.program', 'gpg.openpgp.program', 'gpg.ssh.program', 'gpg.x509.program'].map((key) => `${key}=false`),
  'log.showSignature=false',
  'commit.gpgSign=false',
  'i18n.commitEncoding=utf-8',
  'i18n.logOutputEncoding=utf-8',
  'submodule.recurse=false',
  'protocol.allow=never',
  'protocol.file.allow=always',
  'advice.detachedHead=false',
  'advice.graftFileDeprecated=false',
  'core.untrackedCache=false',
];

/** Runs git in a place and returns what it printed; a failure is an error that quotes git. */
export async function git(place: GitPlace, args: readonly string[], options: GitOptions = {}): Promise<string> {
  const result = await tryGit(place, args, options);
  if (result.exitCode !== 0) throw gitError(args, result);
  return result.stdout.toString('utf8');
}

/** Runs git in a place and returns how it ended, for commands whose failure is an answer. */
export async function tryGit(place: GitPlace, args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
  const ask = askIn(place, options);
  return await ask(args, await tame(place, ask));
}

/** Runs git in a place and gives what it prints piece by piece, no faster than it is read; whoever stops reading stops git. */
export async function* streamGit(
  place: GitPlace,
  args: readonly string[],
  options: GitOptions = {},
): AsyncGenerator<Buffer, void, undefined> {
  const env = { ...environment(place, options), ...(await tame(place, askIn(place, options))) };
  const launched = launch([...argsIn(place, options), ...args], env, { options, place });
  try {
    for await (const chunk of launched.stdout) yield chunk;
    const { exitCode, stderr } = await launched.ended();
    if (exitCode !== 0) throw gitError(args, { exitCode, stderr, stdout: Buffer.alloc(0) });
  } finally {
    launched.stop();
    launched.release();
  }
}

function askIn(place: GitPlace, options: GitOptions): Ask {
  return async (question, env) =>
    await run([...argsIn(place, options), ...question], { ...environment(place, options), ...env }, { options, place });
}

function argsIn(place: GitPlace, options: GitOptions): string[] {
  // Git takes its current folder for the work tree of any place with GIT_COMMON_DIR, and would obey attribute files in it.
  return [...(place.workTree === null ? ['--bare'] : []), ...configArgs(options.config)];
}

type Ask = (args: readonly string[], env: Readonly<Record<string, string>>) => Promise<GitResult>;

/** Sees that the config of a place which an agent could reach names no programs; gives what has to be added to the environment. */
async function tame(place: GitPlace, ask: Ask): Promise<Record<string, string>> {
  if (place.trusted) return {};
  if (place.config === undefined) return await disarm(place, async (args) => await ask(args, {}));
  await mendMirror(place);
  return {};
}

/** Runs git outside of any repository, to find one or to make one. */
export async function bareGit(args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
  return await run([...configArgs(options.config), ...args], { ...baseEnvironment(), ...options.env }, { options, place: null });
}

/** The error of a git command that should not have failed. */
export function gitError(args: readonly string[], result: GitResult): VolleyError {
  const said = result.stderr.trim().split('\n').slice(-3).join(' ') || `exit code ${result.exitCode}`;
  if (result.stderr.includes('No space left on device')) {
    return new VolleyError('disk-full', `git ${args[0] ?? ''} failed: the disk is full.`, 'Free some space, then try again.');
  }
  return new VolleyError(
    'git-failed',
    `git ${args[0] ?? ''} failed: ${said}`,
    'Check the repository with git fsck and git status, then try again.',
  );
}

function configArgs(extra: Readonly<Record<string, string>> = {}): string[] {
  const pairs = [...HARDENED, ...Object.entries(extra).map(([key, value]) => `${key}=${value}`)];
  return pairs.flatMap((pair) => ['-c', pair]);
}

function environment(place: GitPlace, options: GitOptions): Record<string, string> {
  return {
    ...baseEnvironment(),
    ...(place.trusted ? {} : { GIT_CONFIG_GLOBAL: devNull }),
    GIT_DIR: place.gitDir,
    GIT_COMMON_DIR: place.commonDir,
    ...(place.workTree === null ? {} : { GIT_WORK_TREE: place.workTree }),
    ...(options.indexFile === undefined ? {} : { GIT_INDEX_FILE: options.indexFile }),
    ...options.env,
  };
}

function baseEnvironment(): Record<string, string> {
  const inherited = ['PATH', 'HOME', 'USER', 'LOGNAME', 'TMPDIR', 'XDG_CONFIG_HOME', 'SYSTEMROOT'];
  const env: Record<string, string> = {};
  for (const name of inherited) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return {
    ...env,
    // A relative folder of it would be one of the place in which git works.
    PATH: absoluteFolders(env['PATH'] ?? '').join(delimiter),
    LC_ALL: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_ALLOW_PROTOCOL: 'file',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_GRAFT_FILE: devNull,
  };
}

type Running = { readonly options: GitOptions; readonly place: GitPlace | null };

async function run(args: readonly string[], env: Record<string, string>, running: Running): Promise<GitResult> {
  const launched = launch(args, env, running);
  try {
    const out: Buffer[] = [];
    launched.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    const { exitCode, stderr } = await launched.ended();
    return { exitCode, stdout: Buffer.concat(out), stderr };
  } finally {
    launched.release();
  }
}

/** A git that runs. */
type Launched = {
  readonly stdout: Readable;
  /** How it ended; throws if it never started or was stopped. */
  ended(): Promise<Pick<GitResult, 'exitCode' | 'stderr'>>;
  stop(): void;
  /** Lets go of what watched it. */
  release(): void;
};

function launch(args: readonly string[], env: Record<string, string>, { options, place }: Running): Launched {
  options.signal?.throwIfAborted();
  const input = options.input === undefined ? 'ignore' : 'pipe';
  // A group of its own, since git starts programs too (filters, the other end of a fetch), and no terminal to ask questions on.
  const child = spawn('git', args, { cwd: options.cwd ?? '/', env, stdio: [input, 'pipe', 'pipe'], detached: true });
  const stop = (): void => stopGroup(child);
  options.signal?.addEventListener('abort', stop, { once: true });
  const watch = place === null || place.trusted ? null : watchStuck(place, stop);
  const err: Buffer[] = [];
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
  // Git may close its input early (EPIPE); its exit code tells what that means.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(options.input);
  const closed = new Promise<number>((resolve, reject) => {
    child.once('error', (cause) => reject(notStarted(options.cwd).from(cause)));
    child.once('close', (code) => resolve(code ?? -1));
  });
  // Whoever stops reading does not ask how it ended.
  closed.catch(() => undefined);
  return {
    stdout: child.stdout ?? Readable.from([]),
    ended: async () => {
      const exitCode = await closed;
      options.signal?.throwIfAborted();
      watch?.throwIfStuck();
      return { exitCode, stderr: Buffer.concat(err).toString('utf8') };
    },
    stop,
    release: () => {
      watch?.end();
      options.signal?.removeEventListener('abort', stop);
    },
  };
}

/** A program cannot be started in a folder that is gone, and the system then blames the program. */
function notStarted(cwd: string | undefined): VolleyError {
  return cwd === undefined || statSync(cwd, { throwIfNoEntry: false })?.isDirectory() === true
    ? new VolleyError('git-failed', 'git could not be started.', INSTALL_GIT)
    : new VolleyError('not-accessible', `There is no folder ${cwd}.`, 'Change to a folder that exists and try again.');
}

function stopGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGTERM');
  } catch {
    // It ended in this very moment.
  }
}
