import type { Loaded } from './load.ts';

/** Settings that are checked and kept, but that nothing obeys yet. */
const LATER = ['policy.checkpointEvery', 'review.beforePullRequest', 'agents.*.maxParallel', 'pullRequest', 'notify'];

/** A note about the settings that somebody set and that have no effect yet; nothing is ignored without a word. */
export function unobeyed({ config, origins }: Loaded): string[] {
  const set = [...origins].filter(([, origin]) => origin.layer !== 'default' && origin.effort === null).map(([path]) => path);
  const later = set.filter((path) => LATER.some((name) => isAtOrBelow(path.split('.'), name.split('.'))));
  const asks = config.policy.onMaxRounds === 'open-pull-request' ? ['policy.onMaxRounds'] : [];
  const names = [...later, ...asks];
  return names.length === 0 ? [] : [`Not obeyed yet: ${names.join(', ')}.`];
}

function isAtOrBelow(path: readonly string[], pattern: readonly string[]): boolean {
  return pattern.every((step, index) => step === '*' || step === path[index]);
}
