import type { Access } from '../core/access.ts';
import type { ConfinementLevel } from '../core/proof.ts';
import type { Role } from '../core/settings.ts';

/**
 * What a program may reach: all that this machine can (`open`), anything but this machine and private networks, and the hosts that are
 * named (`public`), the named hosts alone (`provider`), or nothing. A host is `name` (port 443) or `name:port`; a leading `*.` stands
 * for all below.
 */
export type Network =
  | { readonly mode: 'open' | 'none' }
  | { readonly mode: 'public'; readonly hosts?: readonly string[] }
  | { readonly mode: 'provider'; readonly hosts: readonly string[] };

/** A program about to be started. */
export type Launch = { readonly cwd: string; readonly env: Readonly<Record<string, string>> };

/** Who the program is, and what it may touch. */
export type Profile = Access & {
  readonly role: Role | 'gate';
  /** Names of variables of the user's environment that are passed on. */
  readonly passEnv: readonly string[];
  /** A folder of Volley's for this project, in which the homes of programs are kept. */
  readonly home: string;
  /** An existing folder for this session alone, which it may write; its temporary files go there too. */
  readonly folder: string;
  readonly network: Network;
};

/** A program's way in: what it is started with. */
export type Held = Launch & {
  /** What stands before the program and its arguments; empty where nothing wraps it. */
  readonly launcher: readonly string[];
  /** What the program can really reach; null where nobody limits it. */
  readonly network: Network['mode'] | null;
  /** Ends what was started for it; called once the program is gone. */
  close(): Promise<void>;
};

/** A way of holding an agent. */
export type Confinement = {
  readonly level: Exclude<ConfinementLevel, 'agent'>;
  hold(launch: Launch, profile: Profile): Promise<Held>;
};
