import type { Loaded } from './load.ts';

/** Settings that are checked and kept, but that nothing obeys yet. */
const LATER = ['policy.ceiling.run', 'policy.ceiling.day', 'policy.checkpointEvery', 'pullRequest', 'notify'];

/** A note about the settings that somebody set and that have no effect yet; nothing is ignored without a word. */
export function unobeyed({ config, origins }: Loaded): string[] {
  const set = [...origins].filter(([, origin]) => origin.layer !== 'default' && origin.effort === null).map(([path]) => path);
  const later = set.filter((path) => LATER.some((name) => path === name || path.startsWith(`${name}.`)));
  const asks = config.policy.onMaxRounds === 'open-pull-request' ? ['policy.onMaxRounds'] : [];
  const names = [...later, ...asks];
  return names.length === 0 ? [] : [`Not obeyed yet: ${names.join(', ')}.`];
}
