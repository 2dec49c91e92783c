import type { ChangeFile } from '../../../src/core/change-view.ts';
import { isClosed, Severity } from '../../../src/core/finding.ts';
import type { FindingOutput } from '../../../src/core/output.ts';
import { pathParts } from '../diff/diff-file.ts';

/** A line of the file tree. Folders are written out, so that a tree of few files has few lines. */
export type TreeRow<F extends ChangeFile = ChangeFile> =
  | { readonly kind: 'folder'; readonly path: string; readonly files: number; readonly open: boolean }
  | { readonly kind: 'file'; readonly file: F; readonly name: string; readonly depth: 0 | 1 };

/** What the tree shows: the files that match, under folders of which some are closed. */
export function treeRows<F extends ChangeFile>(
  files: readonly F[],
  { filter, closed }: { readonly filter: string; readonly closed: ReadonlySet<string> },
): TreeRow<F>[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = files.filter(({ path }) => words.every((word) => path.toLowerCase().includes(word)));
  const folders = new Map<string, F[]>();
  for (const file of shown) {
    const folder = pathParts(file.path)[0].slice(0, -1);
    const inside = folders.get(folder);
    if (inside === undefined) folders.set(folder, [file]);
    else inside.push(file);
  }
  // Files beside no folder come last, as the root of a project lies below its parts.
  const order = [...folders.keys()].toSorted((a, b) => (a === '' ? 1 : b === '' ? -1 : a.localeCompare(b)));
  return order.flatMap((folder): TreeRow<F>[] => rowsOf(folder, folders.get(folder) ?? [], words.length > 0 || !closed.has(folder)));
}

function rowsOf<F extends ChangeFile>(folder: string, files: readonly F[], open: boolean): TreeRow<F>[] {
  const rows = files
    .toSorted((a, b) => a.path.localeCompare(b.path))
    .map((file): TreeRow<F> => ({ kind: 'file', file, name: pathParts(file.path)[1], depth: folder === '' ? 0 : 1 }));
  if (folder === '') return rows;
  return [{ kind: 'folder', path: folder, files: files.length, open }, ...(open ? rows : [])];
}

/** How many findings of each severity are open in a file, worst first. */
export type FileFindings = readonly { readonly severity: Severity; readonly count: number }[];

/** The open findings of every file. */
export function findingsByFile(
  findings: readonly Pick<FindingOutput, 'file' | 'severity' | 'status'>[],
): ReadonlyMap<string, FileFindings> {
  const counts = new Map<string, Map<Severity, number>>();
  for (const finding of findings) {
    if (finding.file === null || isClosed(finding)) continue;
    const inFile = counts.get(finding.file) ?? new Map<Severity, number>();
    inFile.set(finding.severity, (inFile.get(finding.severity) ?? 0) + 1);
    counts.set(finding.file, inFile);
  }
  return new Map([...counts].map(([file, inFile]) => [file, worstFirst(inFile)]));
}

function worstFirst(counts: ReadonlyMap<Severity, number>): FileFindings {
  return Severity.options.flatMap((severity) => {
    const count = counts.get(severity);
    return count === undefined ? [] : [{ severity, count }];
  });
}

/** The paths of the files in the order of the tree: what comes next in it comes next in the diff. */
export function inTreeOrder<F extends ChangeFile>(files: readonly F[]): F[] {
  return treeRows(files, { filter: '', closed: new Set() }).flatMap((row) => (row.kind === 'file' ? [row.file] : []));
}
