import { z } from 'zod';
import { Instant } from '../../core/instant.ts';
import { ConfinementLevel } from '../../core/proof.ts';
import { Billing, Role } from '../../core/settings.ts';
import { route } from './route.ts';

/** An agent of this project or this machine, and how it is right now. */
export const AgentOutput = z.object({
  name: z.string(),
  driver: z.string(),
  /** Whether the configuration has an entry for it. */
  configured: z.boolean(),
  /** What it can be in a loop. */
  roles: z.array(Role),
  /** What it would be in a new loop. */
  plays: z.array(z.enum([...Role.options, 'fallback'])),
  /** Whether it is installed. */
  available: z.boolean(),
  version: z.string().nullable(),
  /** Why it cannot be used; null if all is well. */
  problem: z.string().nullable(),
  /** With whose account it works, in words; null for one that needs none. */
  login: z.object({ by: z.enum(['key', 'login', 'none']), billing: Billing.nullable(), text: z.string() }).nullable(),
  model: z.string().nullable(),
  /** How it would be held. */
  confinement: ConfinementLevel,
  /** What its sessions in this project were booked with, and when the last of them was; null where it had none. */
  spend: z.object({ sessions: z.number().int(), usd: z.number(), estimated: z.boolean(), lastAt: Instant }).nullable(),
});

/** The routes about agents. */
export const agentsContract = {
  listAgents: route({
    method: 'GET',
    path: '/api/agents',
    tag: 'agents',
    summary: 'Every agent that could play a role, and the drivers that a configuration may name; looked at once a minute.',
    reply: z.object({ agents: z.array(AgentOutput), drivers: z.array(z.object({ id: z.string(), roles: z.array(Role) })) }),
  }),
};
