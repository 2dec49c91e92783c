import { lineNumberOf } from './coerce.ts';
import { listOf, recordOf } from './sarif-json.ts';
import type { Json } from './sarif-json.ts';
import type { PathOf } from './sarif-place.ts';

/** One edit of a fix: what stands in the region gives way to the text. Lines and columns start at 1, the end column is not part. */
export type SarifReplacement = {
  readonly file: string;
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  /** Null means the end of the line. */
  readonly endColumn: number | null;
  /** What columns count. */
  readonly columnKind: 'utf16CodeUnits' | 'unicodeCodePoints';
  readonly insertedText: string;
};

const MOST_REPLACEMENTS = 100;

/** The edits of a result's first fix, all of them; none, and why, if one cannot be read, because half a fix is a mistake. */
export function readFix(
  result: Json,
  run: { readonly columnKind: unknown; readonly pathOf: PathOf },
): { readonly fixes: readonly SarifReplacement[]; readonly flag: string | null } {
  const changes = listOf(recordOf(listOf(result.fixes)[0]).artifactChanges);
  const fixes: SarifReplacement[] = [];
  for (const change of changes) {
    const { artifactLocation, replacements } = recordOf(change);
    const file = run.pathOf(artifactLocation);
    for (const replacement of listOf(replacements)) {
      const edit = editOf(recordOf(replacement));
      if (file === null || edit === null) return { fixes: [], flag: 'its fix could not be read' };
      if (fixes.length === MOST_REPLACEMENTS) return { fixes: [], flag: `its fix has more than ${MOST_REPLACEMENTS} edits` };
      const columnKind = run.columnKind === 'unicodeCodePoints' ? 'unicodeCodePoints' : 'utf16CodeUnits';
      fixes.push({ file, ...edit, columnKind });
    }
  }
  return { fixes, flag: null };
}

function editOf({ deletedRegion, insertedContent }: Json): Omit<SarifReplacement, 'file' | 'columnKind'> | null {
  const region = recordOf(deletedRegion);
  const startLine = lineNumberOf(region.startLine);
  const startColumn = region.startColumn === undefined ? 1 : lineNumberOf(region.startColumn);
  const endLine = region.endLine === undefined ? startLine : lineNumberOf(region.endLine);
  const endColumn = region.endColumn === undefined ? null : lineNumberOf(region.endColumn);
  const insertedText = insertedContent === undefined ? '' : recordOf(insertedContent).text;
  if (startLine === null || startColumn === null || endLine === null || typeof insertedText !== 'string') return null;
  if (region.endColumn !== undefined && endColumn === null) return null;
  const isOrdered = startLine < endLine || (startLine === endLine && (endColumn === null || startColumn <= endColumn));
  return isOrdered ? { startLine, startColumn, endLine, endColumn, insertedText } : null;
}
