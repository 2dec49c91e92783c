import { VolleyError } from '../core/errors.ts';
import { AS_FLAGS } from './called.ts';
import type { Called } from './called.ts';
import { checkEntries } from './check.ts';
import { DEFAULT_LAYER, isWithin, nest, readLayer } from './layer.ts';
import type { Layer, Origin, Problem, ValueLayer } from './layer.ts';
import { mergeLayers } from './merge.ts';
import { Config } from './schema.ts';

/** The configuration in force, the origin of each of its values by path, and notes for the user. */
export type Loaded = {
  readonly config: Config;
  readonly origins: ReadonlyMap<string, Origin>;
  readonly notes: readonly string[];
  /** How whoever starts something calls the settings that they can give. */
  readonly called: Called;
};

/** What a configuration is made of. `drivers` are the kinds of agents that exist. */
export type LoadInput = { readonly layers: readonly Layer[]; readonly drivers: readonly string[] };

const ORDER: readonly Origin['layer'][] = ['default', 'user', 'project', 'environment', 'flags'];

/** Whether a value comes from a higher layer than another: flags over environment over project over user over defaults. */
export function outranks(a: Origin | undefined, b: Origin | undefined): boolean {
  return ORDER.indexOf(a?.layer ?? 'default') > ORDER.indexOf(b?.layer ?? 'default');
}

/** Merges all layers over the defaults; everything that is wrong in any of them is one error. */
export function loadConfig(input: LoadInput): Loaded {
  const { loaded, problems } = understandConfig(input);
  if (loaded !== null && problems.length === 0) return loaded;
  const text = errorText(messagesOf(problems));
  throw new VolleyError('bad-config', text, 'Correct what is named above; docs/configuration.md lists every setting.');
}

/** What is wrong in a configuration, and what would be in force without that; null where too little is right. */
export type Understood = { readonly loaded: Loaded | null; readonly problems: readonly Problem[] };

/** Merges all layers over the defaults, as far as they are right. */
export function understandConfig({ layers, drivers }: LoadInput): Understood {
  const read = [DEFAULT_LAYER, ...layers.map(readLayer)].toSorted((a, b) => ORDER.indexOf(a.layer) - ORDER.indexOf(b.layer));
  const { entries, notes } = mergeLayers(read);
  const problems = read.flatMap((layer) => layer.problems);
  const checked = checkEntries(entries, drivers);
  // What is broken already is not blamed a second time for what is missing because of it.
  const further = checked.problems.filter(({ path }) => !problems.some((known) => known.path.length === 0 || isWithin(known.path, path)));
  const all = [...entries.values(), ...checked.derived].filter(
    ({ path }) => !checked.problems.some((problem) => isWithin(path, problem.path)),
  );
  // Groups without a single setting leave no entry behind.
  const parsed = Config.safeParse({ agents: {}, taskTypes: {}, ...nest(all) });
  const wrong = [...problems, ...further];
  if (!parsed.success && wrong.length === 0) throw parsed.error;
  const origins = new Map(all.map(({ path, origin }) => [path.join('.'), origin]));
  const called = layers.find((layer): layer is ValueLayer => layer.origin === 'flags')?.called ?? AS_FLAGS;
  return { loaded: parsed.success ? { config: parsed.data, origins, notes, called } : null, problems: wrong };
}

/** The messages of mistakes, each once. */
export function messagesOf(problems: readonly Problem[]): readonly string[] {
  return [...new Set(problems.map(({ message }) => message))];
}

/** The text of one error about all mistakes. */
export function errorText(messages: readonly string[]): string {
  return messages.length === 1
    ? messages.join()
    : `The configuration has ${messages.length} errors:\n${messages.map((message) => `  ${message}`).join('\n')}`;
}
