import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findExecutable } from '../lib/executable.ts';
import { nonce } from '../lib/ids.ts';
import { runProcess } from '../lib/process.ts';
import type { ProcessEnd } from '../lib/process.ts';
import type { Confinement, Held, Profile } from './confinement.ts';

/** A place in which a confinement can be tried out, with folders as the engine would make them. */
export type Trial = {
  readonly base: string;
  readonly checkout: string;
  readonly stateDir: string;
  readonly home: string;
  /** The home of a user, with nothing in it yet. */
  readonly userHome: string;
  /** Writes a file below the base, and returns its path. */
  write(name: string, text: string): string;
  /** Holds one program and runs it to its end. */
  run(confinement: Confinement, argv: readonly string[], given?: Given): Promise<ProcessEnd>;
  /** Holds without running anything; whoever asks for it closes it. */
  hold(confinement: Confinement, given?: Given): Promise<Held>;
  close(): void;
};

/** What differs from a profile that allows nothing. */
export type Given = Partial<Profile> & { readonly cwd?: string; readonly env?: Readonly<Record<string, string>>; readonly input?: string };

const WALL_MS = 60_000;

/** Makes a place for trials in the system's temporary folder, or below another one. */
export function openTrial(parent = tmpdir()): Trial {
  const base = realpathSync(mkdtempSync(join(parent, 'volley-trial-')));
  const stateDir = join(base, 'state');
  const checkout = join(stateDir, 'project', 'checkout');
  const home = join(stateDir, 'project', 'home');
  const userHome = join(base, 'user');
  for (const folder of [checkout, userHome]) mkdirSync(folder, { recursive: true });
  const hold: Trial['hold'] = async (confinement, { cwd = checkout, env = {}, ...profile } = {}) => {
    const folder = join(stateDir, 'project', 'sessions', nonce());
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const nothing = { passEnv: [], read: [], write: [], protect: [], hide: [], network: { mode: 'none' } } as const;
    return await confinement.hold({ cwd, env }, { role: 'author', ...nothing, home, folder, ...profile });
  };
  return {
    base,
    checkout,
    stateDir,
    home,
    userHome,
    write: (name, text) => {
      const path = join(base, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      return path;
    },
    hold,
    run: async (confinement, argv, given) => {
      const held = await hold(confinement, given);
      try {
        const launch = { argv: [...held.launcher, ...argv], cwd: held.cwd, env: held.env };
        return await runProcess({ ...launch, input: given?.input ?? '', wallMs: WALL_MS, marker: `trial-${nonce()}` });
      } finally {
        await held.close();
      }
    },
    close: () => rmSync(base, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Where bubblewrap is. Without it nothing of the sandbox can be tested, which must not pass for a success. */
export async function requireBubblewrap(): Promise<string> {
  const { path } = await findExecutable('bwrap', process.env['PATH'] ?? '');
  if (path === null) throw new Error('bwrap was not found. Install it: apt-get install bubblewrap.');
  return path;
}
