import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { JSX } from 'react';
import { ApiError } from '../../../src/api/contract/client.ts';
import type { LoopView } from '../../../src/core/view.ts';
import { asking } from '../api/queries.ts';
import { Lost, Trouble } from '../shell/lost.tsx';
import { useKeys } from '../shell/keys.ts';
import { useTitle } from '../shell/title.ts';
import { buttonLooks } from '../ui/button.tsx';
import { CostFooter } from './cost-footer.tsx';
import { CourtRow } from './court-row.tsx';
import { Drawer } from './drawer.tsx';
import { LoopBar } from './loop-bar.tsx';
import { LoopSide } from './loop-side.tsx';
import { Reading } from './reading.tsx';
import { usePlace } from './place.ts';
import { nextRound, rangeText } from './range.ts';
import { PanelSkeleton } from './skeleton.tsx';
import { useFold } from './use-fold.ts';
import { useNarrow } from './use-media.ts';
import { usePanel } from './use-panel.ts';
import type { PanelFacts } from './use-panel.ts';
import { loadMarkdown } from '../ui/markdown.tsx';

// By the time that findings are there, what draws their texts is too, and nothing moves.
void loadMarkdown();

/** The review of one loop: where it stands, what was found, and the change itself. */
export function LoopPanel(): JSX.Element {
  const { id } = useParams({ from: '/loop/$id' });
  return /^[1-9]\d{0,14}$/.test(id) ? <Asked key={id} id={Number(id)} /> : <Lost />;
}

function Asked({ id }: { readonly id: number }): JSX.Element {
  const { data, error } = useQuery(asking('showLoop', { params: { id } }));
  if (data !== undefined) return <Panel loop={data} />;
  return error === null ? <PanelSkeleton /> : <Missing id={id} error={error} />;
}

function Missing({ id, error }: { readonly id: number; readonly error: Error }): JSX.Element {
  const known = error instanceof ApiError;
  return (
    <Trouble
      title={known && error.status === 404 ? `There is no loop #${id}` : `Loop #${id} cannot be shown`}
      text={`${error.message} ${known ? error.remedy : ''}`}
    >
      <Link to="/" className={buttonLooks({ kind: 'primary' })}>
        Back to the board
      </Link>
    </Trouble>
  );
}

function Panel({ loop }: { readonly loop: LoopView }): JSX.Element {
  const facts = usePanel(loop);
  const fold = useFold();
  const narrow = useNarrow();
  const { data: task } = useQuery(asking('readTask', { params: { id: loop.id } }));
  useTitle(`#${loop.id} ${loop.task.title}`);
  usePanelKeys(facts);
  return (
    <main onScrollCapture={fold.onScrollCapture} className="grid h-full grid-rows-[auto_auto_minmax(0,1fr)_auto]">
      <LoopBar loop={loop} base={task?.base.ref ?? null} />
      <CourtRow facts={facts} folded={fold.folded} onOpen={fold.open} />
      <div className="flex min-h-0 min-w-0 border-t border-line max-sm:border-t-0">
        {narrow ? null : (
          <div className="w-[264px] shrink-0 max-md:w-[248px] min-[1800px]:w-[300px] *:h-full">
            <LoopSide facts={facts} task={task} />
          </div>
        )}
        <Reading facts={facts} task={task} narrow={narrow} />
        <Drawer loop={loop} facts={facts} />
      </div>
      <CostFooter loop={loop} rounds={facts.rounds} />
    </main>
  );
}

/** The keys of the whole panel. */
function usePanelKeys({ range, rounds, head }: PanelFacts): void {
  const { place, go } = usePlace();
  const { drawer } = place;
  useKeys(
    useMemo(() => {
      const step = (by: 1 | -1) => (): void => {
        const next = nextRound(range, { rounds, head }, by);
        if (next !== null) go({ range: rangeText(next), file: undefined, line: undefined, side: undefined });
      };
      return {
        'Shift+P': () => go({ drawer: drawer === undefined ? 'proof' : undefined }),
        // With ⇧ a bracket is another character, on most keyboards.
        'Shift+BracketRight': step(1),
        'Shift+BracketLeft': step(-1),
      };
    }, [go, drawer, range, rounds, head]),
  );
}
