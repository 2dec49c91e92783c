import { changeName } from './core/change-view.ts';
import type { ChangeEnds, ChangeFile, ChangeTotals } from './core/change-view.ts';
import { VolleyError } from './core/errors.ts';
import type { ChangeDesk, ChangeList, FileLines, FileWanted, LinesWanted, PatchWanted, TextWanted } from './engine/change-desk.ts';
import { findFile, isTreePath, readBlobLines } from './git/blob-lines.ts';
import type { TreeFile } from './git/blob-lines.ts';
import { listChangedFiles } from './git/changed-files.ts';
import type { ListedFile } from './git/changed-files.ts';
import { readFilePatch } from './git/file-patch.ts';
import { presentCommits } from './git/keep-named.ts';
import { locateChange } from './git/locate.ts';
import type { Mirror } from './git/mirror.ts';
import type { Project } from './git/project.ts';
import { searchPatch } from './git/search-patch.ts';
import { shelf } from './lib/shelf.ts';
import type { Shelf } from './lib/shelf.ts';
import { slots } from './lib/slots.ts';
import type { Slots } from './lib/slots.ts';

/** Each may hold all of a change in git's own memory. */
const GITS_AT_ONCE = 4;
/** A file takes about half a kilobyte. */
const KNOWN_FILES = 60_000;
const MOST_TEXT_BYTES = 5_000_000;
const SEARCH_MS = 15_000;

type Opened = { readonly project: Project; readonly mirror: Mirror; readonly inTurn: Slots; readonly lists: Shelf<ChangeList> };

/** Reads changes from the mirror of a project, with a bound on how many git processes readers start. */
export function openChanges({ project, mirror }: { readonly project: Project; readonly mirror: Mirror }): ChangeDesk {
  const opened: Opened = { project, mirror, inTurn: slots(GITS_AT_ONCE), lists: shelf(KNOWN_FILES, ({ files }) => files.length + 1) };
  return {
    find: async (request) => {
      const { base, start, notes } = await opened.inTurn(async () => await locateChange(project, mirror, request));
      return { base: base.mergeBase, head: start.commit, notes };
    },
    list: async (ends, how) => await list(opened, ends, how),
    patch: async (ends, wanted) => await patch(opened, ends, wanted),
    lines: async (ends, wanted) => await lines(opened, ends, wanted),
    search: async (ends, wanted) => await search(opened, ends, wanted),
  };
}

async function list({ mirror, inTurn, lists }: Opened, ends: ChangeEnds, how: Parameters<ChangeDesk['list']>[1]): Promise<ChangeList> {
  const name = `${changeName(ends)} ${how.whitespace}`;
  return (
    lists.get(name) ??
    (await inTurn(async () => {
      // Whoever had the turn before may have asked the same.
      const known = lists.get(name);
      if (known !== undefined) return known;
      const present = await presentCommits(mirror.place, new Set([ends.base, ends.head]));
      for (const id of [ends.base, ends.head]) if (!present.has(id)) throw noCommit(id);
      const files = (await listChangedFiles({ place: mirror.place, ...ends, ...how })).map(fileOf);
      const found = { files, totals: totalsOf(files) };
      lists.put(name, found);
      return found;
    }, how.signal))
  );
}

function fileOf(file: ListedFile): ChangeFile {
  return { ...file, symlink: file.oldMode === SYMLINK || file.newMode === SYMLINK };
}

const SYMLINK = '120000';

function totalsOf(files: readonly ChangeFile[]): ChangeTotals {
  const sum = (count: (file: ChangeFile) => number): number => files.reduce((total, file) => total + count(file), 0);
  return {
    files: files.length,
    added: sum(({ added }) => added),
    removed: sum(({ removed }) => removed),
    binary: sum(({ binary }) => Number(binary)),
    generated: sum(({ generated }) => Number(generated !== null)),
  };
}

