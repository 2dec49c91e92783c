import { VolleyError } from '../core/errors.ts';
import { BUILTIN } from '../core/settings.ts';
import type { Role, Roles } from '../core/settings.ts';
import { nearest } from '../lib/nearest.ts';
import type { Called } from './called.ts';
import type { Loaded } from './load.ts';

/** The agents there are, by name, with the roles that each can play. */
export type Cast = ReadonlyMap<string, readonly Role[]>;

/** Who plays which role, by the configuration; all must be known and able. Without a name the built-in agent reviews and fixes, but somebody must be the author. */
export function assignRoles(
  { config, called }: Pick<Loaded, 'config' | 'called'>,
  cast: Cast,
  { authored }: { readonly authored: boolean },
): Roles {
  const { author = null, arbiter = null, fallback } = config.roles;
  const reviewer = [config.roles.reviewer].flat();
  const roles = { author, reviewer, fixer: config.roles.fixer ?? author ?? BUILTIN, arbiter, fallback };
  refuseUnknown(roles, [...cast.keys()]);
  refuseUnable(roles, cast);
  if (authored && author === null) throw new VolleyError('bad-config', 'There is no author.', authorRemedy(cast, called));
  const twice = reviewer.find((name, index) => reviewer.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new VolleyError(
      'bad-config',
      `roles.reviewer names ${twice} twice; every member of a panel has one seat.`,
      'Name each reviewer once, or give the same program a second name under agents.',
    );
  }
  return roles;
}

function refuseUnknown(roles: Roles, known: readonly string[]): void {
  const unknown = new Map<string, string>();
  for (const [role, names] of Object.entries(roles)) {
    for (const name of [names ?? []].flat()) if (!known.includes(name) && !unknown.has(name)) unknown.set(name, role);
  }
  if (unknown.size === 0) return;
  const messages = [...unknown].map(([name, role]) => {
    const near = nearest(name, known);
    return `${name} (${role}) is not an agent${near === null ? '' : `; did you mean ${near}?`}`;
  });
  throw new VolleyError('unknown-agent', messages.join('\n'), `Known agents: ${known.join(', ')}.`);
}

function refuseUnable(roles: Roles, cast: Cast): void {
  for (const role of ['author', 'reviewer', 'fixer', 'arbiter'] as const) {
    const unable = [roles[role] ?? []].flat().find((name) => cast.get(name)?.includes(role) === false);
    if (unable === undefined) continue;
    const able = namesFor(cast, role);
    const can = cast.get(unable)?.join(' and ') ?? '';
    throw new VolleyError(
      'bad-config',
      `${unable} cannot be the ${role}; it can be ${can}.`,
      able.length === 0 ? exampleOf(role) : `Name one of ${able.join(', ')}.`,
    );
  }
}

function namesFor(cast: Cast, role: Role): string[] {
  return [...cast].filter(([, roles]) => roles.includes(role)).map(([name]) => name);
}

function authorRemedy(cast: Cast, called: Called): string {
  const able = namesFor(cast, 'author');
  if (able.length === 0)
    return `Log an agent in, with volley login claude or volley login codex, or name a program. ${exampleOf('author')}`;
  return `Name one of ${able.join(', ')} with ${called.author}, or in volley.yaml: roles: { author: ${able[0]} }`;
}

function exampleOf(role: Role): string {
  const entry = `    my-${role}: { driver: command, run: ["bash", "${role}.sh"] }`;
  return `Write into volley.yaml, for example:\n  agents:\n${entry}\n  roles: { ${role}: my-${role} }`;
}
