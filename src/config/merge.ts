import { effortPolicy } from '../core/policy.ts';
import { isGroup, isWithin } from './layer.ts';
import type { Origin, ReadLayer } from './layer.ts';
import type { ConfigFile } from './schema.ts';

/** One effective setting, with where it comes from. */
export type Entry = { readonly path: readonly string[]; readonly value: unknown; readonly origin: Origin };

/** All effective settings by their path, and what a person should know about how they came about. */
export type Merged = { readonly entries: ReadonlyMap<string, Entry>; readonly notes: readonly string[] };

/** Lays the layers over each other, lowest first: groups are merged key by key, lists and values are replaced. */
export function mergeLayers(layers: readonly ReadLayer[]): Merged {
  const entries = new Map<string, Entry>();
  const notes = new Set<string>();
  for (const layer of layers) {
    for (const name of redefinedAgents(layer.values)) forgetAgent(entries, name, layer);
    for (const entry of [...effortEntries(layer), ...entriesOf(layer)]) {
      const key = entry.path.join('.');
      const below = entries.get(key);
      const note = refusal(below, entry) ?? openingRefusal(entry) ?? decidingRefusal(entry) ?? paymentRefusal(entries, entry, layers);
      if (note === null) entries.set(key, entry);
      else if (below?.value !== entry.value) notes.add(note);
    }
  }
  return { entries, notes: [...notes] };
}

/** An entry that names its program is another agent than the one of the same name below; any other refines that one. */
function redefinedAgents({ agents = {} }: ConfigFile): string[] {
  return Object.entries(agents).flatMap(([name, { driver, run }]) => (driver === undefined && run === undefined ? [] : [name]));
}

function forgetAgent(entries: Map<string, Entry>, name: string, { layer }: ReadLayer): void {
  for (const [key, entry] of entries) {
    const stays = layer === 'project' && entry.origin.layer === 'user' && (paymentOf(entry) !== null || isSessionLimit(entry));
    if (!stays && isWithin(entry.path, ['agents', name])) entries.delete(key);
  }
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

/** Why a project's setting does not count against the user's own: it may tighten a ceiling or the sandbox, never loosen it. */
function refusal(below: Entry | undefined, entry: Entry): string | null {
  if (below?.origin.layer !== 'user' || entry.origin.layer !== 'project') return null;
  const key = entry.path.join('.');
  const isLooser =
    (key.startsWith('policy.ceiling.') && amount(entry.value) > amount(below.value)) ||
    (isSessionLimit(entry) && amount(entry.value) > amount(below.value)) ||
    (key === 'policy.countSubscription' && below.value === true && entry.value === false) ||
    (key === 'confine.required' && below.value === true && entry.value === false) ||
    (key === 'confine.network' && NETWORKS.indexOf(String(entry.value)) > NETWORKS.indexOf(String(below.value)));
  if (!isLooser) return null;
  const where = `${entry.origin.label}:${entry.origin.line}`;
  return `${where}: ${key} ${String(entry.value)} is looser than your own ${String(below.value)} (${below.origin.label}:${below.origin.line}), which holds`;
}

/** What agents may reach, the closest first. */
const NETWORKS: readonly string[] = ['none', 'provider', 'open'];

const OPENING = ['confine.read', 'confine.write', 'confine.hosts'];

/** Why a project's setting does not count that would open the sandbox: whoever clones it has not agreed to that. */
function openingRefusal({ path, value, origin }: Entry): string | null {
  const key = path.join('.');
  const isEmpty = Array.isArray(value) && value.length === 0;
  if (origin.layer !== 'project' || isEmpty || !(OPENING.includes(key) || (key === 'confine.network' && value === 'open'))) return null;
  return `${origin.label}:${origin.line}: ${key} is not taken, because only your own configuration may open the sandbox`;
}

/** Why a project's setting does not count that would let agents decide: an agent can write the project's file. */
function decidingRefusal({ path, value, origin }: Entry): string | null {
  if (origin.layer !== 'project' || path.join('.') !== 'mcp.decide' || value !== true) return null;
  return `${origin.label}:${origin.line}: mcp.decide is not taken, because only your own configuration may let agents decide`;
}

/** The setting of how an agent is paid for that an entry belongs to. */
function paymentOf({ path }: Entry): readonly string[] | null {
  return path[0] === 'agents' && (path[2] === 'price' || path[2] === 'billing') ? path.slice(0, 3) : null;
}

function isSessionLimit({ path }: Entry): boolean {
  return path[0] === 'agents' && path[2] === 'sessionUsd';
}

/** Why a project's word on how an agent is paid for does not count beside the user's own: cheap tokens would loosen a ceiling too. */
function paymentRefusal(entries: ReadonlyMap<string, Entry>, entry: Entry, layers: readonly ReadLayer[]): string | null {
  const payment = paymentOf(entry);
  if (payment === null || entry.origin.layer !== 'project') return null;
  if (![...entries.values()].some(({ path, origin }) => origin.layer === 'user' && isWithin(path, payment))) return null;
  const places = ['project', 'user'].map((name) => layers.find(({ layer }) => layer === name)?.originOf(payment));
  const [theirs, own] = places.map((origin) => `${origin?.label}:${origin?.line}`);
  return `${theirs}: ${payment.join('.')} is not taken, because your own (${own}) holds`;
}

function amount(money: unknown): number {
  return typeof money === 'number' ? money : Number.POSITIVE_INFINITY;
}
