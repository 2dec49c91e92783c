import { looksOnly } from '../core/settings.ts';
import type { AgentInput } from './agent.ts';

/**
 * Whether the commands of a session run in a user namespace below the agent's own. Whoever looks runs the code under review: with the
 * same user and the same namespace it could write into the agent's process, and so say in its stream that it approves of itself.
 */
export function runsApart({ held, role }: AgentInput): boolean {
  return held && looksOnly(role);
}
