import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { DRIVERS, rolesOf } from './agents/index.ts';
import { KNOWN_AGENTS, versionIn } from './config/known-agents.ts';
import type { KnownAgent } from './config/known-agents.ts';
import { plainAgent } from './core/settings.ts';
import type { Role } from './core/settings.ts';
import { absoluteFolders, findExecutable } from './lib/executable.ts';
import { ulid } from './lib/ids.ts';
import { runProcess } from './lib/process.ts';

/** An agent that was found on this machine. */
export type FoundAgent = {
  readonly name: string;
  readonly title: string;
  readonly version: string | null;
  /** What it can be in a loop; nothing where there is no driver for it. */
  readonly roles: readonly Role[];
  /** Whether it comes with Volley. */
  readonly own: boolean;
  /** Whether this version of Volley can run it. */
  readonly usable: boolean;
  /** Why it did not say its version, or cannot be used; null if all is well. */
  readonly problem: string | null;
};

const ANSWER_MS = 5_000;

/** The agents of this machine: coding agents in PATH, and what Volley brings itself. `workTree` is left out of PATH: a clone may bring programs. */
export async function findAgents(workTree: string): Promise<readonly FoundAgent[]> {
  const folders = absoluteFolders(process.env['PATH'] ?? '').filter((folder) => !`${folder}/`.startsWith(`${workTree}/`));
  const dir = await mkdtemp(join(tmpdir(), 'volley-look-'));
  try {
    const asked = KNOWN_AGENTS.map(async (agent) => await askVersion(agent, folders.join(delimiter), dir));
    // A command is no agent until somebody names its program.
    const brought = DRIVERS.filter(({ id }) => id !== 'command' && !KNOWN_AGENTS.some(({ driver }) => driver === id));
    const own = brought.map(async (driver): Promise<FoundAgent> => {
      const { available, version, problem } = await driver.create(plainAgent({ name: driver.id, driver: driver.id })).detect();
      return { name: driver.id, title: driver.id, version, roles: driver.roles, own: true, usable: available, problem };
    });
    return (await Promise.all([...asked, ...own])).filter((agent) => agent !== null);
  } finally {
    await rm(dir, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Started in an empty folder, which is also its home: a question must not make it read or write the user's settings. */
async function askVersion({ driver, title, program }: KnownAgent, searchPath: string, dir: string): Promise<FoundAgent | null> {
  const { path } = await findExecutable(program, searchPath);
  if (path === null) return null;
  const end = await runProcess({
    argv: [path, '--version'],
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
  const problem = version === null ? `${program} --version ${why}` : null;
  const roles = rolesOf(driver);
  return { name: driver, title, version, roles, own: false, usable: roles.length > 0, problem };
}
