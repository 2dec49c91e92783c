import { Tabs } from 'radix-ui';
import type { JSX, ReactNode } from 'react';
import type { ChangeFile, ChangeTotals } from '../../../src/core/change-view.ts';
import { useViewed, viewedCount } from '../diff/viewed.ts';
import { usePlace } from './place.ts';

/** One thing that can be looked at beside the diff. */
export type SideTab = {
  readonly name: 'files' | 'findings' | 'task' | 'history';
  readonly label: string;
  readonly count?: number;
  readonly content: ReactNode;
};

/** What stands beside the diff: one of several lists, chosen by a tab that the address remembers. */
export function Side({ tabs, foot }: { readonly tabs: readonly SideTab[]; readonly foot: ReactNode }): JSX.Element {
  const { place, go } = usePlace();
  const shown = tabs.find(({ name }) => name === place.tab) ?? tabs[0];
  return (
    <aside aria-label="Files, findings, task and history" className="flex min-h-0 min-w-0 flex-col border-r border-line">
      <Tabs.Root
        value={shown?.name ?? 'files'}
        onValueChange={(value) => {
          const next = tabs.find(({ name }) => name === value);
          if (next !== undefined) go({ tab: next === tabs[0] ? undefined : next.name }, { replace: true });
        }}
        className="flex min-h-0 flex-1 flex-col"
      >
        <TabRow tabs={tabs} />
        {tabs.map(({ name, content }) => (
          <Tabs.Content key={name} value={name} className="flex min-h-0 flex-1 flex-col data-[state=inactive]:hidden">
            {content}
          </Tabs.Content>
        ))}
      </Tabs.Root>
      {foot}
    </aside>
  );
}

/** The tabs in a row. */
export function TabRow({
  tabs,
}: {
  readonly tabs: readonly { readonly name: string; readonly label: string; readonly count?: number }[];
}): JSX.Element {
  return (
    <Tabs.List className="flex h-10 shrink-0 gap-3 overflow-x-auto px-4 max-md:gap-2.5 whitespace-nowrap [scrollbar-width:none] max-sm:h-11 max-sm:gap-5 max-sm:border-b max-sm:border-line">
      {tabs.map(({ name, label, count }) => (
        <Tabs.Trigger
          key={name}
          value={name}
          className="inline-flex items-center gap-1.5 border-b-2 border-transparent text-fg-2 hover:text-fg focus-visible:outline-offset-[-2px] data-[state=active]:border-fg data-[state=active]:font-semibold data-[state=active]:text-fg"
        >
          {label}
          {count === undefined ? null : <span className="font-normal text-fg-3">{count}</span>}
        </Tabs.Trigger>
      ))}
    </Tabs.List>
  );
}

/** How much was looked at, and how much there is. */
export function SideFoot({
  files,
  totals,
  scope,
}: {
  readonly files: readonly ChangeFile[];
  readonly totals: ChangeTotals;
  readonly scope: string;
}): JSX.Element {
  const { viewed } = useViewed();
  const seen = viewedCount(viewed, scope, files);
  return (
    <div className="flex h-9 shrink-0 items-center gap-2 border-t border-line px-4 text-small whitespace-nowrap text-fg-3">
      <span>
        <b className="font-semibold text-fg">{seen}</b> of {files.length} viewed
      </span>
      <span aria-hidden className="relative h-1 w-16 min-w-0 shrink overflow-hidden rounded-[2px] bg-line-strong max-md:hidden">
        <i className="absolute inset-y-0 left-0 bg-fg-2" style={{ width: `${files.length === 0 ? 0 : (seen / files.length) * 100}%` }} />
      </span>
      <span className="flex-1" />
      <span>
        +{totals.added.toLocaleString('en-US')} −{totals.removed.toLocaleString('en-US')}
      </span>
    </div>
  );
}
