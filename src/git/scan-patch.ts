import type { Whitespace } from '../core/change-view.ts';
import { assertCommitIds } from './change.ts';
import { streamGit } from './git.ts';
import type { GitPlace } from './git.ts';
import { patchFlags, whitespaceFlags, withoutAttributes, withoutFiles } from './patch-flags.ts';
import { PatchScanner } from './patch-scanner.ts';
import type { PatchPiece } from './patch-scanner.ts';

/** Between which commits, as they are, and how lines are compared. */
export type PatchEnds = { readonly place: GitPlace; readonly base: string; readonly head: string; readonly whitespace: Whitespace };

/** What of a patch is read. */
export type Scan = PatchEnds & {
  readonly context: number;
  /** Git's own way to name files; none means all. */
  readonly pathspecs: readonly string[];
  /** At most so many bytes of a line are kept. */
  readonly mostBytes: number;
  readonly signal?: AbortSignal | undefined;
};

/** Reads the patch between two commits while git makes it; what comes at a time has to be read before the next. */
export async function* scanPatch(scan: Scan): AsyncGenerator<Iterable<PatchPiece>, void, undefined> {
  const { base, head } = scan;
  assertCommitIds(base, head);
  const place = withoutFiles(scan.place);
  const flags = [...patchFlags(scan.context), ...whitespaceFlags(scan.whitespace)];
  const scanner = new PatchScanner(scan.mostBytes);
  const args = ['diff-tree', ...flags, base, head, '--', ...scan.pathspecs];
  for await (const chunk of streamGit(place, args, withoutAttributes(place, scan.signal))) yield scanner.push(chunk);
  yield scanner.end();
}
