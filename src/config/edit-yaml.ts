import { isDeepStrictEqual } from 'node:util';
import { isCollection, isMap, isScalar, parse, parseDocument, stringify } from 'yaml';
import type { Document, Pair, YAMLMap } from 'yaml';
import { isGroup } from './layer.ts';

/** One setting to write; without a value it is taken out. */
export type Edit = { readonly path: readonly string[]; readonly value: unknown };

/**
 * The text of a file after one edit; null where it cannot be made. Only the lines of the setting change, so that comments, order
 * and layout stay; where the text is too unusual for that, the whole is written anew.
 */
export function editYaml(text: string, edit: Edit): string | null {
  const before = parse(text) ?? {};
  if (!isGroup(before)) return null;
  const wanted = withEdit(before, edit);
  const document = parseDocument(text);
  const whole = withGroup(text, document, edit);
  const candidates = [() => cut(text, document, whole), () => cut(text, document, edit), () => rewritten(document, edit)];
  for (const candidate of candidates) {
    const changed = candidate();
    if (changed !== null && saysThat(changed, wanted)) return changed;
  }
  return null;
}

/** Taking out the last setting of a group takes out the group, unless somebody wrote a remark in it. */
function withGroup(text: string, { contents }: Document.Parsed, edit: Edit): Edit {
  if (edit.value !== undefined || !isMap(contents)) return edit;
  let { path } = edit;
  for (;;) {
    const group = path.slice(0, -1);
    const { map, pair, depth } = reach(contents, path);
    if (pair === null || depth < path.length || group.length === 0 || map.items.length > 1) return { ...edit, path };
    const inside = text.slice(rangeOf(reach(contents, group).pair?.key)?.[1], rangeOf(map)?.[1]);
    if (inside.includes('#')) return { ...edit, path };
    path = group;
  }
}

/** Whether a text says what it should: the first way to edit may fail on what nobody thought of. */
function saysThat(text: string, wanted: unknown): boolean {
  const document = parseDocument(text);
  return document.errors.length === 0 && isDeepStrictEqual(withoutEmpty(document.toJS()), withoutEmpty(wanted));
}

/** A group without settings says as much as none. */
function withoutEmpty(value: unknown): unknown {
  if (!isGroup(value)) return value ?? undefined;
  const entries = Object.entries(value).map(([key, inner]) => [key, withoutEmpty(inner)] as const);
  const full = entries.filter(([, inner]) => inner !== undefined);
  return full.length === 0 ? undefined : Object.fromEntries(full);
}

function withEdit(group: Readonly<Record<string, unknown>>, { path, value }: Edit): Record<string, unknown> {
  const [key = '', ...rest] = path;
  const inner = Object.hasOwn(group, key) ? group[key] : undefined;
  const { [key]: _, ...others } = group;
  if (rest.length > 0) return { ...group, [key]: withEdit(isGroup(inner) ? inner : {}, { path: rest, value }) };
  return value === undefined ? others : { ...group, [key]: value };
}

/** The edit as a change of some characters; null where nobody knows how. */
function cut(text: string, document: Document.Parsed, edit: Edit): string | null {
  const { contents } = document;
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  if (contents === null || (isScalar(contents) && contents.value === null)) {
    return edit.value === undefined ? text : appended(text, lines(edit.path, edit.value), newline);
  }
  if (!isMap(contents)) return null;
  const { map, pair, depth } = reach(contents, edit.path);
  if (edit.value === undefined) return pair === null || depth < edit.path.length ? text : withoutPair(text, map, pair);
  if (pair !== null && depth === edit.path.length) return withValue(text, pair, inline(edit.value));
  if (pair !== null) return belowEmpty(text, pair, { rest: edit.path.slice(depth), value: edit.value, newline });
  const missing = lines(edit.path.slice(depth), edit.value);
  if (map.flow === true) return intoFlow(text, map, inlineFor(edit.path.slice(depth), edit.value));
  return map === contents ? appended(text, missing, newline) : afterLast(text, map, { missing, newline });
}

type Reached = { readonly map: YAMLMap; readonly pair: Pair | null; readonly depth: number };

/** The last group on the way to a setting, and its pair that leads on, if there is one. */
function reach(root: YAMLMap, path: readonly string[]): Reached {
  let map = root;
  for (const [index, step] of path.entries()) {
    const pair = map.items.find(({ key }) => isScalar(key) && String(key.value) === step);
    if (pair === undefined) return { map, pair: null, depth: index };
    if (index === path.length - 1 || !isMap(pair.value)) return { map, pair, depth: index + 1 };
    map = pair.value;
  }
  return { map, pair: null, depth: path.length };
}

/** A setting and the groups around it, one line each. */
function lines(path: readonly string[], value: unknown): string[] {
  return path.map((step, index) => `${'  '.repeat(index)}${keyText(step)}:${index === path.length - 1 ? ` ${inline(value)}` : ''}`);
}

function inlineFor([step = '', ...rest]: readonly string[], value: unknown): string {
  return `${keyText(step)}: ${rest.length === 0 ? inline(value) : `{ ${inlineFor(rest, value)} }`}`;
}

function keyText(key: string): string {
  return stringify(key).trimEnd();
}

