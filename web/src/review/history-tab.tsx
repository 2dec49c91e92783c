import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { JSX } from 'react';
import { Age } from '../ui/age.tsx';
import { Plain } from '../ui/plain.tsx';
import { Tile } from '../ui/tile.tsx';
import { historySteps } from './history-steps.ts';
import type { HistoryStep, StepLink } from './history-steps.ts';
import { usePlace } from './place.ts';
import { askGateRuns } from './questions.ts';
import type { PanelFacts } from './use-panel.ts';

const DOTS: Readonly<Record<HistoryStep['who'], string>> = {
  author: 'rounded-[2px] bg-author-solid',
  reviewer: 'rounded-full bg-reviewer-solid',
  you: 'rounded-full bg-you shadow-[0_0_0_1px_var(--you-edge)]',
  settled: 'rounded-full bg-settled-solid',
  failed: 'rotate-45 rounded-[1px] bg-failed-solid',
  waiting: 'rounded-full shadow-[inset_0_0_0_1.5px_var(--text-3)]',
};

/** Every iteration, round and decision, with what changed in each; the newest first, because that is what one comes for. */
export function HistoryTab({ facts }: { readonly facts: PanelFacts }): JSX.Element {
  const { loop, rounds, sessions } = facts;
  const { data: gates } = useQuery(askGateRuns(loop.id));
  const steps = useMemo(() => historySteps({ loop, rounds, sessions, gates: gates ?? [] }).toReversed(), [loop, rounds, sessions, gates]);
  if (steps.length === 0) return <p className="px-4 py-2 text-small text-fg-3">Nothing has happened yet.</p>;
  return (
    <ol aria-label="History, newest first" className="min-h-0 flex-1 overflow-y-auto pt-1 pr-3 pb-6 pl-4">
      {steps.map((step) => (
        <Step key={step.key} step={step} />
      ))}
    </ol>
  );
}

function Step({ step }: { readonly step: HistoryStep }): JSX.Element {
  const { who, title, agents, facts, text, answers, links, at } = step;
  return (
    <li className="relative pb-4 pl-5 before:absolute before:top-3 before:-bottom-1 before:left-[3.5px] before:w-px before:bg-line last:before:hidden">
      <i aria-hidden className={`absolute top-[6px] left-0 size-2 ${DOTS[who]}`} />
      <div className="flex items-baseline gap-2">
        <h3 className="min-w-0 flex-1 font-semibold [overflow-wrap:anywhere]">
          <Plain text={title} />
        </h3>
        <span className="text-micro text-fg-3">
          <Age at={at} />
        </span>
      </div>
      {agents.length + facts.length === 0 ? null : (
        <p className="text-small text-fg-3">
          {agents.map((agent) => (
            <span key={agent} className="mr-1.5 inline-flex items-center gap-1 align-middle text-fg-2">
              <Tile agent={agent} role={who === 'author' ? 'writes' : 'reviews'} />
              <Plain text={agent} />
            </span>
          ))}
          <Plain text={facts.join(' · ')} />
        </p>
      )}
      {text === null ? null : (
        <p className="mt-0.5 line-clamp-4 text-small [overflow-wrap:anywhere] text-fg-2">
          <Plain text={text} />
        </p>
      )}
      <Answers answers={answers} />
      <Links links={links} />
    </li>
  );
}

function Answers({ answers }: { readonly answers: HistoryStep['answers'] }): JSX.Element | null {
  const { go } = usePlace();
  if (answers.length === 0) return null;
  return (
    <details className="mt-1 text-small text-fg-2">
      <summary className="cursor-pointer text-fg-3 hover:text-fg">What it answered</summary>
      <ul className="mt-1 grid gap-1">
        {answers.map(({ id, status, note }) => (
          <li key={id} className="[overflow-wrap:anywhere]">
            <button
              type="button"
              className="mr-1 font-mono text-[11.5px] underline underline-offset-2"
              onClick={() => go({ finding: Number(id.split('.')[1]), file: undefined, line: undefined })}
            >
              {id}
            </button>
            {status}: <Plain text={note} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Links({ links }: { readonly links: readonly StepLink[] }): JSX.Element | null {
  const { place, go } = usePlace();
  if (links.length === 0) return null;
  return (
    <p className="mt-1 flex flex-wrap gap-1">
      {links.map(({ label, range, drawer }) => {
        const on = range === undefined ? place.drawer === drawer : place.range === range;
        return (
          <button
            key={`${label} ${range ?? drawer ?? ''}`}
            type="button"
            aria-pressed={on}
            onClick={() =>
              go(range === undefined ? { drawer } : { range: range === 'base..head' ? undefined : range, file: undefined, line: undefined })
            }
            className="rounded-1 px-1.5 text-small text-fg-2 shadow-[inset_0_0_0_1px_var(--line-strong)] hover:bg-hover aria-pressed:bg-selected aria-pressed:text-fg coarse:min-h-11"
          >
            <Plain text={label} />
          </button>
        );
      })}
    </p>
  );
}
