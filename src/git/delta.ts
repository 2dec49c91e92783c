import type { FileDelta, HunkSpan } from '../core/delta.ts';
import type { ChangedFile, FilePatch } from '../core/diff.ts';
import { parsePatch } from '../core/parse-patch.ts';
import { gitError, tryGit } from './git.ts';
import type { GitPlace } from './git.ts';
import { patchFlags, withoutAttributes, withoutFiles } from './patch-flags.ts';
import { parseChangedFiles } from './raw-diff.ts';

/** Reads which lines differ between two commits, both given by their ids; one git process. */
export async function readDelta(place: GitPlace, from: string, to: string): Promise<FileDelta[]> {
  for (const id of [from, to]) if (!/^[0-9a-f]{40,64}$/.test(id)) throw new Error(`not a commit id: ${id}`);
  const args = ['diff-tree', '-z', '--raw', '--numstat', ...patchFlags(0), from, to];
  const result = await tryGit(withoutFiles(place), args, withoutAttributes(place));
  if (result.exitCode !== 0) throw gitError(args, result);
  const { files, end } = parseChangedFiles(result.stdout);
  return pairSections(files, parsePatch(result.stdout.toString('utf8', end)));
}

const MOST_HUNKS_OF_FILE = 2_000;
const MOST_HUNKS = 20_000;

/** The patch has the files in the order of the list; names that are no UTF-8 could not tell them apart. */
function pairSections(files: readonly ChangedFile[], sections: readonly FilePatch[]): FileDelta[] {
  let at = 0;
  let left = MOST_HUNKS;
  const deltas = files.map((file): FileDelta => {
    // A file whose type changed has a section for its deletion and one for its creation.
    const own = sections.slice(at, (at += file.status === 'typechanged' ? 2 : 1));
    const { path, oldPath, status } = file;
    const count = own.reduce((sum, section) => sum + section.hunks.length, 0);
    const isKnown =
      !file.binary && !file.submodule && !own.some((section) => section.binary) && count <= Math.min(left, MOST_HUNKS_OF_FILE);
    if (!isKnown) return { path, oldPath, status, hunks: null };
    left -= count;
    return { path, oldPath, status, hunks: own.flatMap((section) => section.hunks.map(spanOf)) };
  });
  if (at !== sections.length) throw new Error(`git printed ${sections.length} patches for ${files.length} files`);
  return deltas;
}

function spanOf({ oldStart, oldCount, newStart, newCount }: HunkSpan): HunkSpan {
  return { oldStart, oldCount, newStart, newCount };
}
