import { useCallback, useEffect, useRef } from 'react';
import type { DiffModel } from './diff-model.ts';
import { paintMarks } from './marks.ts';
import type { Sought } from './marks.ts';
import type { Found } from './search-box.tsx';
import type { Search } from './search.ts';

/** What is marked in the lines. */
export type Marked = { readonly model: DiffModel; readonly search: Search | null };

/** Marks what is looked for whenever other lines are drawn, and leads to what was found. */
export function useMarks({ model, search }: Marked): { onFound: (found: Found | null) => void; onDrawn: () => void } {
  const sought = useRef<Sought | null>(null);
  const current = useRef<Sought['current']>(null);
  const frame = useRef(0);
  const onDrawn = useCallback(() => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => {
      if (model.viewer !== null) paintMarks(model.viewer, sought.current, model.hasNamed);
    });
  }, [model]);
  useEffect(() => {
    sought.current = search === null ? null : { ...search, current: current.current };
    onDrawn();
  }, [search, onDrawn]);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  const onFound = useCallback(
    (found: Found | null) => {
      const entry = found === null ? undefined : model.entry(found.path);
      const side = found?.side === 'old' ? 'deletions' : 'additions';
      current.current = found === null || entry === undefined ? null : { id: entry.id, line: found.line, side };
      if (sought.current !== null) sought.current = { ...sought.current, current: current.current };
      if (found === null || entry === undefined) onDrawn();
      else void model.showLine(entry, found.line, side).then(onDrawn);
    },
    [model, onDrawn],
  );
  return { onFound, onDrawn };
}
