import type { ConfinementLevel } from '../core/proof.ts';
import type { Role } from '../core/settings.ts';

/** A program about to be started. */
export type Launch = { readonly cwd: string; readonly env: Readonly<Record<string, string>> };

/** What the program may touch. */
export type Profile = {
  readonly role: Role | 'gate';
  /** Names of variables of the user's environment that are passed on. */
  readonly passEnv: readonly string[];
  readonly home: string;
};

/** A way of holding an agent. */
export type Confinement = {
  readonly level: ConfinementLevel;
  /** The environment and folder in which a program of this profile starts. */
  prepare(launch: Launch, profile: Profile): Launch;
};
