import type { JSX } from 'react';
import { LookMenu } from '../diff/look-menu.tsx';
import { FindingFilters } from '../finding/finding-filters.tsx';
import { LoopRange } from './toolbar.tsx';
import type { PanelFacts } from './use-panel.ts';

/** The bar above the diff on a phone: what is shown of it, which findings, and how. */
export function NarrowBar({ facts, list }: { readonly facts: PanelFacts; readonly list: boolean }): JSX.Element {
  const { loop, findings } = facts;
  return (
    <div role="toolbar" aria-label="Diff" className="flex h-11 shrink-0 items-center gap-1 border-b border-line bg-bg pr-1 pl-3 text-small">
      <LoopRange facts={facts} />
      <span className="ml-auto flex h-full w-[212px] shrink-0 overflow-hidden">
        {findings.length === 0 ? null : <FindingFilters loop={loop.id} findings={findings} />}
      </span>
      {list ? null : <LookMenu search />}
    </div>
  );
}