/** A value on one line, quoted wherever it would mean something else in a list. */
function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (isGroup(value))
    return `{ ${Object.entries(value)
      .map(([key, inner]) => `${keyText(key)}: ${inline(inner)}`)
      .join(', ')} }`;
  return stringify([value], { collectionStyle: 'flow', flowCollectionPadding: false, lineWidth: 0 }).trimEnd().slice(1, -1);
}

function appended(text: string, added: readonly string[], newline: string): string {
  const before = text.trimEnd();
  const gap = before === '' ? '' : before.includes('\n') ? `${newline}${newline}` : newline;
  return `${before}${gap}${added.join(newline)}${newline}`;
}

function withValue(text: string, { key, value }: Pair, written: string): string | null {
  const [from, to] = rangeOf(value) ?? [];
  if (from === undefined || to === undefined) return null;
  if (isCollection(value) && value.flow !== true) return blockReplaced(text, key, { to, written });
  const space = from === to && text[from - 1] === ':' ? ' ' : '';
  return `${text.slice(0, from)}${space}${written}${text.slice(to)}`;
}

/** A list or group of several lines becomes one line behind its key; what was said about its parts goes with them. */
function blockReplaced(text: string, key: unknown, { to, written }: { readonly to: number; readonly written: string }): string | null {
  const end = rangeOf(key)?.[1];
  const colon = end === undefined ? -1 : text.indexOf(':', end);
  if (colon < 0) return null;
  const last = text.slice(0, to).trimEnd().length;
  return `${text.slice(0, colon + 1)} ${written}${text.slice(last)}`;
}

type Below = { readonly rest: readonly string[]; readonly value: unknown; readonly newline: string };

/** A group that is named but empty gets its first setting on the next line. */
function belowEmpty(text: string, { key, value }: Pair, { rest, value: wanted, newline }: Below): string | null {
  const from = rangeOf(key)?.[0];
  if (from === undefined || !(value === null || (isScalar(value) && value.value === null))) return null;
  const indent = ' '.repeat(from - (text.lastIndexOf('\n', from - 1) + 1) + 2);
  return insertedAfterLine(
    text,
    from,
    lines(rest, wanted)
      .map((line) => `${newline}${indent}${line}`)
      .join(''),
  );
}

function intoFlow(text: string, map: YAMLMap, written: string): string | null {
  const last = map.items.at(-1);
  const [from, to] = rangeOf(map) ?? [];
  if (from === undefined || to === undefined) return null;
  if (last === undefined) return `${text.slice(0, from)}{ ${written} }${text.slice(to)}`;
  const end = rangeOf(last.value)?.[1] ?? rangeOf(last.key)?.[1];
  return end === undefined ? null : `${text.slice(0, end)}, ${written}${text.slice(end)}`;
}

function afterLast(
  text: string,
  map: YAMLMap,
  { missing, newline }: { readonly missing: readonly string[]; readonly newline: string },
): string | null {
  const [first, last] = [map.items[0], map.items.at(-1)];
  const from = rangeOf(first?.key)?.[0];
  const end = rangeOf(last?.value)?.[1] ?? rangeOf(last?.key)?.[1];
  if (from === undefined || end === undefined) return null;
  const indent = ' '.repeat(from - (text.lastIndexOf('\n', from - 1) + 1));
  const tail = text.slice(0, end).trimEnd().length - 1;
  return insertedAfterLine(text, tail, missing.map((line) => `${newline}${indent}${line}`).join(''));
}

/** A comment behind the last word of a line stays with that line. */
function insertedAfterLine(text: string, at: number, added: string): string {
  const end = text.indexOf('\n', at);
  if (end < 0) return `${text}${added}\n`;
  const line = text[end - 1] === '\r' ? end - 1 : end;
  return `${text.slice(0, line)}${added}${text.slice(line)}`;
}

function withoutPair(text: string, map: YAMLMap, pair: Pair): string | null {
  const from = rangeOf(pair.key)?.[0];
  const to = rangeOf(pair.value)?.[1] ?? rangeOf(pair.key)?.[1];
  if (from === undefined || to === undefined) return null;
  if (map.flow === true) {
    const next = map.items[map.items.indexOf(pair) + 1];
    const start = next === undefined ? undefined : rangeOf(next.key)?.[0];
    if (start !== undefined) return `${text.slice(0, from)}${text.slice(start)}`;
    const before = text.slice(0, from).replace(/,?\s*$/, '');
    return `${before}${text.slice(to)}`;
  }
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const end = text.indexOf('\n', text.slice(0, to).trimEnd().length - 1);
  return `${text.slice(0, start)}${end < 0 ? '' : text.slice(end + 1)}`;
}

function rangeOf(node: unknown): readonly [number, number, number] | null {
  return isCollection(node) || isScalar(node) ? (node.range ?? null) : null;
}

function rewritten(document: Document.Parsed, { path, value }: Edit): string | null {
  for (let depth = 1; depth < path.length; depth += 1) {
    const inner: unknown = document.getIn(path.slice(0, depth));
    if (!isCollection(inner)) document.setIn(path.slice(0, depth), document.createNode({}));
  }
  if (value === undefined) document.deleteIn(path);
  else document.setIn(path, document.createNode(value, { flow: true }));
  return document.toString({ lineWidth: 0 });
}
