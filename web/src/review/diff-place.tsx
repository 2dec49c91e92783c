import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { JSX } from 'react';
import type { ListedFinding } from '../../../src/api/contract/loops.ts';
import type { ChangeFile } from '../../../src/core/change-view.ts';
import type { LoopView } from '../../../src/core/view.ts';
import { DiffView } from '../diff/diff-view.tsx';
import type { DiffHandle } from '../diff/diff-view.tsx';
import { useLook } from '../diff/look.ts';
import { useFindingFilter } from '../finding/finding-filter.ts';
import { shownFindings } from '../finding/shown-findings.ts';
import { usePlace } from './place.ts';
import { askLoopChange } from './questions.ts';
import { isWhole, pointWords, shortId } from './range.ts';
import { readsFile } from './reading-file.ts';
import { ToldLine } from './told-line.tsx';
import type { PanelFacts } from './use-panel.ts';
import { useShowPlace } from './use-show-place.ts';
import { useWidth } from './use-width.ts';
import { wrongPlace } from './wrong-link.ts';

/** The diff of a loop, with what is shown of its findings, at the place that the address names. */
export function LoopDiff({ facts }: { readonly facts: PanelFacts }): JSX.Element | null {
  const { loop: newest, comments, change, shown } = facts;
  const loop = useMemo(() => ({ ...newest, comments: [...comments] }), [newest, comments]);
  const filter = useFindingFilter();
  // What is settled stays at its lines as a quiet one, whichever findings are walked through.
  const findings = useMemo(() => shownFindings(shown, { ...filter, showing: 'all' }), [shown, filter]);
  const since = useSince(facts);
  if (change === undefined) return null;
  return <DiffPlace change={change.change} files={change.files} findings={findings} loop={loop} since={since} />;
}

type Given = {
  readonly change: string;
  readonly files: readonly ChangeFile[];
  readonly findings: readonly ListedFinding[];
  readonly loop: LoopView | null;
  readonly since?: (file: ChangeFile) => readonly string[];
};

/** Two sides that are narrower than this cannot be read. */
const TWO_SIDES = 640;

/** A diff at the place that the address names. */
export function DiffPlace({ change, files, findings, loop, since }: Given): JSX.Element {
  const { style, whitespace } = useLook();
  const handle = useRef<DiffHandle>(null);
  const [width, ref] = useWidth(TWO_SIDES);
  const { place, go } = usePlace();
  const wrong = wrongPlace(place, useShowPlace(handle, { change, files, loop: loop?.id, findings }));
  useEffect(() => () => readsFile(null), []);
  return (
    <>
      <div role="status">
        {wrong === null ? null : (
          <ToldLine told={{ text: wrong.text, label: 'All right', act: () => go(wrong.without, { replace: true }) }} />
        )}
      </div>
      <div ref={ref} data-diff-scroller className="min-h-0 flex-1">
        <DiffView
          change={change}
          files={files}
          findings={findings}
          loop={loop}
          whitespace={whitespace}
          style={width < TWO_SIDES ? 'unified' : style}
          handle={handle}
          onFile={readsFile}
          {...(since === undefined ? {} : { since })}
        />
      </div>
    </>
  );
}

/** What is said beside the name of a file: which commits are compared, or that it changed since the round before. */
function useSince({ loop, rounds, range, head, loading }: PanelFacts): (file: ChangeFile) => readonly string[] {
  const whitespace = useLook((look) => look.whitespace);
  const before = rounds.findLast((round) => round.head.commit !== head);
  const whole = isWhole(range);
  const { data } = useQuery({
    ...askLoopChange(loop.id, { from: `round-${before?.round ?? 1}`, to: head, whitespace }),
    enabled: whole && before !== undefined,
  });
  const paths = useMemo(() => new Set(data?.files.map(({ path }) => path)), [data]);
  const round = before?.round;
  const left = range === 'seen' ? 'what you saw' : range.from === 'base' ? null : pointWords(range.from);
  const right = range === 'seen' || range.to === 'head' ? shortId(head) : pointWords(range.to);
  return useCallback(
    (file: ChangeFile) => {
      // The one before has other ends.
      if (loading) return [];
      if (!whole) return left === null ? [] : [`${left} on the left, ${right} on the right`];
      return round !== undefined && paths.has(file.path) ? [`changed since round ${round}`] : [];
    },
    [loading, whole, left, right, round, paths],
  );
}
