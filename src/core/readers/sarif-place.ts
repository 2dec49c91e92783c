import { lineNumberOf } from './coerce.ts';
import { entryOf, itemAt, listOf, recordOf } from './sarif-json.ts';
import type { Json } from './sarif-json.ts';

/** Where a result lies: the path that its URI stands for, and lines from 1. */
export type SarifPlace = { readonly file: string | null; readonly line: number | null; readonly lineEnd: number | null };

/** Turns an artifact location of a run into a path; null where it names none. */
export type PathOf = (location: unknown) => string | null;

const LONGEST_URI = 4000;
const DEEPEST_BASE = 8;

/** Opens the places of a run: its artifacts and the folders to which URIs are relative, each resolved once. */
export function openPaths(run: Json): PathOf {
  const bases = new Map<string, string | null>();
  const baseOf = (id: unknown, depth: number): string | null => {
    if (typeof id !== 'string' || depth > DEEPEST_BASE) return null;
    const known = bases.get(id);
    if (known !== undefined) return known;
    const base = recordOf(entryOf(run.originalUriBaseIds, id));
    const path = pathIn(base.uri, () => baseOf(base.uriBaseId, depth + 1));
    bases.set(id, path);
    return path;
  };
  const located = (location: Json): string | null => pathIn(location.uri, () => baseOf(location.uriBaseId, 0));
  const artifacts = new Map<unknown, string | null>();
  return (value) => {
    const location = recordOf(value);
    const own = located(location);
    if (own !== null) return own;
    const known = artifacts.get(location.index);
    if (known !== undefined) return known;
    const path = located(recordOf(recordOf(itemAt(run.artifacts, location.index)).location));
    artifacts.set(location.index, path);
    return path;
  };
}

/** The first place of a result that names a file, else the file that was analysed. */
export function placeOf(result: Json, pathOf: PathOf): SarifPlace {
  for (const location of listOf(result.locations)) {
    const physical = recordOf(recordOf(location).physicalLocation);
    const file = pathOf(physical.artifactLocation);
    if (file !== null) return { file, ...regionLines(physical.region) };
  }
  return { file: pathOf(result.analysisTarget), line: null, lineEnd: null };
}

function regionLines(value: unknown): Omit<SarifPlace, 'file'> {
  const region = recordOf(value);
  const line = lineNumberOf(region.startLine);
  const end = lineNumberOf(region.endLine);
  // What ends before the first column of a line ends with the line above.
  const lineEnd = end !== null && region.endColumn === 1 ? end - 1 : end;
  return { line, lineEnd: line !== null && lineEnd !== null && lineEnd > line ? lineEnd : null };
}

function pathIn(value: unknown, base: () => string | null): string | null {
  const uri = typeof value === 'string' ? value.slice(0, LONGEST_URI).trim() : '';
  const path = uriPath(uri);
  if (path === '') return null;
  const folder = isAbsolute(uri) ? null : base();
  // A base elsewhere than on a disk is no folder that anybody could look into.
  if (folder === null || /^[a-z][a-z0-9+.-]+:/i.test(folder)) return withoutDots(path);
  return withoutDots(`${folder}${folder.endsWith('/') ? '' : '/'}${path}`).slice(0, LONGEST_URI);
}

function uriPath(uri: string): string {
  const [, host = '', path] = /^file:(?:\/\/([^/]*))?(.*)$/is.exec(uri) ?? [];
  if (path === undefined) return decoded(uri);
  const named = decoded(path);
  if (host !== '' && host.toLowerCase() !== 'localhost') return `//${host}${named}`;
  return /^\/[A-Za-z]:(?:\/|$)/.test(named) ? named.slice(1) : named;
}

/** Tools that write a path where a URI belongs are known by what no URI holds: spaces and stray percent signs. */
function decoded(uri: string): string {
  if (/\s/.test(uri)) return uri;
  try {
    return decodeURIComponent(uri);
  } catch {
    // A stray percent sign: this is a path.
    return uri;
  }
}

function isAbsolute(uri: string): boolean {
  return /^(?:[/\\]|[a-z]:[/\\]|[a-z][a-z0-9+.-]+:)/i.test(uri);
}

function withoutDots(path: string): string {
  if (!/(?:^|\/)\.{1,2}(?:\/|$)/.test(path)) return path;
  const out: string[] = [];
  for (const part of path.split('/')) {
    const above = out.at(-1) ?? '';
    if (part === '..' && above !== '' && above !== '..') out.pop();
    else if (part !== '.') out.push(part);
  }
  return out.join('/');
}
