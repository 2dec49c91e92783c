import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useDeferredValue, useEffect, useMemo } from 'react';
import type { JSX } from 'react';
import { ApiError } from '../../../src/api/contract/client.ts';
import type { ListedLoop } from '../../../src/api/contract/loops.ts';
import { useConnection } from '../api/live.ts';
import { useSent } from '../decide/sent.ts';
import { remedyForPeople } from '../api/remedy.ts';
import { Caught } from '../shell/caught.tsx';
import { Trouble } from '../shell/lost.tsx';
import { useTitle } from '../shell/title.ts';
import { useNextWaiting } from '../shell/waiting.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { BoardBar } from './board-bar.tsx';
import { ColumnView } from './column.tsx';
import { COLUMNS } from './columns.ts';
import { matches } from './filter.ts';
import { loadBoard, loadMatching, useLoops } from './loops.ts';
import { byColumn, doneTodayWords, facts, startOfDay, waitingForYou } from './order.ts';
import { NothingFound } from './nothing-found.tsx';
import { BoardSkeleton } from './skeleton.tsx';
import { Strip } from './strip.tsx';
import { leadWords, useTaskDraft } from './task-draft.ts';

const EmptyBoard = lazy(async () => ({ default: (await import('./empty.tsx')).EmptyBoard }));
const RunsView = lazy(async () => ({ default: (await import('./runs.tsx')).RunsView }));
const TaskForm = lazy(async () => ({ default: (await import('./task-form.tsx')).TaskForm }));

/** All loops of the project, by where they stand. */
export function Board(): JSX.Element {
  useTitle(null);
  const { loaded, error, total } = useLoops();
  const isLive = useConnection(({ state }) => state === 'live');
  // Also what could not be read while nothing was heard.
  useEffect(() => {
    if (isLive || useLoops.getState().loaded !== 'open') void loadBoard();
  }, [isLive]);
  if (loaded !== 'open') return error === null ? <BoardSkeleton /> : <Failed error={error} />;
  return (
    <main className="flex h-full flex-col">
      {total === 0 ? null : <h1 className="sr-only">Board</h1>}
      <Suspense>{total === 0 ? <EmptyBoard /> : <Filled />}</Suspense>
      <NewTask />
    </main>
  );
}

function Filled(): JSX.Element {
  const { q = '', by = 'state' } = useSearch({ from: '/' });
  const navigate = useNavigate({ from: '/' });
  const known = useLoops(({ loops }) => loops);
  const filter = useDeferredValue(q.trim());
  useFound(filter);
  const next = useNextWaiting();
  const sent = useSent((decided) => decided.sent);
  // What was just decided about stays as it was for a moment, so that nothing slides under a hand.
  const all = useMemo(() => [...known.values()].map((loop) => sent.get(loop.id) ?? loop), [known, sent]);
  const waiting = useMemo(() => waitingForYou(all), [all]);
  const counts = useMemo(() => facts(all, startOfDay()), [all]);
  const back = useLoops(({ finishedBack, finishedNext }) => (finishedNext === null ? null : finishedBack));
  const doneToday = doneTodayWords(counts.doneToday, { today: startOfDay(), back });
  const shown = useMemo(() => (filter === '' ? all : all.filter((loop) => matches(loop, filter))), [all, filter]);
  return (
    <>
      {waiting.length === 0 ? null : <Strip waiting={waiting} onNext={next} />}
      <BoardBar counts={{ ...counts, doneToday }} />
      <Caught key={by} onCaught={() => void navigate({ search: (search) => ({ ...search, by: undefined }), replace: true })}>
        <Suspense>{by === 'run' ? <RunsView loops={shown} /> : <Columns loops={shown} words={filter} doneToday={doneToday} />}</Suspense>
      </Caught>
    </>
  );
}

function Columns({
  loops,
  words,
  doneToday,
}: {
  readonly loops: readonly ListedLoop[];
  readonly words: string;
  readonly doneToday: string;
}): JSX.Element {
  const columns = useMemo(() => byColumn(loops), [loops]);
  const isNothing = words !== '' && loops.length === 0;
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div className="board-columns min-h-0 flex-1 px-2">
        {COLUMNS.map((column) => (
          <ColumnView key={column} column={column} loops={columns[column]} words={words} isNothing={isNothing} doneToday={doneToday} />
        ))}
      </div>
      {isNothing ? (
        <div className="absolute inset-x-0 top-12">
          <NothingFound />
        </div>
      ) : null}
    </div>
  );
}

/** Also finished loops that this page has not asked for yet are found by their words. */
function useFound(filter: string): void {
  useEffect(() => {
    if (filter === '') return;
    const timer = setTimeout(() => void loadMatching(filter.slice(0, 200)).catch(() => undefined), 250);
    return () => clearTimeout(timer);
  }, [filter]);
}

function Failed({ error }: { readonly error: unknown }): JSX.Element {
  const what = error instanceof Error ? error.message : String(error);
  const remedy = error instanceof ApiError ? ` ${remedyForPeople(error.remedy) ?? ''}` : '';
  return (
    <Trouble title="The loops could not be read" text={`${what}${remedy} Nothing was lost: whatever runs goes on.`}>
      <Button kind="primary" onClick={() => void loadBoard()}>
        Try again
      </Button>
    </Trouble>
  );
}

function NewTask(): JSX.Element | null {
  const { new: isOpen = false } = useSearch({ from: '/' });
  const isEmpty = useLoops(({ total }) => total === 0);
  const lead = useTaskDraft(({ draft }) => leadWords(draft));
  const navigate = useNavigate({ from: '/' });
  if (!isOpen || isEmpty) return null;
  const close = (): void => void navigate({ search: (search) => ({ ...search, new: undefined }), replace: true });
  return (
    <Caught onCaught={close}>
      <Dialog title="New task" lead={lead} onClose={close} wide>
        <div className="mt-4 min-h-44">
          <Suspense>
            <TaskForm
              onStarted={close}
              leave={
                <>
                  <span className="flex-1 text-small text-fg-3">Your words are kept until it is started.</span>
                  <Button onClick={close}>Not now</Button>
                </>
              }
            />
          </Suspense>
        </div>
      </Dialog>
    </Caught>
  );
}
