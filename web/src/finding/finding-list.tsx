import { useMemo, useRef, useState } from 'react';
import type { JSX, KeyboardEvent } from 'react';
import type { FindingOutput } from '../../../src/core/output.ts';
import type { LoopView } from '../../../src/core/view.ts';
import { counted } from '../../../src/core/words.ts';
import { usePlace } from '../review/place.ts';
import { useNarrow } from '../review/use-media.ts';
import { useFindingFilter } from './finding-filter.ts';
import { FindingRow } from './finding-row.tsx';
import { NoFindings } from './no-findings.tsx';
import { groupFindings, shownFindings } from './shown-findings.ts';
import type { FindingGroup } from './shown-findings.ts';
import { SEVERITIES, numberOf } from './words.ts';

/**
 * The findings of a loop, worst first and what blocks before the rest: the whole way through a review without its diff. A row goes to its
 * lines, or, where there is no room for both, opens here.
 */
export function FindingList({
  loop,
  findings,
  files,
}: {
  readonly loop: LoopView;
  readonly findings: readonly FindingOutput[];
  readonly files?: readonly string[];
}): JSX.Element {
  const filter = useFindingFilter();
  const narrow = useNarrow();
  const { place, go } = usePlace();
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const list = useRef<HTMLDivElement>(null);
  const groups = useMemo(() => groupFindings(shownFindings(findings, filter, files)), [findings, filter, files]);
  const rows = groups.flatMap((group) => group.findings);
  if (rows.length === 0) return <NoFindings loop={loop} findings={findings} />;
  const current = rows.find(({ id }) => numberOf(id) === place.finding);
  const toggle = ({ id }: FindingOutput): void => setOpened((before) => (before.has(id) ? without(before, id) : new Set([...before, id])));
  const choose = ({ id }: FindingOutput): void => go({ finding: numberOf(id), file: undefined, line: undefined, side: undefined });
  return (
    // Only moves the focus between buttons that are reachable without it.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={list} onKeyDown={(event) => walkRows(event, list.current)} className="flex min-w-0 flex-col gap-1 pb-4">
      {groups.map((group) => (
        <section key={group.severity} aria-label={`${SEVERITIES[group.severity]}, ${counted(group.findings.length, 'finding')}`}>
          <GroupHead group={group} />
          <ul>
            {group.findings.map((finding) => (
              <FindingRow
                key={finding.id}
                loop={loop}
                finding={finding}
                current={finding === current}
                reachable={finding === (current ?? rows[0])}
                open={opened.has(finding.id)}
                {...(narrow ? {} : { onChoose: () => choose(finding) })}
                onToggle={() => toggle(finding)}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function without(before: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...before].filter((one) => one !== id));
}

function GroupHead({ group: { severity, findings, blocking } }: { readonly group: FindingGroup }): JSX.Element {
  return (
    <h2 className="flex items-center gap-1.5 px-4 pt-2 pb-0.5 text-small font-medium text-fg-3">
      {SEVERITIES[severity]} <b className="text-fg-2">{findings.length}</b>
      <span className="grow" />
      {blocking === 0 ? null : (
        <span className="font-normal">
          {blocking === findings.length ? (blocking === 1 ? 'blocks' : 'all block') : `${blocking} ${blocking === 1 ? 'blocks' : 'block'}`}
        </span>
      )}
    </h2>
  );
}

const MOVES: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => Math.min(count - 1, at + 1),
  ArrowUp: (at) => Math.max(0, at - 1),
  Home: () => 0,
  End: (_at, count) => count - 1,
};

/** Up and down go from row to row, from wherever in the list one is; a text that is being read keeps its own keys. */
function walkRows(event: KeyboardEvent, list: HTMLElement | null): void {
  const move = MOVES[event.key];
  if (move === undefined || list === null || !(event.target instanceof HTMLElement)) return;
  const rows = [...list.querySelectorAll<HTMLElement>('[data-finding-row]')];
  const at = rows.indexOf(event.target);
  if (at < 0) return;
  event.preventDefault();
  rows[move(at, rows.length)]?.focus();
}
