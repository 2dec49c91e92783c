/** A measured amount with its unit, such as `ms` or `steps/s`. */
export type Quantity = { readonly value: number; readonly unit: string };

/** What must hold: of the ratio to the baseline, or of our own figure. */
export type Budget = { readonly of: 'ratio' | 'ours'; readonly bound: 'at most' | 'at least'; readonly limit: number };

/** What one row of the bench measured, before it is judged. */
export type Figures = {
  readonly row: string;
  readonly ours: Quantity;
  /** What the same work costs without us; null where there is nothing to compare with. */
  readonly baseline: Quantity | null;
  /** Null where a figure is only shown. */
  readonly budget: Budget | null;
  /** One sentence for the reader of the table. */
  readonly note: string;
};

/** One line of the bench. */
export type Row = Figures & { readonly ratio: number | null; readonly isMet: boolean | null };

/** Holds figures against their budget. */
export function judge(figures: Figures): Row {
  const { ours, baseline, budget } = figures;
  const ratio = baseline === null ? null : ours.value / baseline.value;
  if (budget === null) return { ...figures, ratio, isMet: null };
  const judged = budget.of === 'ours' ? ours.value : (ratio ?? Number.NaN);
  return { ...figures, ratio, isMet: budget.bound === 'at most' ? judged <= budget.limit : judged >= budget.limit };
}

/** The rows as lines of a table for a terminal. */
export function tableLines(rows: readonly Row[]): string[] {
  const head = ['row', 'ours', 'baseline', 'ratio', 'budget', 'met'];
  const cells = [head, ...rows.map(cellsOf)];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)));
  return cells.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

function cellsOf({ row, ours, baseline, ratio, budget, isMet }: Row): string[] {
  return [
    row,
    quantityText(ours),
    baseline === null ? '' : quantityText(baseline),
    ratio === null ? '' : `${short(ratio)} ×`,
    budget === null ? '' : `${budget.bound === 'at most' ? '≤' : '≥'} ${limitText(budget, ours)}`,
    isMet === null ? '' : isMet ? 'yes' : 'NO',
  ];
}

function limitText({ of, limit }: Budget, { unit }: Quantity): string {
  return of === 'ratio' ? `${limit} ×` : `${limit} ${unit}`;
}

function quantityText({ value, unit }: Quantity): string {
  return `${short(value)} ${unit}`;
}

function short(value: number): string {
  return Number.isInteger(value) || value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2);
}
