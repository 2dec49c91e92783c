import type { FixCause } from './action.ts';
import type { Loop } from './loop.ts';

/** Who answers the findings: for a fix that `improve` ordered the fixer with that order's model, unless a person chose another one. */
export function fixerOf(loop: Loop, cause: FixCause): string | null {
  const { fixer } = loop.roles;
  const { improve, roles } = loop.settings;
  return isImprovement(loop, cause) && fixer === roles.fixer ? (improve.fixer ?? fixer) : fixer;
}

/** How long a session of the fixer may take. */
export function fixLimitMs(loop: Loop, cause: FixCause): number {
  const { improve, policy } = loop.settings;
  return isImprovement(loop, cause) ? (improve.timeoutMs ?? policy.timeoutsMs.fix) : policy.timeoutsMs.fix;
}

/** A round that a person adds, or a refinement, is the loop's own work; only `improve` is a task type. */
function isImprovement({ order }: Loop, cause: FixCause): boolean {
  return cause === 'order' && (order === 'improve' || order === 'improve-and-review');
}
