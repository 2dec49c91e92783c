import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { Confinement } from './confinement.ts';
import { makeEnvironment } from './environment.ts';
import type { Variables } from './variables.ts';

/**
 * The level `copy`: no wall of the operating system, but a throw-away checkout (which the caller makes), a home of
 * Volley's, and an environment made from nothing, so that no secret of the user is handed over by accident.
 */
export function copyConfinement(user: Variables = process.env): Confinement {
  return {
    level: 'copy',
    hold: async (launch, profile) => {
      mkdirSync(profile.home, { recursive: true, mode: 0o700 });
      const env = makeEnvironment(user, { launch, profile }, { TMPDIR: user['TMPDIR'] ?? tmpdir() });
      return { cwd: launch.cwd, env, launcher: [], network: null, close: async () => undefined };
    },
  };
}
