import type { SelectionSide } from '@pierre/diffs';

/** A line in the viewer. */
export type Place = { readonly id: string; readonly line: number; readonly side: SelectionSide };

/** A row as it is drawn, and the line that it shows. */
export type Row = Place & { readonly element: HTMLElement; readonly kind: string };

/** The cells that show a line: its number and its text. */
export function rowsAt(root: ShadowRoot | null, { line, side }: Omit<Place, 'id'>): HTMLElement[] {
  const cells = root?.querySelectorAll<HTMLElement>(`[data-line="${line}"],[data-column-number="${line}"]`);
  return [...(cells ?? [])].filter((cell) => sideOf(cell, side) === side);
}

/** Which side a cell is of; context of a unified diff is of both, and its number is the new one. */
function sideOf(cell: HTMLElement, wanted: SelectionSide): SelectionSide {
  const column = cell.closest<HTMLElement>('[data-code]');
  if (column !== null && 'deletions' in column.dataset) return 'deletions';
  if (column !== null && 'additions' in column.dataset) return 'additions';
  const type = cell.dataset['lineType'] ?? '';
  if (type === 'change-deletion') return 'deletions';
  return type === 'change-addition' ? 'additions' : wanted === 'deletions' ? 'additions' : wanted;
}

/** The rows of a file that are drawn, from top to bottom; of two beside each other the new one, unless there is only an old one. */
export function rowsOf(id: string, element: HTMLElement): Row[] {
  const rows = new Map<number, Row>();
  for (const cell of element.shadowRoot?.querySelectorAll<HTMLElement>('[data-content] > [data-line]') ?? []) {
    const [unified = 0, split = 0] = (cell.dataset['lineIndex'] ?? '').split(',').map(Number);
    const beside = cell.closest('[data-unified]') === null;
    const side = sideOf(cell, 'additions');
    const at = beside ? split : unified;
    if (side === 'deletions' && rows.has(at)) continue;
    rows.set(at, { id, line: Number(cell.dataset['line']), side, element: cell, kind: cell.dataset['lineType'] ?? 'context' });
  }
  return [...rows].toSorted(([a], [b]) => a - b).map(([, row]) => row);
}
