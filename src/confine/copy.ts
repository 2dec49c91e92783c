import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter } from 'node:path';
import { absoluteFolders } from '../lib/executable.ts';
import type { Confinement, Launch, Profile } from './confinement.ts';
import { toolChains } from './tool-chains.ts';

type Variables = Readonly<Record<string, string | undefined>>;

const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';

/**
 * The level `copy`: no wall of the operating system, but a throw-away checkout (which the caller makes), a home of
 * Volley's, and an environment made from nothing, so that no secret of the user is handed over by accident.
 */
export function copyConfinement(user: Variables = process.env): Confinement {
  return {
    level: 'copy',
    prepare: (launch, profile) => {
      mkdirSync(profile.home, { recursive: true, mode: 0o700 });
      return { cwd: launch.cwd, env: environment(user, launch, profile) };
    },
  };
}

function environment(user: Variables, launch: Launch, profile: Profile): Record<string, string> {
  return {
    LANG: user['LANG'] ?? 'C.UTF-8',
    TERM: 'dumb',
    TMPDIR: user['TMPDIR'] ?? tmpdir(),
    ...toolChains(user),
    ...named(user, profile.passEnv),
    // A relative folder would find programs in the checkout.
    PATH: absoluteFolders(user['PATH'] ?? DEFAULT_PATH).join(delimiter),
    HOME: profile.home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    ...launch.env,
  };
}

function named(user: Variables, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = user[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
