import { z } from 'zod';
import { nearest } from '../lib/nearest.ts';
import { isOtherGroup, otherName } from './other-names.ts';
import type { Path } from './read-yaml.ts';
import { ConfigFile } from './schema.ts';

/** One thing that is wrong in a layer; `claim` goes on after the setting's path. */
export type Flaw = { readonly path: Path; readonly claim: string };

/** What is right in a layer, and all that is wrong. */
export type Validated = { readonly values: ConfigFile; readonly flaws: readonly Flaw[] };

/** Checks what a layer says; a key without a value counts as not written. */
export function validate(written: unknown): Validated {
  const values = structuredClone(written);
  const flaws: Flaw[] = [];
  for (;;) {
    const parsed = ConfigFile.safeParse(values);
    if (parsed.success) return { values: parsed.data, flaws };
    const found = parsed.error.issues.flatMap((issue) => flawsOf(issue, values));
    flaws.push(...found.filter((flaw) => !flaw.isEmptyKey));
    if (found.some(({ path }) => path.length === 0)) return { values: {}, flaws };
    const rejected = found.map(({ path }) => rejectedPart(values, path));
    for (const path of rejected) remove(values, path);
  }
}

/** A path as people write it: `gates[0].run`. */
export function pathText(path: Path): string {
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');
}

type Issue = z.core.$ZodIssue;
type FoundFlaw = Flaw & { readonly isEmptyKey: boolean };

function flawsOf(issue: Issue, root: unknown, parent: Path = []): FoundFlaw[] {
  const path = [...parent, ...issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))];
  const value = valueAt(root, path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.flatMap((key) => unknownFlaws([...path, key], root));
  }
  if (issue.code === 'invalid_key') return [{ path, claim: issue.issues[0]?.message ?? issue.message, isEmptyKey: false }];
  if (issue.code === 'invalid_union' && typeof value === 'object') {
    const branch = issue.errors.find((errors) => errors.every((error) => error.code !== 'invalid_type' || error.path.length > 0));
    if (branch !== undefined) return branch.flatMap((error) => flawsOf(error, root, path));
  }
  return [{ path, claim: claimOf(issue, value), isEmptyKey: value === null && typeof path.at(-1) === 'string' }];
}

/** Messages of our own begin with "must"; those of the library are put in our words. */
function claimOf(issue: Issue, value: unknown): string {
  if (issue.message.startsWith('must ')) return issue.message;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}${guess(value, issue.values.map(String))}`;
  if (issue.code === 'invalid_type' && value === undefined) return 'is missing';
  if (issue.code === 'invalid_type') return `must be ${KINDS[issue.expected] ?? issue.expected}, not ${kindOf(value)}`;
  return `is not valid (${issue.message})`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a group of settings',
  record: 'a group of settings',
};

function kindOf(value: unknown): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'boolean') return String(value);
  return KINDS[typeof value] ?? typeof value;
}

/** What is wrong about a key that does not exist; in a group of another tool, about each of its keys whose place is known. */
function unknownFlaws(path: Path, root: unknown): FoundFlaw[] {
  const value = valueAt(root, path);
  const inner = path.length === 1 && isOtherGroup(String(path[0])) ? leaves(value, path) : [];
  const known = inner.flatMap((leaf) => {
    const name = otherName(leaf.path, leaf.value);
    return name === null ? [] : [{ path: leaf.path, claim: notASetting(name), isEmptyKey: false }];
  });
  const near = suggestion(path, value);
  // A group is told by its keys, unless it is only written differently.
  return [{ path, claim: notASetting(near), isEmptyKey: near === null && known.length > 0 }, ...known];
}

function leaves(value: unknown, path: Path): { readonly path: Path; readonly value: unknown }[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [{ path, value }];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => leaves(inner, [...path, key]));
}

function notASetting(near: string | null): string {
  return `is not a setting${near === null ? '' : `; did you mean ${near}?`}`;
}

/** What somebody most likely meant by a key that does not exist: a key beside it, or the path of a setting elsewhere. */
export function suggestion(path: Path, value: unknown): string | null {
  const key = String(path.at(-1));
  const [section, type] = path;
  const foreign = otherName(path, value);
  if (foreign !== null) return foreign;
  if (section === 'taskTypes' && path.length === 3 && keysAt(['taskTypes', 'implement']).includes(key)) {
    return type === 'implement' ? null : `taskTypes.implement.${key}`;
  }
  return nearest(key, keysAt(path.slice(0, -1))) ?? elsewhere(key) ?? null;
}

/** The path of a setting that has this name in another section. */
function elsewhere(key: string): string | undefined {
  for (const section of keysAt([])) {
    const near = nearest(key, keysAt([section]));
    if (near !== null && near.toLowerCase() === key.toLowerCase()) return `${section}.${near}`;
  }
  return undefined;
}

function guess(value: unknown, candidates: readonly string[]): string {
  const near = typeof value === 'string' ? nearest(value, candidates) : null;
  return near === null ? '' : `; did you mean ${near}?`;
}

/** The keys that exist below a path, none where it is no group of settings. */
export function keysAt(path: Path): readonly string[] {
  const schema = schemaAt(path);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** What may stand at a path; undefined where nothing may. */
export function schemaAt(path: Path): unknown {
  let schema: unknown = ConfigFile;
  for (const step of path) {
    if (schema instanceof z.ZodObject) schema = Object.hasOwn(schema.shape, step) ? schema.shape[step] : undefined;
    else if (schema instanceof z.ZodRecord) schema = schema.valueType;
    else if (schema instanceof z.ZodArray) schema = schema.element;
    schema = unwrap(schema);
  }
  return schema;
}

function unwrap(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional) return unwrap(schema.unwrap());
  if (schema instanceof z.ZodUnion) return schema.options.find((option) => option instanceof z.ZodObject) ?? schema;
  return schema;
}

function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const step of path) value = typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined;
  return value;
}

/** The smallest part that can be left out: the setting itself, the list it stands in, the group in which it is missing. */
function rejectedPart(root: unknown, path: Path): Path {
  const inList = path.findIndex((step) => typeof step === 'number');
  const part = inList === -1 ? path : path.slice(0, inList);
  return valueAt(root, part) === undefined ? part.slice(0, -1) : part;
}

function remove(root: unknown, path: Path): void {
  const group = valueAt(root, path.slice(0, -1));
  const key = path.at(-1);
  if (typeof group === 'object' && group !== null && key !== undefined) Reflect.deleteProperty(group, key);
}
