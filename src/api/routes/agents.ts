import { redactAll } from '../../core/redact-all.ts';
import type { Desk } from '../../engine/desk.ts';
import type { agentsContract } from '../contract/agents.ts';
import type { Handlers } from '../handlers.ts';

/** Tells of agents; what programs say of themselves is told without secrets. */
export function agentsRoutes({ agents }: Desk): Handlers<typeof agentsContract> {
  return {
    listAgents: async () => ({
      agents: (await agents.list()).map((agent) => redactAll({ ...agent, roles: [...agent.roles], plays: [...agent.plays] })),
      drivers: agents.drivers.map(({ id, roles }) => ({ id, roles: [...roles] })),
    }),
  };
}
