import { VolleyError } from '../core/errors.ts';
import type { Roles } from '../core/settings.ts';
import { nearest } from './nearest.ts';
import type { Config } from './schema.ts';

type NeededRole = 'author' | 'reviewer' | 'fixer';

/** Who plays which role, by the configuration; `needed` must be given, all must be known. */
export function assignRoles(config: Config, known: readonly string[], needed: readonly NeededRole[]): Roles {
  const { author = null, arbiter = null, fallback } = config.roles;
  const reviewer = [config.roles.reviewer ?? []].flat();
  const roles = { author, reviewer, fixer: config.roles.fixer ?? author, arbiter, fallback };
  refuseUnknown(roles, known);
  refuseMissing(roles, known, needed);
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

function refuseMissing(roles: Roles, known: readonly string[], needed: readonly NeededRole[]): void {
  const missing = needed.filter((role) => [roles[role] ?? []].flat().length === 0);
  const [first] = missing;
  if (first === undefined) return;
  const entry = `roles: { ${missing.map((role) => `${role}: ${known[0]}`).join(', ')} }`;
  const remedy = known.length === 0 ? example(missing) : `Name one of ${known.join(', ')} with --${first}, or in volley.yaml: ${entry}`;
  throw new VolleyError('bad-config', `There is no ${missing.join(' and no ')}.`, remedy);
}

function example(roles: readonly NeededRole[]): string {
  const agents = roles.map((role) => `    my-${role}: { driver: command, run: ["bash", "${role}.sh"] }`);
  const entries = roles.map((role) => `${role}: my-${role}`);
  return `Write into volley.yaml, for example:\n  agents:\n${agents.join('\n')}\n  roles: { ${entries.join(', ')} }`;
}
