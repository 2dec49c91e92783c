import type { Detection } from '../agents/agent.ts';
import type { ConfinementLevel } from '../core/proof.ts';
import type { Role } from '../core/settings.ts';
import type { AgentSpend } from '../store/store.ts';

/** An agent of this project or this machine, and how it is right now. */
export type AgentState = Detection & {
  readonly name: string;
  readonly driver: string;
  /** Whether the configuration has an entry for it. */
  readonly configured: boolean;
  /** What it can be in a loop. */
  readonly roles: readonly Role[];
  /** What it would be in a new loop. */
  readonly plays: readonly (Role | 'fallback')[];
  readonly model: string | null;
  /** How it would be held. */
  readonly confinement: ConfinementLevel;
  /** What its sessions in this project were booked with; null where it had none. */
  readonly spend: Omit<AgentSpend, 'agent'> | null;
};

/** The agents that there are. */
export type AgentDesk = {
  /** Looks at each at most once a minute, because that starts programs. */
  list(): Promise<readonly AgentState[]>;
  /** The drivers that a configuration may name, with the roles that their agents can play. */
  readonly drivers: readonly { readonly id: string; readonly roles: readonly Role[] }[];
};
