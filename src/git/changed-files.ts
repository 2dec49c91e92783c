import type { ChangedFile } from '../core/diff.ts';
import { generatedBy } from '../core/generated.ts';
import { readBlobHeads } from './blob-heads.ts';
import { assertCommitIds } from './change.ts';
import { gitError, tryGit } from './git.ts';
import { listFlags, whitespaceFlags, withoutAttributes, withoutFiles } from './patch-flags.ts';
import { parseChangedFiles, parseCounts } from './raw-diff.ts';
import type { PatchEnds } from './scan-patch.ts';

/** A file of a change, and why it is not made by hand, null if it is. */
export type ListedFile = ChangedFile & { readonly generated: string | null };

/** Between which commits, and how lines are compared. */
export type ListOptions = PatchEnds & { readonly signal?: AbortSignal };

/** Lists the files that differ between two commits, without any text of them. */
export async function listChangedFiles(options: ListOptions): Promise<readonly ListedFile[]> {
  assertCommitIds(options.base, options.head);
  const { files } = parseChangedFiles(await readList(options, ['--raw', '--numstat']));
  // A file in which only spaces changed is still one of the change, and git would not name it.
  const counted =
    options.whitespace === 'show' ? files : withCounts(files, await readList(options, ['--numstat', ...whitespaceFlags('hide')]));
  return await withGenerated(options, counted);
}

async function readList({ place, base, head, signal }: ListOptions, formats: readonly string[]): Promise<Buffer> {
  const bare = withoutFiles(place);
  const args = ['diff-tree', '-z', ...formats, ...listFlags(), base, head];
  const result = await tryGit(bare, args, withoutAttributes(bare, signal));
  if (result.exitCode !== 0) throw gitError(args, result);
  return result.stdout;
}

function withCounts(files: readonly ChangedFile[], numstat: Buffer): readonly ChangedFile[] {
  const counts = parseCounts(numstat);
  return files.map((file) => {
    if (file.binary) return file;
    const { added, removed } = counts.get(file.path) ?? { added: 0, removed: 0 };
    return { ...file, added, removed };
  });
}

/** A mark counts only where it stood in the head of the file before, so those that had none are not read again. */
async function withGenerated(options: ListOptions, files: readonly ChangedFile[]): Promise<readonly ListedFile[]> {
  const readable = files.filter((file) => file.oldBlob !== null && !file.binary && !file.submodule);
  const before = await headsOf(
    options,
    readable.flatMap(({ oldBlob }) => oldBlob ?? []),
  );
  const oldHead = (file: ChangedFile): string => before.get(file.oldBlob ?? '') ?? '';
  const marked = readable.filter((file) => generatedBy({ path: '', text: oldHead(file), addedLines: NONE }) !== null);
  const after = await headsOf(
    options,
    marked.flatMap(({ newBlob }) => newBlob ?? []),
  );
  return files.map((file) => {
    const text = file.newBlob === null ? oldHead(file) : (after.get(file.newBlob) ?? '');
    return { ...file, generated: generatedBy({ path: file.path, text, addedLines: linesAdded(oldHead(file), text) }) };
  });
}

const NONE: ReadonlySet<number> = new Set();

function linesAdded(before: string, after: string): ReadonlySet<number> {
  const known = new Set(before.split('\n'));
  return new Set(after.split('\n').flatMap((line, index) => (known.has(line) ? [] : [index + 1])));
}

async function headsOf({ place, signal }: ListOptions, blobs: readonly string[]): Promise<ReadonlyMap<string, string>> {
  return await readBlobHeads({ place, blobs, ...(signal === undefined ? {} : { signal }) });
}
