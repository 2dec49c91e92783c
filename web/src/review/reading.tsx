import { Tabs } from 'radix-ui';
import type { JSX } from 'react';
import { ApiError } from '../../../src/api/contract/client.ts';
import type { TaskOutput } from '../../../src/core/task-output.ts';
import { Button } from '../ui/button.tsx';
import { Plain } from '../ui/plain.tsx';
import { FindingNav } from '../finding/finding-nav.tsx';
import { AuthorAtWork } from './author-at-work.tsx';
import { CostLines } from './cost-footer.tsx';
import { LoopDiff } from './diff-place.tsx';
import { Fading } from './fading.tsx';
import { LoopFoot, useSideTabs } from './loop-side.tsx';
import { usePlace } from './place.ts';
import { isWhole, rangeWords } from './range.ts';
import { TabRow } from './side.tsx';
import { DiffSkeleton } from './skeleton.tsx';
import { MissingNote } from './missing-note.tsx';
import { NarrowBar } from './narrow-bar.tsx';
import { NewsButton } from './news-button.tsx';
import { Toolbar, useWalked } from './toolbar.tsx';
import type { PanelFacts } from './use-panel.ts';

type Given = { readonly facts: PanelFacts; readonly task: TaskOutput | undefined; readonly narrow: boolean };

/** Where one reads: the bar and the diff; on a phone one of the tabs. */
export function Reading({ facts, task, narrow }: Given): JSX.Element {
  return narrow ? <NarrowReading facts={facts} task={task} /> : <WideReading facts={facts} />;
}

function WideReading({ facts }: { readonly facts: PanelFacts }): JSX.Element {
  return (
    <section aria-label="The change" className="@container relative flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
      <Toolbar facts={facts} />
      <MissingNote facts={facts} />
      <Content facts={facts} />
    </section>
  );
}

type NarrowTab = 'read' | 'files' | 'findings' | 'task' | 'history';

/** On a phone the findings in their place come first; the list of them is behind their counter. */
function NarrowReading({ facts, task }: Omit<Given, 'narrow'>): JSX.Element {
  const { place, go } = usePlace();
  const tabs = useSideTabs(facts, task);
  const shown = place.file !== undefined || place.finding !== undefined ? 'read' : (place.tab ?? 'read');
  const isList = shown === 'findings';
  const choose = (name: NarrowTab): void => {
    go(
      { tab: name === 'read' ? undefined : name, file: undefined, line: undefined, finding: name === 'read' ? place.finding : undefined },
      { replace: true },
    );
  };
  const list = tabs.find(({ name }) => name === 'findings');
  const others = tabs.filter((tab) => tab !== list);
  return (
    <Tabs.Root
      // The list is another look at the findings, not another tab.
      value={isList ? 'read' : shown}
      onValueChange={(value) => {
        const tab = (['read', 'files', 'task', 'history'] as const).find((name) => name === value);
        if (tab !== undefined) choose(tab);
      }}
      className="flex min-h-0 min-w-0 flex-1 flex-col"
    >
      <TabRow tabs={narrowTabs(tabs, list?.count)} />
      <div className="relative flex min-h-0 flex-1 flex-col">
        {/* The diff keeps its size while something else is seen: one without any cannot be led to a file. */}
        <Tabs.Content value="read" forceMount className="absolute inset-0 flex min-h-0 flex-col bg-surface data-[state=inactive]:invisible">
          <NarrowBar facts={facts} list={isList} />
          <MissingNote facts={facts} />
          <div className="relative flex min-h-0 flex-1 flex-col">
            {isList ? list?.content : null}
            <div className={`absolute inset-0 flex min-h-0 flex-col ${isList ? 'invisible' : ''}`}>
              <Content facts={facts} />
            </div>
          </div>
          <ThumbBar facts={facts} list={isList} onList={() => choose(isList ? 'read' : 'findings')} />
        </Tabs.Content>
        {others.map(({ name, content }) => (
          <Tabs.Content key={name} value={name} className="relative flex min-h-0 flex-1 flex-col data-[state=inactive]:hidden">
            {content}
            {name === 'files' ? <LoopFoot facts={facts} /> : <CostLines loop={facts.loop} rounds={facts.rounds} />}
          </Tabs.Content>
        ))}
      </div>
    </Tabs.Root>
  );
}

function narrowTabs(
  tabs: ReturnType<typeof useSideTabs>,
  count: number | undefined,
): readonly { readonly name: NarrowTab; readonly label: string; readonly count?: number }[] {
  const files = tabs.find(({ name }) => name === 'files')?.count ?? 0;
  return [
    { name: 'read', label: 'Findings', ...(count === undefined ? {} : { count }) },
    { name: 'files', label: 'Files', count: files },
    { name: 'history', label: 'Rounds' },
    { name: 'task', label: 'Task' },
  ];
}

/** In reach of the thumb: through the findings, and to their list. */
function ThumbBar({
  facts,
  list,
  onList,
}: {
  readonly facts: PanelFacts;
  readonly list: boolean;
  readonly onList: () => void;
}): JSX.Element {
  return (
    <nav aria-label="Findings" className="flex h-16 shrink-0 items-center gap-2 border-t border-line bg-raised px-3 pb-1.5">
      <FindingNav findings={useWalked(facts)} size="thumb" />
      <span className="flex-1" />
      <NewsButton news={facts.news} onShow={facts.showNews} />
      <Button onClick={onList} className="!h-11">
        {list ? 'Diff' : 'List'}
      </Button>
    </nav>
  );
}

/** The diff, or why there is none. */
function Content({ facts }: { readonly facts: PanelFacts }): JSX.Element {
  const { change, loop, range, sessions } = facts;
  const { go } = usePlace();
  const whole = isWhole(range) ? null : <Button onClick={() => go({ range: undefined })}>Show the whole change</Button>;
  if (facts.changeError !== null && change === undefined) return <NoDiff facts={facts} error={facts.changeError} whole={whole} />;
  if (change === undefined || (facts.loading && change.files.length === 0)) return <DiffSkeleton />;
  if (change.files.length > 0)
    return (
      <Fading until={facts.loading ? rangeWords(range) : null}>
        <LoopDiff facts={facts} />
      </Fading>
    );
  if (isWhole(range) && loop.rounds.length === 0) return <AuthorAtWork loop={loop} sessions={sessions} />;
  return (
    <Empty title="Nothing differs here" text={`There is no difference in ${rangeWords(range)}.`}>
      {whole}
    </Empty>
  );
}

type NoDiffProps = { readonly facts: PanelFacts; readonly error: Error; readonly whole: JSX.Element | null };

function NoDiff({ facts, error, whole }: NoDiffProps): JSX.Element {
  return (
    <Empty title="This part cannot be shown" text={`${error.message} ${error instanceof ApiError ? error.remedy : ''}`}>
      <div className="flex gap-2">
        <Button onClick={facts.askAgain}>Ask again</Button>
        {whole}
      </div>
    </Empty>
  );
}

function Empty({
  title,
  text,
  children,
}: {
  readonly title: string;
  readonly text: string;
  readonly children: JSX.Element | null;
}): JSX.Element {
  return (
    <div className="grid flex-1 place-content-center justify-items-center gap-3 bg-surface p-6 text-center">
      <h2 className="text-title font-semibold tracking-tight">{title}</h2>
      <p className="max-w-[60ch] text-body text-fg-2">
        <Plain text={text} />
      </p>
      {children}
    </div>
  );
}
