/** Lines from the first to the last, counted from 1. */
export type LineRange = { readonly first: number; readonly last: number };

/** What a fix does to lines: those that go, and those that come behind a line (behind 0: before the first). */
export type Edits = { readonly removed: ReadonlySet<number>; readonly added: ReadonlyMap<number, readonly string[]> };

/** One line of a code frame; a gap stands for lines that are left out. */
export type FrameRow =
  | { readonly kind: 'gap' }
  | {
      readonly kind: 'kept' | 'removed' | 'added';
      /** Null for a line that is not in the file yet. */
      readonly number: number | null;
      readonly text: string;
      readonly isFlagged: boolean;
    };

/** What a frame is made of. */
export type Framed = {
  /** A line of the file, or undefined where there is none to show. */
  readonly lineAt: (number: number) => string | undefined;
  readonly flagged: LineRange | null;
  readonly edits: Edits | null;
  /** How many lines are shown before and after the ones that matter. */
  readonly context: number;
};

const MOST_FLAGGED = 8;
const MOST_ROWS = 40;

/** The lines that show a finding, its fix, or both at once, with a little of what stands around them. */
export function frameRows({ lineAt, flagged, edits, context }: Framed): FrameRow[] {
  const rows: FrameRow[] = [];
  let before: number | null = null;
  for (const number of linesToShow({ flagged, edits, context })) {
    const text = number === 0 ? undefined : lineAt(number);
    const added = edits?.added.get(number) ?? [];
    if (text === undefined && added.length === 0) continue;
    if (before !== null && number > before + 1) rows.push({ kind: 'gap' });
    before = number;
    const isFlagged = flagged !== null && number >= flagged.first && number <= flagged.last;
    if (text !== undefined) rows.push({ kind: edits?.removed.has(number) ? 'removed' : 'kept', number, text, isFlagged });
    for (const line of added) rows.push({ kind: 'added', number: null, text: line, isFlagged: false });
  }
  return withoutMiddle(withoutBlankEdges(rows));
}

function linesToShow({ flagged, edits, context }: Omit<Framed, 'lineAt'>): number[] {
  const lines = new Set<number>();
  const show = (first: number, last: number): void => {
    for (let number = Math.max(0, first); number <= last; number += 1) lines.add(number);
  };
  if (flagged !== null && flagged.last - flagged.first < MOST_FLAGGED) show(flagged.first - context, flagged.last + context);
  else if (flagged !== null) {
    // Its beginning tells more than its end.
    show(flagged.first - context, flagged.first + 4);
    show(flagged.last - 2, flagged.last + context);
  }
  const around = flagged === null ? context : 1;
  for (const number of edits?.removed ?? []) show(number - around, number + around);
  for (const number of edits?.added.keys() ?? []) show(number + 1 - around, number + around);
  // What comes behind a line needs that line's place, also where it is not shown itself.
  for (const number of edits?.added.keys() ?? []) lines.add(number);
  return [...lines].toSorted((a, b) => a - b);
}

function withoutBlankEdges(rows: readonly FrameRow[]): FrameRow[] {
  const says = (row: FrameRow): boolean => row.kind === 'gap' || row.kind !== 'kept' || row.isFlagged || row.text.trim() !== '';
  return rows.slice(Math.max(0, rows.findIndex(says)), rows.findLastIndex(says) + 1);
}

/** A fix may be as long as a file. */
function withoutMiddle(rows: readonly FrameRow[]): FrameRow[] {
  if (rows.length <= MOST_ROWS) return [...rows];
  return [...rows.slice(0, MOST_ROWS - 10), { kind: 'gap' }, ...rows.slice(-9)];
}