async function patch(opened: Opened, ends: ChangeEnds, wanted: PatchWanted): ReturnType<ChangeDesk['patch']> {
  const { path, oldPath, signal } = wanted;
  const { files } = await list(opened, ends, { whitespace: 'show', signal });
  const file = onlyOne(
    path,
    files.filter((one) => one.path === path && (oldPath === undefined || oldPath === one.oldPath) && hasBlobs(one, wanted)),
  );
  if (file === null) throw noFile(path, 'is no file of this change');
  const { text, missingLines } = await opened.inTurn(
    async () => await readFilePatch({ place: opened.mirror.place, ...ends, ...wanted, ...file, mostBytes: MOST_TEXT_BYTES }),
    signal,
  );
  return { file, patch: text, missingLines };
}

async function lines(opened: Opened, ends: ChangeEnds, wanted: LinesWanted): Promise<FileLines> {
  const { path, side, signal, oldBlob, newBlob, ...range } = wanted;
  if (!isTreePath(path)) throw noFile(path, 'is no file of this commit');
  const { place } = opened.mirror;
  const { files } = await list(opened, ends, { whitespace: 'show', signal });
  const found =
    changedFile(files, wanted) ??
    ((oldBlob ?? newBlob) !== undefined
      ? null
      : await opened.inTurn(async () => await findFile(place, side === 'old' ? ends.base : ends.head, path), signal));
  if (found === null) throw noFile(path, `is no file on the ${side} side of this change`);
  const read = await opened.inTurn(
    async () => await readBlobLines({ place, blob: found.blob, ...range, mostBytes: MOST_TEXT_BYTES, signal }),
    signal,
  );
  return { blob: found.blob, symlink: found.mode === SYMLINK, ...read };
}

/** A file of the change is known by its blob, also where its name is no UTF-8. */
function changedFile(files: readonly ChangeFile[], wanted: LinesWanted): TreeFile | null {
  const { path, side } = wanted;
  const found = files.flatMap((file): TreeFile[] => {
    const [name, blob, mode] =
      side === 'old' ? [file.oldPath ?? file.path, file.oldBlob, file.oldMode] : [file.path, file.newBlob, file.newMode];
    return name === path && blob !== null && mode !== GITLINK && hasBlobs(file, wanted) ? [{ blob, mode }] : [];
  });
  return onlyOne(path, found);
}

function hasBlobs(file: ChangeFile, { oldBlob, newBlob }: FileWanted): boolean {
  return (oldBlob === undefined || oldBlob === file.oldBlob) && (newBlob === undefined || newBlob === file.newBlob);
}

/** Nobody could know which of several files was meant. */
function onlyOne<T extends object>(path: string, found: readonly T[]): T | null {
  if (found.length < 2) return found[0] ?? null;
  throw new VolleyError(
    'conflict',
    `${found.length} files of this change look like '${path.slice(0, 200)}', because their names are no UTF-8.`,
    "Name one by its blobs too: oldBlob and newBlob, as the change's list of files has them.",
  );
}

const GITLINK = '160000';

async function search(opened: Opened, ends: ChangeEnds, wanted: TextWanted): ReturnType<ChangeDesk['search']> {
  const { signal } = wanted;
  // Also says whether there is such a change.
  await list(opened, ends, { whitespace: 'show', signal });
  const found = await opened.inTurn(
    async () => await searchPatch({ place: opened.mirror.place, ...ends, ...wanted, mostMs: SEARCH_MS }),
    signal,
  );
  return { matches: found.matches, hasMore: found.hasMore, complete: found.isComplete };
}

function noCommit(id: string): VolleyError {
  return new VolleyError(
    'not-found',
    `There is no commit ${id.slice(0, 12)} here.`,
    'Ask for the change again: POST /api/changes, or that of its loop.',
  );
}

function noFile(path: string, what: string): VolleyError {
  return new VolleyError('not-found', `'${path.slice(0, 200)}' ${what}.`, "Take a path from the change's list of files.");
}
