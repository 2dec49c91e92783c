import type { SelectionSide } from '@pierre/diffs';
import type { Side } from '../../../src/core/draft.ts';
import type { DiffModel } from './diff-model.ts';
import type { Entry } from './entry.ts';
import type { PlacedNotes } from './notes.ts';
import type { Pointer } from './pointer.ts';
import type { Row } from './rows.ts';

/** What others may ask of a diff. */
export type DiffHandle = {
  readonly showFile: (path: string) => void;
  /** Says whether there is such a line, or why there is none is said at its file. */
  readonly showLine: (path: string, line: number, side: Side) => Promise<boolean>;
  readonly showFinding: (id: string) => void;
  readonly showTop: () => void;
};

/** The parts that are steered. */
export type Steered = { readonly model: DiffModel; readonly pointer: Pointer; readonly notes: () => PlacedNotes };

/** Leads people to files, lines and findings of a diff. */
export function handleOf({ model, pointer, notes }: Steered): DiffHandle {
  const showLine = async (entry: Entry, line: number, side: SelectionSide): Promise<boolean> => {
    const place = { id: entry.id, line, side };
    // Whoever put the cursor there sees it, and is not moved.
    if (pointer.sees(place)) return true;
    if (!(await model.showLine(entry, line, side))) return entry.state === 'failed';
    pointer.put(place);
    pointer.show(place);
    return true;
  };
  const showFile = (path: string): void => {
    const entry = model.entry(path);
    if (entry === undefined) return;
    model.fold(entry, false);
    model.showFile(entry);
  };
  const showTop = (): void => model.goTo({ type: 'position', position: 0 });
  return {
    showFile,
    showTop,
    showLine: async (path, line, side) => {
      const entry = model.entry(path);
      return entry !== undefined && (await showLine(entry, line, side === 'old' ? 'deletions' : 'additions'));
    },
    showFinding: (id) => {
      const place = placeOf(notes(), id);
      const entry = place === null ? undefined : model.entry(place.path);
      if (entry === undefined) showTop();
      else if (place === null || place.line === 0) showFile(entry.id);
      else void model.showLine(entry, place.line, 'additions');
    },
  };
}

function placeOf({ byFile }: PlacedNotes, id: string): { readonly path: string; readonly line: number } | null {
  for (const [path, notes] of byFile) {
    const note = notes.find((one) => one.kind === 'finding' && one.id === id);
    if (note !== undefined) return { path, line: note.line };
  }
  return null;
}

/** A line as it is told to those who do not see it. */
export function rowWords({ kind, line, element }: Row): string {
  const what = kind === 'change-addition' ? 'Added' : kind === 'change-deletion' ? 'Removed' : 'Unchanged';
  const text = element.textContent.trim();
  return `${what} line ${line}: ${text === '' ? 'empty' : text}`;
}
