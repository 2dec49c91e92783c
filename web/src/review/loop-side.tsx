import { useMemo } from 'react';
import type { JSX } from 'react';
import type { TaskOutput } from '../../../src/core/task-output.ts';
import { isClosed } from '../../../src/core/finding.ts';
import { viewedScope } from '../diff/viewed.ts';
import { FindingList } from '../finding/finding-list.tsx';
import { HistoryTab } from './history-tab.tsx';
import { usePlace } from './place.ts';
import { useReadingFile } from './reading-file.ts';
import { Side, SideFoot } from './side.tsx';
import type { SideTab } from './side.tsx';
import { TaskTab } from './task-tab.tsx';
import { Tree } from './tree.tsx';
import type { PanelFacts } from './use-panel.ts';

const NONE: readonly never[] = [];

/** What stands beside the diff of a loop. */
export function LoopSide({ facts, task }: { readonly facts: PanelFacts; readonly task: TaskOutput | undefined }): JSX.Element {
  return <Side tabs={useSideTabs(facts, task)} foot={<LoopFoot facts={facts} />} />;
}

/** How much of the change was looked at. */
export function LoopFoot({ facts: { loop, change } }: { readonly facts: PanelFacts }): JSX.Element | null {
  if (change === undefined || change.files.length === 0) return null;
  return <SideFoot files={change.files} totals={change.totals} scope={viewedScope(loop, change.change)} />;
}

/** The tabs of a loop. */
export function useSideTabs(facts: PanelFacts, task: TaskOutput | undefined): readonly SideTab[] {
  const { loop, change, findings } = facts;
  const { place, go } = usePlace();
  const reading = useReadingFile(({ path }) => path);
  const open = findings.filter((finding) => !isClosed(finding)).length;
  const files = change?.files ?? NONE;
  return [
    {
      name: 'files',
      label: 'Files',
      ...(change === undefined ? {} : { count: files.length }),
      content:
        change === undefined ? null : (
          <Tree
            files={files}
            findings={findings}
            scope={viewedScope(loop, change.change)}
            current={reading ?? place.file}
            onOpen={(file) => go({ file, line: undefined, side: undefined, finding: undefined })}
          />
        ),
    },
    { name: 'findings', label: 'Findings', count: open, content: <FindingsTab facts={facts} /> },
    { name: 'task', label: 'Task', content: <TaskTab loop={loop} task={task} /> },
    { name: 'history', label: 'History', content: <HistoryTab facts={facts} /> },
  ];
}

function FindingsTab({ facts: { loop, findings, change } }: { readonly facts: PanelFacts }): JSX.Element {
  const files = useMemo(() => change?.files.map(({ path }) => path) ?? [], [change]);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <FindingList loop={loop} findings={findings} files={files} />
    </div>
  );
}
