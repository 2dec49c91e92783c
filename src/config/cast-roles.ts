import { BUILTIN } from '../core/settings.ts';
import type { Loaded } from './load.ts';

/** An agent of this machine that could play a role without being named: installed, and logged in. */
export type ReadyAgent = { readonly name: string; readonly driver: string };

/** What a loop is for: an author is needed where something is built, a fixer where findings are answered. */
export type Casting = { readonly authored: boolean; readonly fixed: boolean };

/** Whether the configuration leaves a role open that a ready agent could play. */
export function leavesOpen({ config, origins }: Loaded, { authored, fixed }: Casting): boolean {
  const { author, fixer } = config.roles;
  return isUnnamed(origins, 'roles.reviewer') || (authored && author === undefined) || (fixed && (fixer ?? author) === undefined);
}

/**
 * Gives the roles that nobody named to agents that are ready: author and reviewer of different vendors where there are two, else
 * the same one with fresh eyes. What was chosen is told in one line.
 */
export function castRoles(loaded: Loaded, ready: readonly ReadyAgent[], casting: Casting): Loaded {
  const { config, origins } = loaded;
  const driverOf = (name: string | undefined): string | null =>
    name === undefined ? null : (config.agents[name]?.driver ?? ready.find((one) => one.name === name)?.driver ?? null);
  const other = (than: string | undefined): string | undefined => (ready.find(({ driver }) => driver !== driverOf(than)) ?? ready[0])?.name;
  const named = isUnnamed(origins, 'roles.reviewer') ? undefined : [config.roles.reviewer].flat();
  const author = config.roles.author ?? (casting.authored ? (named === undefined ? ready[0]?.name : other(named[0])) : undefined);
  const reviewer = named ?? [other(author) ?? BUILTIN];
  const needsFixer = casting.fixed && config.roles.fixer === undefined && author === undefined;
  const fixer = config.roles.fixer ?? (needsFixer ? other(reviewer[0]) : undefined);
  const note = noteOf(loaded, { author, reviewer, fixer }, driverOf);
  const roles = { ...config.roles, reviewer, ...(author === undefined ? {} : { author }), ...(fixer === undefined ? {} : { fixer }) };
  return { ...loaded, config: { ...config, roles }, notes: [...loaded.notes, ...(note === null ? [] : [note])] };
}

type Chosen = { readonly author: string | undefined; readonly reviewer: readonly string[]; readonly fixer: string | undefined };

function noteOf({ config, origins, called }: Loaded, chosen: Chosen, driverOf: (name: string | undefined) => string | null): string | null {
  const { author, reviewer, fixer } = chosen;
  const [first = BUILTIN] = reviewer;
  const isReviewerChosen = isUnnamed(origins, 'roles.reviewer') && first !== BUILTIN;
  const isAuthorChosen = author !== undefined && config.roles.author === undefined;
  const isFixerChosen = fixer !== undefined && config.roles.fixer === undefined;
  const parts = [
    ...(isAuthorChosen ? [`${author} writes`] : []),
    ...(isReviewerChosen ? [`${first} reviews`] : []),
    ...(isFixerChosen ? [`${fixer} fixes`] : []),
  ];
  if (parts.length === 0) return null;
  const maker = author ?? fixer;
  const isAlone = (isReviewerChosen || isAuthorChosen) && maker !== undefined && driverOf(maker) === driverOf(first);
  const names = [
    ...(isAuthorChosen ? [called.author] : []),
    ...(isReviewerChosen ? [called.reviewer] : []),
    ...(isFixerChosen ? [called.fixer] : []),
  ];
  const why = isAlone ? `; no other agent is logged in, so it reviews its own work, in a fresh session that cannot write` : '';
  return `${parts.join(', ')}${why}. ${names.join(' and ')} ${names.length === 1 ? 'chooses another' : 'choose others'}.`;
}

function isUnnamed(origins: Loaded['origins'], path: string): boolean {
  return (origins.get(path)?.layer ?? 'default') === 'default';
}
