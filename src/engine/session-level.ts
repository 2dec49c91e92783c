import type { Agent } from '../agents/agent.ts';
import type { ConfinementLevel } from '../core/proof.ts';
import type { Engine } from './engine.ts';

/** How strictly a session of an agent is held here. */
export function sessionLevel({ confinement }: Pick<Engine, 'confinement'>, { holdsItself }: Pick<Agent, 'holdsItself'>): ConfinementLevel {
  if (confinement.level === 'os') return 'os';
  return holdsItself ? 'agent' : 'copy';
}
