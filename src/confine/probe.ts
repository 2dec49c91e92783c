import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { findExecutable } from '../lib/executable.ts';
import { nonce, sha256 } from '../lib/ids.ts';
import { adviceFor, adviceForPlatform, NOT_INSTALLED } from './probe-advice.ts';
import type { Advice, Machine } from './probe-advice.ts';
import { tryBubblewrap } from './probe-attempts.ts';
import type { Tried } from './probe-attempts.ts';
import { searchFolders } from './environment.ts';
import type { Variables } from './variables.ts';

/** The strictest level that was seen to hold on this machine. */
export type Probed = { readonly level: 'os'; readonly program: string } | ({ readonly level: 'copy' } & Advice);

/** Whose machine is looked at; left out, it is this one. */
export type ProbeOptions = { readonly user?: Variables; readonly platform?: string };

/** Raised whenever a sandbox is made in another way, so that an old answer does not stand for it. */
const VERSION = 3;
/** What failed may work a moment later, once somebody has followed the advice. */
const FAILURE_LASTS_MS = 60_000;

const Remembered = z.object({
  key: z.string(),
  at: z.number(),
  problem: z.object({ why: z.string(), remedy: z.string() }).nullable(),
});

/** Finds out by trying whether bubblewrap holds a program here. The answer is kept, so that the next start reads a file. */
export async function probe(stateDir: string, { user = process.env, platform = process.platform }: ProbeOptions = {}): Promise<Probed> {
  if (platform !== 'linux') return { level: 'copy', ...adviceForPlatform(platform) };
  const { path: program } = await findExecutable('bwrap', searchFolders(user).join(':'));
  if (program === null) return { level: 'copy', ...NOT_INSTALLED };
  const file = join(stateDir, 'sandbox.json');
  const key = keyOf(program);
  const known = recall(file, key);
  const problem = known === null ? adviceOn(await tryBubblewrap(program, stateDir, user)) : known.problem;
  if (known === null) remember(file, { key, at: Date.now(), problem });
  return problem === null ? { level: 'os', program } : { level: 'copy', ...problem };
}

function adviceOn(tried: Tried): Advice | null {
  switch (tried.kind) {
    case 'strong':
      return null;
    case 'broken':
      return adviceFor(tried.said, machine());
    case 'weak':
      return {
        why: `In a sandbox of bubblewrap a program could ${tried.expected ? 'not ' : ''}${tried.attempt}.`,
        remedy: 'Report this with the versions of bwrap and of the kernel; until then run only what you would start yourself.',
      };
  }
}

function machine(): Machine {
  return {
    apparmor: readText('/proc/sys/kernel/apparmor_restrict_unprivileged_userns').trim() === '1',
    container: existsSync('/.dockerenv') || existsSync('/run/.containerenv'),
  };
}

/** All that the answer depends on. */
function keyOf(program: string): string {
  const { mtimeMs, size } = statSync(program);
  const boot = readText('/proc/sys/kernel/random/boot_id').trim();
  return sha256(JSON.stringify([VERSION, program, mtimeMs, size, release(), boot, process.getuid?.()]));
}

function recall(file: string, key: string): z.infer<typeof Remembered> | null {
  try {
    const known = Remembered.parse(JSON.parse(readText(file)));
    const ageMs = Date.now() - known.at;
    const lasts = known.problem === null || (ageMs >= 0 && ageMs < FAILURE_LASTS_MS);
    return known.key === key && lasts ? known : null;
  } catch {
    // There is no answer yet, or none of ours.
    return null;
  }
}

function remember(file: string, known: z.infer<typeof Remembered>): void {
  const temporary = `${file}.${nonce()}`;
  try {
    writeFileSync(temporary, JSON.stringify(known), { mode: 0o600, flag: 'wx' });
    renameSync(temporary, file);
  } catch {
    // It is only a memory; a folder that cannot be written is told by whoever has to write in it.
    rmSync(temporary, { force: true });
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Not every kernel has every setting.
    return '';
  }
}
