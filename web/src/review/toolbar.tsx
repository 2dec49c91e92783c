import { useMemo } from 'react';
import type { JSX } from 'react';
import type { ListedFinding } from '../../../src/api/contract/loops.ts';
import { DiffToolbar } from '../diff/toolbar.tsx';
import { useFindingFilter } from '../finding/finding-filter.ts';
import { FindingFilters } from '../finding/finding-filters.tsx';
import { FindingNav } from '../finding/finding-nav.tsx';
import { shownFindings } from '../finding/shown-findings.ts';
import { NewsButton } from './news-button.tsx';
import { usePlace } from './place.ts';
import { RangeMenu } from './range-menu.tsx';
import { rangeText } from './range.ts';
import type { PanelFacts } from './use-panel.ts';

/** How the bars above a diff look. */
export const TOOLBAR =
  'flex h-10 shrink-0 coarse:h-12 items-center gap-2 border-b border-line bg-bg pr-3 pl-4 text-small whitespace-nowrap';

/** The bar above the diff: what is shown of it, how, and the way through the findings. */
export function Toolbar({ facts }: { readonly facts: PanelFacts }): JSX.Element {
  const { loop, findings, news, showNews } = facts;
  const walked = useWalked(facts);
  return (
    <div role="toolbar" aria-label="Diff" className={TOOLBAR}>
      <LoopRange facts={facts} />
      <span aria-hidden className="mx-0.5 h-[18px] w-px shrink-0 bg-line-strong" />
      <span className="flex h-full min-w-0 flex-1 overflow-hidden">
        {findings.length === 0 ? null : <FindingFilters loop={loop.id} findings={findings} />}
      </span>
      <NewsButton news={news} onShow={showNews} />
      <DiffToolbar />
      {findings.length === 0 ? null : <FindingNav findings={walked} />}
    </div>
  );
}

/** Which part of the loop's life is shown. */
export function LoopRange({ facts: { range, rounds, head, look } }: { readonly facts: PanelFacts }): JSX.Element {
  const { go } = usePlace();
  return (
    <RangeMenu
      range={range}
      rounds={rounds}
      head={head}
      look={look}
      onRange={(next) => go({ range: rangeText(next), file: undefined, line: undefined, side: undefined })}
    />
  );
}

/** The findings that one walks through, in the order of the diff. */
export function useWalked({ shown, change }: PanelFacts): readonly ListedFinding[] {
  const filter = useFindingFilter();
  return useMemo(() => shownFindings(shown, filter, change?.files.map(({ path }) => path) ?? []), [shown, filter, change]);
}
