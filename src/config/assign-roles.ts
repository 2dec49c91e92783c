import { VolleyError } from '../core/errors.ts';
import { BUILTIN } from '../core/settings.ts';
import type { Role, Roles } from '../core/settings.ts';
import { nearest } from './nearest.ts';
import type { Config } from './schema.ts';

type NeededRole = 'author' | 'reviewer' | 'fixer';

/** The agents there are, by name, with the roles that each can play. */
export type Cast = ReadonlyMap<string, readonly Role[]>;

/** Who plays which role, by the configuration; `needed` must be given, all must be known and able. The built-in agent plays what nobody is named for. */
export function assignRoles(config: Config, cast: Cast, needed: readonly NeededRole[]): Roles {
  const stand = (role: Role): string | null => (cast.get(BUILTIN)?.includes(role) === true ? BUILTIN : null);
  const { author = null, arbiter = null, fallback } = config.roles;
  const reviewer = [config.roles.reviewer ?? stand('reviewer') ?? []].flat();
  const roles = { author, reviewer, fixer: config.roles.fixer ?? author ?? stand('fixer'), arbiter, fallback };
  refuseUnknown(roles, [...cast.keys()]);
  refuseUnable(roles, cast);
  refuseMissing(roles, cast, needed);
  if (reviewer.length > 1) {
    throw new VolleyError(
      'bad-config',
      `roles.reviewer names ${reviewer.length} agents (${reviewer.join(', ')}); a panel of several reviewers is not available yet.`,
      'Name one reviewer; others can stand in roles.fallback.',
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
  throw new VolleyError(
    'unknown-agent',
    messages.join('\n'),
    known.length === 0 ? example(['reviewer']) : `Known agents: ${known.join(', ')}.`,
  );
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
      able.length === 0 ? example([role === 'arbiter' ? 'reviewer' : role]) : `Name one of ${able.join(', ')}.`,
    );
  }
}

function namesFor(cast: Cast, role: Role): string[] {
  return [...cast].filter(([, roles]) => roles.includes(role)).map(([name]) => name);
}

function refuseMissing(roles: Roles, cast: Cast, needed: readonly NeededRole[]): void {
  const missing = needed.filter((role) => [roles[role] ?? []].flat().length === 0);
  const [first] = missing;
  if (first === undefined) return;
  const able = namesFor(cast, first);
  const entry = `roles: { ${missing.map((role) => `${role}: ${able[0]}`).join(', ')} }`;
  const remedy = able.length === 0 ? example(missing) : `Name one of ${able.join(', ')} with --${first}, or in volley.yaml: ${entry}`;
  throw new VolleyError('bad-config', `There is no ${missing.join(' and no ')}.`, remedy);
}

function example(roles: readonly NeededRole[]): string {
  const agents = roles.map((role) => `    my-${role}: { driver: command, run: ["bash", "${role}.sh"] }`);
  const entries = roles.map((role) => `${role}: my-${role}`);
  return `Write into volley.yaml, for example:\n  agents:\n${agents.join('\n')}\n  roles: { ${entries.join(', ')} }`;
}
