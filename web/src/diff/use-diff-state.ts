import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { useConnection } from '../api/live.ts';
import { usePlace } from '../review/place.ts';
import type { Diff } from './diff-context.ts';
import { DiffModel } from './diff-model.ts';
import type { DiffProps } from './diff-props.ts';
import { placeNotes } from './notes.ts';
import { Pointer } from './pointer.ts';
import type { Place, Row } from './rows.ts';
import { rowWords } from './steering.ts';
import { isViewed, useViewed, viewedScope } from './viewed.ts';

/** What a diff keeps while it is on the screen. */
export type DiffState = {
  readonly diff: Diff;
  readonly pointer: Pointer;
  /** Where the line under the cursor is told. */
  readonly spoken: RefObject<HTMLParagraphElement | null>;
  readonly onScroll: () => void;
  readonly onRow: (row: Row) => void;
  readonly onPlace: (place: Place) => void;
};

/** Keeps the model of a diff in step with what should be shown. */
export function useDiffState({ change, files, findings, loop, whitespace, onFile, since }: DiffProps): DiffState {
  const [{ model, pointer }] = useState(() => {
    const fresh = new DiffModel();
    return { model: fresh, pointer: new Pointer(fresh) };
  });
  const spoken = useRef<HTMLParagraphElement>(null);
  const { go } = usePlace();
  const scope = viewedScope(loop, change);
  const comments = loop?.comments;
  const notes = useMemo(() => placeNotes(files, findings, comments ?? []), [files, findings, comments]);
  const byId = useMemo(() => new Map(findings.map((finding) => [finding.id, finding])), [findings]);
  const diff = useMemo(
    () => ({ model, change, loop, findings: byId, notes, files, scope, since }),
    [model, change, loop, byId, notes, files, scope, since],
  );
  useLayoutEffect(() => {
    model.show({ change, files, whitespace, notes, isViewed: (file) => isViewed(useViewed.getState().viewed, scope, file) });
  }, [model, change, files, whitespace, notes, scope]);
  useEffect(
    () =>
      useConnection.subscribe(({ state }, before) => {
        if (state === 'live' && before.state !== 'live') model.connected();
      }),
    [model],
  );
  const tellFile = useCallback(() => {
    const path = model.current()?.file.path;
    if (path !== undefined) onFile?.(path);
  }, [model, onFile]);
  useEffect(() => model.led.subscribe(tellFile), [model, tellFile]);
  const onScroll = useCallback(() => {
    model.moved();
    tellFile();
  }, [model, tellFile]);
  const onRow = useCallback((row: Row) => {
    if (spoken.current !== null) spoken.current.textContent = rowWords(row);
  }, []);
  const onPlace = useCallback(
    (place: Place) => {
      const row = pointer.put(place);
      if (row !== null) onRow(row);
      const file = model.entry(place.id)?.file.path;
      const side = place.side === 'deletions' ? ('old' as const) : undefined;
      go({ file, line: place.line, side, finding: undefined }, { replace: true });
    },
    [model, pointer, go, onRow],
  );
  return { diff, pointer, spoken, onScroll, onRow, onPlace };
}
