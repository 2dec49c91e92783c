import { effortPolicy } from '../core/policy.ts';
import { isGroup } from './layer.ts';
import type { Origin, ReadLayer } from './layer.ts';
import type { ConfigFile } from './schema.ts';

/** One effective setting, with where it comes from. */
export type Entry = { readonly path: readonly string[]; readonly value: unknown; readonly origin: Origin };

/** All effective settings by their path, and what a person should know about how they came about. */
export type Merged = { readonly entries: ReadonlyMap<string, Entry>; readonly notes: readonly string[] };

/** Lays the layers over each other, lowest first: groups are merged key by key, lists and values are replaced. */
export function mergeLayers(layers: readonly ReadLayer[]): Merged {
  const entries = new Map<string, Entry>();
  const notes: string[] = [];
  for (const layer of layers) {
    for (const name of redefinedAgents(layer.values)) forgetAgent(entries, name);
    for (const entry of [...effortEntries(layer), ...entriesOf(layer)]) {
      const key = entry.path.join('.');
      const note = refusal(entries.get(key), entry);
      if (note === null) entries.set(key, entry);
      else notes.push(note);
    }
  }
  return { entries, notes };
}

/** An entry that names its program is another agent than the one of the same name below; any other refines that one. */
function redefinedAgents({ agents = {} }: ConfigFile): string[] {
  return Object.entries(agents).flatMap(([name, { driver, run }]) => (driver === undefined && run === undefined ? [] : [name]));
}

function forgetAgent(entries: Map<string, Entry>, name: string): void {
  for (const [key, { path }] of entries) if (path[0] === 'agents' && path[1] === name) entries.delete(key);
}

/** What the effort of a layer stands for comes before the layer's own keys, so that these beat it. */
function effortEntries(layer: ReadLayer): Entry[] {
  const effort = layer.values.policy?.effort;
  if (effort === undefined) return [];
  const { maxRounds, checkpointEvery, depth } = effortPolicy(effort);
  const origin = { ...layer.originOf(['policy', 'effort']), effort };
  return Object.entries({ maxRounds, depth, checkpointEvery: checkpointEvery ?? 'none' }).map(([key, value]) => ({
    path: ['policy', key],
    value,
    origin,
  }));
}

function entriesOf(layer: ReadLayer, group: Record<string, unknown> = layer.values, parent: readonly string[] = []): Entry[] {
  return Object.entries(group).flatMap(([key, value]) => {
    const path = [...parent, key];
    return isGroup(value) ? entriesOf(layer, value, path) : [{ path, value, origin: layer.originOf(path) }];
  });
}

/** Why a project's setting does not count against the user's own: it may tighten a ceiling, never loosen it. */
function refusal(below: Entry | undefined, entry: Entry): string | null {
  if (below?.origin.layer !== 'user' || entry.origin.layer !== 'project') return null;
  const key = entry.path.join('.');
  const isLooser =
    (key.startsWith('policy.ceiling.') && amount(entry.value) > amount(below.value)) ||
    (key === 'policy.countSubscription' && below.value === true && entry.value === false);
  if (!isLooser) return null;
  const where = `${entry.origin.label}:${entry.origin.line}`;
  return `${where}: ${key} ${String(entry.value)} is looser than your own ${String(below.value)} (${below.origin.label}:${below.origin.line}), which holds`;
}

function amount(money: unknown): number {
  return typeof money === 'number' ? money : Number.POSITIVE_INFINITY;
}
