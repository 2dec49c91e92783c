import type { CodeViewAnnotationArgs, CodeViewHandle } from '@pierre/diffs/react';
import { CodeView, WorkerPoolContextProvider } from '@pierre/diffs/react';
import { useImperativeHandle, useLayoutEffect, useMemo, useRef } from 'react';
import type { JSX } from 'react';
import { AboveFiles } from './above-files.tsx';
import { DiffContext } from './diff-context.ts';
import type { DiffProps } from './diff-props.ts';
import type { Hung } from './entry.ts';
import { FileHeader } from './file-header.tsx';
import { useLook } from './look.ts';
import { NoteRow } from './note-row.tsx';
import { SearchBox } from './search-box.tsx';
import { useSearchBox } from './search.ts';
import { handleOf } from './steering.ts';
import { registerTheme, THEME } from './theme.ts';
import { useDiffKeys } from './use-diff-keys.ts';
import { useDiffState } from './use-diff-state.ts';
import { useMarks } from './use-marks.ts';
import { viewerOptions } from './viewer-options.ts';
import { VIEWER_VARIABLES } from './viewer-css.ts';

export type { DiffHandle } from './steering.ts';

registerTheme();
const POOL = {
  workerFactory: () => new Worker(new URL('./colour-worker.ts', import.meta.url), { type: 'module' }),
  poolSize: 2,
};
const HIGHLIGHTER = { theme: THEME, preferredHighlighter: 'highlights' } as const;

/** The change itself, with what was found in it. */
export function DiffView(props: DiffProps): JSX.Element {
  return (
    <WorkerPoolContextProvider poolOptions={POOL} highlighterOptions={HIGHLIGHTER}>
      <DiffBody {...props} />
    </WorkerPoolContextProvider>
  );
}

function DiffBody(props: DiffProps): JSX.Element {
  const { change, whitespace, style, handle } = props;
  const viewer = useRef<CodeViewHandle<Hung, undefined>>(null);
  const { diff, pointer, spoken, onScroll, onPlace, onRow } = useDiffState(props);
  const { model, scope, notes } = diff;
  const wrap = useLook((look) => look.wrap);
  const search = useSearchBox((box) => box.search);
  const { onFound, onDrawn } = useMarks({ model, search });
  const options = useMemo(
    () => viewerOptions({ model, pointer, change, style, wrap, onPlace, onDrawn }),
    [model, pointer, change, style, wrap, onPlace, onDrawn],
  );
  useLayoutEffect(() => {
    model.attach(viewer.current?.getInstance() ?? null);
    return () => model.attach(null);
  }, [model]);
  useImperativeHandle(handle, () => handleOf({ model, pointer, notes: () => notes }), [model, pointer, notes]);
  useDiffKeys({ model, pointer, scope, onRow, onPlace });
  return (
    <DiffContext value={diff}>
      <div className="relative h-full min-h-0">
        <CodeView<Hung>
          ref={viewer}
          className="h-full overflow-x-clip overflow-y-auto bg-surface outline-none"
          style={VIEWER_VARIABLES}
          options={options}
          onScroll={onScroll}
          renderCustomHeader={renderHeader}
          renderAnnotation={renderNote}
          renderCodeViewHeader={renderAbove}
        />
        {search === null ? null : <SearchBox search={search} change={change} whitespace={whitespace} onFound={onFound} />}
        <p ref={spoken} aria-live="polite" className="sr-only" />
      </div>
    </DiffContext>
  );
}

function renderHeader({ id }: { readonly id: string }): JSX.Element {
  return <FileHeader id={id} />;
}

function renderNote(...[{ metadata }, , { id }]: CodeViewAnnotationArgs<Hung>): JSX.Element {
  return <NoteRow note={metadata.note} path={id} />;
}

function renderAbove(): JSX.Element {
  return <AboveFiles />;
}
