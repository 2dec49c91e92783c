import type { Effort } from '../core/policy.ts';
import type { Called } from './called.ts';
import { DEFAULTS } from './defaults.ts';
import { readYaml } from './read-yaml.ts';
import type { Path } from './read-yaml.ts';
import type { ConfigFile } from './schema.ts';
import { pathText, validate } from './validate.ts';

/** A configuration file: its text, how to call it in messages, and the folder that its relative paths start from. */
export type FileLayer = { readonly origin: 'user' | 'project'; readonly label: string; readonly dir: string; readonly text: string };

/** Single settings from outside of files, each with the name of its variable or flag. */
export type ValueLayer = {
  readonly origin: 'environment' | 'flags';
  readonly values: readonly NamedValue[];
  /** How settings are called by whoever gives them at a start. */
  readonly called?: Called;
};

/** One setting under the name by which the user gave it, such as `--max-rounds`. */
export type NamedValue = { readonly label: string; readonly path: readonly string[]; readonly value: unknown };

/** One source of configuration. */
export type Layer = FileLayer | ValueLayer;

/** Where an effective value comes from. `effort` is set where a preset stands for it; `dir` where a file does. */
export type Origin = {
  readonly layer: 'default' | Layer['origin'];
  readonly label: string;
  readonly line: number | null;
  readonly dir: string | null;
  readonly effort: Effort | null;
};

/** One mistake: the setting that it is about, and a message that says where it stands. */
export type Problem = { readonly path: Path; readonly message: string };

/** A layer as it was understood: what is right in it, where each setting stands, and what is wrong. */
export type ReadLayer = {
  readonly layer: Origin['layer'];
  readonly values: ConfigFile;
  readonly problems: readonly Problem[];
  originOf(path: Path): Origin;
};

/** Reads one layer; mistakes are data, so that all layers can tell theirs at once. */
export function readLayer(layer: Layer): ReadLayer {
  return 'text' in layer ? readFileLayer(layer) : readValueLayer(layer);
}

/** The lowest layer. */
export const DEFAULT_LAYER: ReadLayer = {
  layer: 'default',
  values: DEFAULTS,
  problems: [],
  originOf: () => ({ layer: 'default', label: 'default', line: null, dir: null, effort: null }),
};

function readFileLayer({ origin, label, dir, text }: FileLayer): ReadLayer {
  const yaml = readYaml(text);
  const { values, flaws } = validate(yaml.values);
  const found = [
    ...yaml.syntaxErrors.map(({ line, message }) => ({ path: [], line, text: message })),
    ...flaws.map(({ path, claim }) => ({ path, line: yaml.lineOf(path), text: `${pathText(path) || 'the file'} ${claim}` })),
  ].toSorted((a, b) => a.line - b.line);
  return {
    layer: origin,
    values,
    problems: found.map(({ path, line, text: what }) => ({ path, message: `${label}:${line}: ${what}` })),
    originOf: (path) => ({ layer: origin, label, line: yaml.lineOf(path), dir, effort: null }),
  };
}

function readValueLayer({ origin, values: named }: ValueLayer): ReadLayer {
  const labelOf = (path: Path): string => named.find((value) => isWithin(path, value.path))?.label ?? origin;
  const { values, flaws } = validate(nest(named));
  return {
    layer: origin,
    values,
    problems: flaws.map(({ path, claim }) => ({ path, message: `${labelOf(path)} ${claim}` })),
    originOf: (path) => ({ layer: origin, label: labelOf(path), line: null, dir: null, effort: null }),
  };
}

/** Whether a setting is the given one, or lies below it. */
export function isWithin(path: Path, outer: Path): boolean {
  return outer.every((step, index) => step === path[index]);
}

/** Builds the groups of settings out of single ones. */
export function nest(named: readonly { readonly path: readonly string[]; readonly value: unknown }[]): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const { path, value } of named) {
    let group = root;
    for (const step of path.slice(0, -1)) {
      const inner = Object.hasOwn(group, step) ? group[step] : undefined;
      group = isGroup(inner) ? inner : (group[step] = {});
    }
    group[path.at(-1) ?? ''] = value;
  }
  return root;
}

/** Whether a value is a group of settings, not a setting. */
export function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
