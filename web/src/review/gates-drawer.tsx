import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import type { GateRunView, LoopView } from '../../../src/core/view.ts';
import { Age } from '../ui/age.tsx';
import { seenText } from '../ui/hidden-characters.ts';
import { Icon } from '../ui/icon.tsx';
import { Plain } from '../ui/plain.tsx';
import { DrawerFrame } from './drawer-frame.tsx';
import { elapsed } from './elapsed.ts';
import { printed } from './printed.ts';
import { askGateRuns } from './questions.ts';
import { ScrollArea } from './scroll-area.tsx';

/** What the gates printed, the newest run first, or the one that was asked for. */
export function GatesDrawer({ loop, run }: { readonly loop: LoopView; readonly run: number | null }): JSX.Element {
  const { data: runs } = useQuery(askGateRuns(loop.id));
  const shown = (runs ?? []).toReversed();
  const asked = run === null ? shown : shown.toSorted((a, b) => Number(b.seq === run) - Number(a.seq === run));
  return (
    <DrawerFrame icon="term" title="Output of the gates" wide>
      <ScrollArea label="What the gates printed" className="px-5 pt-2 pb-6 max-sm:px-4">
        {runs !== undefined && runs.length === 0 ? <p className="pt-3 text-fg-3">No gate has run yet.</p> : null}
        {run !== null && runs !== undefined && runs.length > 0 && !runs.some(({ seq }) => seq === run) ? (
          <p role="status" className="pt-3 text-fg-3">
            There is no run {run} of the gates. These are all that there were.
          </p>
        ) : null}
        {asked.map((one, index) => (
          <Run key={one.seq} run={one} open={index === 0} />
        ))}
      </ScrollArea>
    </DrawerFrame>
  );
}

function Run({ run, open }: { readonly run: GateRunView; readonly open: boolean }): JSX.Element {
  const red = run.results.filter(({ passed, redBefore }) => !passed && !redBefore).length;
  return (
    <section className="pt-3">
      <h3 className="flex items-center gap-2 text-small">
        <b className="font-semibold">
          {run.results.length - red} of {run.results.length} passed
        </b>
        <span className="text-fg-3">
          on tree <code>{run.tree.slice(0, 7)}</code> · <Age at={run.at} /> ago
        </span>
      </h3>
      {run.results.map((result) => (
        <Gate key={result.name} result={result} open={open && (!result.passed || run.results.length === 1)} />
      ))}
    </section>
  );
}

function Gate({ result, open }: { readonly result: GateRunView['results'][number]; readonly open: boolean }): JSX.Element {
  const { name, passed, redBefore, reran, timedOut, exitCode, durationMs, output } = result;
  const notes = [
    redBefore ? 'red before the change too, so it does not block' : null,
    reran ? 'ran twice' : null,
    timedOut ? 'ran out of time' : null,
    passed || exitCode === null ? null : `exit ${exitCode}`,
    elapsed(durationMs),
  ].filter((note) => note !== null);
  return (
    <details open={open} className="mt-1.5">
      <summary className="flex cursor-pointer items-center gap-2 text-small">
        <span className={passed ? 'text-settled' : redBefore ? 'text-fg-3' : 'text-failed'}>
          <Icon name={passed ? 'check' : 'x'} size={14} />
          <span className="sr-only">{passed ? 'passed' : 'failed'}</span>
        </span>
        <b className="font-semibold">
          <Plain text={name} />
        </b>
        <span className="text-fg-3">{notes.join(' · ')}</span>
      </summary>
      <pre
        // It scrolls, so that keys have to reach it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        role="region"
        aria-label={seenText(`What ${name} printed`)}
        className="mt-1.5 max-h-[50vh] overflow-auto rounded-2 bg-sunken px-3 py-2 text-[12px]/[18px] [overflow-wrap:anywhere] whitespace-pre-wrap"
      >
        {output.trim() === '' ? <span className="text-fg-3">It printed nothing.</span> : <Plain text={printed(output)} />}
      </pre>
    </details>
  );
}
