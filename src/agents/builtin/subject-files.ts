import { lstat, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Change, ChangedFile } from '../../core/diff.ts';
import { generatedBy } from '../../core/generated.ts';
import { linesOf } from '../../core/line-patch.ts';
import { parsePatch } from '../../core/parse-patch.ts';
import { languageOf } from './rule.ts';

/** A changed text as it is now, with the lines that the change added or rewrote. */
export type SubjectFile = {
  readonly path: string;
  readonly text: string;
  readonly addedLines: ReadonlySet<number>;
  /** False: its bytes are another encoding than UTF-8, so that no exact patch of it can be made. */
  readonly exact: boolean;
  /** The name under which analysers see it: they know languages by endings in small letters. */
  readonly name: string;
};

/** A file that rules do not look at. */
export type SkippedFile = {
  readonly path: string;
  readonly why: string;
  /** Nobody wrote it by hand, or it is no text; otherwise it should have been looked at. */
  readonly harmless: boolean;
};

/** What a review looks at. */
export type SubjectFiles = {
  /** Every text that changed: secrets lie anywhere. */
  readonly all: readonly SubjectFile[];
  /** Those that rules are made for. */
  readonly written: readonly SubjectFile[];
  readonly skipped: readonly SkippedFile[];
};

const LARGEST_CHARS = 1024 * 1024;
const LARGEST_BYTES = 64 * 1024 * 1024;
const LONGEST_LINE = 20_000;
const MODES = ['100644', '100755'];

/** Reads the changed files of a checkout; links are never followed. */
export async function readSubjectFiles(change: Change, dir: string): Promise<SubjectFiles> {
  const added = addedLinesOf(change);
  const all: SubjectFile[] = [];
  const written: SubjectFile[] = [];
  const skipped: SkippedFile[] = [];
  for (const changed of change.files.filter((file) => file.status !== 'deleted')) {
    const { path } = changed;
    const read = await readText(changed, join(dir, path));
    if ('why' in read) {
      skipped.push({ path, ...read });
      continue;
    }
    const { odd, ...content } = read;
    const file = {
      path,
      name: nameOf(path, content.text),
      ...content,
      addedLines: changed.binary ? everyLine(read.text) : (added.get(path) ?? new Set<number>()),
    };
    all.push(file);
    const generated = generatedBy(file);
    const why = generated ?? odd ?? oddSize(file.text);
    if (why === null) written.push(file);
    else skipped.push({ path, why, harmless: generated !== null });
  }
  return { all, written, skipped };
}

/** Writes texts of files into a folder of ours. */
export async function writeTexts(files: readonly SubjectFile[], folder: string, textOf: (file: SubjectFile) => string): Promise<void> {
  const folders = new Set(files.map(({ name }) => dirname(join(folder, name))));
  await Promise.all([...folders].map(async (dir) => await mkdir(dir, { recursive: true })));
  await Promise.all(files.map(async (file) => await writeFile(join(folder, file.name), textOf(file))));
}

/** Whether a range of lines touches one that the change added. */
export function touches({ addedLines }: SubjectFile, first: number, last: number): boolean {
  for (let line = first; line <= last; line += 1) if (addedLines.has(line)) return true;
  return false;
}

function addedLinesOf(change: Change): ReadonlyMap<string, ReadonlySet<number>> {
  return new Map(
    parsePatch(change.patch).map(({ path, hunks }) => {
      const lines = hunks.flatMap((hunk) => hunk.lines.filter(({ kind }) => kind === 'added').map(({ newLine }) => newLine ?? 0));
      return [path, new Set(lines)] as const;
    }),
  );
}

/** A change can call its own text binary, and then git tells no lines of it. */
function everyLine(text: string): ReadonlySet<number> {
  return new Set(linesOf(text).map((_, index) => index + 1));
}

type Read =
  | { readonly text: string; readonly exact: boolean; /** Why it cannot be relied on. */ readonly odd: string | null }
  | { readonly why: string; readonly harmless: boolean };

async function readText({ newMode, submodule, path: name }: ChangedFile, path: string): Promise<Read> {
  if (submodule) return { why: 'a submodule', harmless: true };
  if (!MODES.includes(newMode)) return { why: 'no file with a text', harmless: true };
  const stat = await lstat(path).catch(() => null);
  if (stat === null || !stat.isFile()) return { why: 'it could not be found by its name', harmless: false };
  if (stat.size > LARGEST_BYTES) return { why: 'larger than 64 MB', harmless: false };
  const bytes = await readFile(path);
  const wide = bytes.length < 2 ? null : WIDE[bytes.toString('hex', 0, 2)];
  if (wide) {
    const text = new TextDecoder(wide).decode(bytes);
    return { text: text.replaceAll('\0', ''), exact: false, odd: text.includes('\0') ? NULLS : null };
  }
  const utf8 = decode(bytes);
  if (!bytes.includes(0)) return { text: utf8 ?? bytes.toString('latin1'), exact: utf8 !== null, odd: null };
  // No analyser takes it for a text, but secrets in it are as readable as elsewhere.
  if (languageOf(name) === null) return { why: 'no text', harmless: true };
  return { text: bytes.toString('latin1').replaceAll('\0', ''), exact: false, odd: NULLS };
}

const NULLS = 'it holds null characters';

/** The marks with which a text of two bytes per character begins. */
const WIDE: Readonly<Record<string, 'utf-16le' | 'utf-16be'>> = { fffe: 'utf-16le', feff: 'utf-16be' };

function decode(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Scripts without an ending say in their first line what they are written in. */
function nameOf(path: string, text: string): string {
  const ending = /\.([A-Za-z0-9]+)$/.exec(path)?.[1] ?? '';
  if (ending !== ending.toLowerCase()) return `${path}.${ending.toLowerCase()}`;
  const [, program = ''] = ending === '' ? (/^#!\s*\S*\/(?:env\s+(?:-\S+\s+)*)?(\w+)/.exec(text) ?? []) : [];
  const language = SCRIPTS[program.replace(/\d+$/, '')];
  return language === undefined ? path : `${path}.${language}`;
}

const SCRIPTS: Readonly<Record<string, string>> = { sh: 'sh', bash: 'sh', dash: 'sh', python: 'py', node: 'js' };

function oddSize(text: string): string | null {
  if (text.length > LARGEST_CHARS) return 'larger than 1 MB';
  return text.split('\n').some((line) => line.length > LONGEST_LINE) ? 'lines too long to be written by hand' : null;
}
