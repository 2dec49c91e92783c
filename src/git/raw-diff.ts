import type { ChangedFile, FileStatus } from '../core/diff.ts';

/** Reads the `--raw --numstat -z` part of a diff; `end` is where the patch begins that follows it. */
export function parseChangedFiles(output: Buffer): { readonly files: ChangedFile[]; readonly end: number } {
  const cursor: Cursor = { buffer: output, at: 0 };
  const entries: RawEntry[] = [];
  while (output[cursor.at] === COLON) entries.push(readRaw(cursor));
  const files = entries.map((entry) => ({ ...entry, ...readCounts(cursor, entry) }));
  // An empty field stands between numbers and patch.
  if (cursor.at < output.length) takeField(cursor);
  return { files, end: cursor.at };
}

/** Reads `--numstat -z` alone: the lines added and removed, by path. */
export function parseCounts(output: Buffer): ReadonlyMap<string, Pick<ChangedFile, 'added' | 'removed'>> {
  const cursor: Cursor = { buffer: output, at: 0 };
  const counts = new Map<string, Pick<ChangedFile, 'added' | 'removed'>>();
  while (cursor.at < output.length) {
    const [, added, removed, named = ''] = /^(\S+)\t(\S+)\t([^]*)$/.exec(takeField(cursor)) ?? [];
    // The two paths of a rename follow in fields of their own.
    const path = named === '' ? [takeField(cursor), takeField(cursor)][1] : named;
    counts.set(path ?? '', { added: Number(added) || 0, removed: Number(removed) || 0 });
  }
  return counts;
}

type RawEntry = Omit<ChangedFile, 'added' | 'removed' | 'binary'>;

const COLON = 58;
const GITLINK = '160000';

const STATUS: Readonly<Record<string, FileStatus>> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'typechanged',
};

type Cursor = { readonly buffer: Buffer; at: number };

function takeField(cursor: Cursor): string {
  const end = cursor.buffer.indexOf(0, cursor.at);
  if (end < 0) throw new Error('git printed an unfinished diff');
  const field = cursor.buffer.toString('utf8', cursor.at, end);
  cursor.at = end + 1;
  return field;
}

function readRaw(cursor: Cursor): RawEntry {
  const [oldMode = '', newMode = '', oldId = '', newId = '', letter = ''] = takeField(cursor).slice(1).split(' ');
  const status = STATUS[letter.charAt(0)];
  if (status === undefined) throw new Error(`git printed an unknown status: ${letter}`);
  const first = takeField(cursor);
  const isPair = status === 'renamed' || status === 'copied';
  return {
    path: isPair ? takeField(cursor) : first,
    oldPath: isPair ? first : null,
    status,
    oldMode,
    newMode,
    oldBlob: idOrNull(oldId),
    newBlob: idOrNull(newId),
    submodule: oldMode === GITLINK || newMode === GITLINK,
  };
}

function idOrNull(id: string): string | null {
  return /^0+$/.test(id) ? null : id;
}

function readCounts(cursor: Cursor, entry: RawEntry): Pick<ChangedFile, 'added' | 'removed' | 'binary'> {
  const [added = '', removed = ''] = takeField(cursor).split('\t', 2);
  // The two paths of a rename follow in fields of their own.
  if (entry.oldPath !== null) {
    takeField(cursor);
    takeField(cursor);
  }
  return { added: Number(added) || 0, removed: Number(removed) || 0, binary: added === '-' };
}
