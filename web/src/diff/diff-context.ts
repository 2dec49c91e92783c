import { createContext, useContext } from 'react';
import type { LoopView } from '../../../src/core/view.ts';
import type { FindingOutput } from '../../../src/core/output.ts';
import type { DiffFile } from './diff-file.ts';
import type { DiffModel } from './diff-model.ts';
import type { PlacedNotes } from './notes.ts';

/** What the parts inside of the viewer know: they are drawn by it, not by us. */
export type Diff = {
  readonly model: DiffModel;
  readonly change: string;
  readonly loop: LoopView | null;
  readonly findings: ReadonlyMap<string, FindingOutput>;
  readonly notes: PlacedNotes;
  readonly files: readonly DiffFile[];
  readonly scope: string;
  /** What changed in a file since the last look or round, in words. */
  readonly since: ((file: DiffFile) => readonly string[]) | undefined;
};

/** Hands it down. */
export const DiffContext = createContext<Diff | null>(null);

/** The diff that something is a part of. */
export function useDiff(): Diff {
  const diff = useContext(DiffContext);
  if (diff === null) throw new Error('only inside of a diff');
  return diff;
}
