import type { JSX } from 'react';
import { isClosed } from '../../../src/core/finding.ts';
import type { FindingOutput } from '../../../src/core/output.ts';
import type { LoopView } from '../../../src/core/view.ts';
import { counted } from '../../../src/core/words.ts';
import { Button } from '../ui/button.tsx';
import { chooseFindings, useFindingFilter } from './finding-filter.ts';
import { NO_FILTER } from './shown-findings.ts';

/** What stands where no finding does: why, and what to do to see some. */
export function NoFindings({ loop, findings }: { readonly loop: LoopView; readonly findings: readonly FindingOutput[] }): JSX.Element {
  const showing = useFindingFilter((filter) => filter.showing);
  const settled = findings.filter(isClosed).length;
  const hidden = findings.length - (showing === 'open' ? settled : 0);
  const [title, text] = emptyWords({ reviewed: loop.rounds.length > 0, settled, hidden });
  return (
    <div className="grid justify-items-start gap-1 px-4 py-3 text-fg-2">
      <p className="text-body font-semibold text-fg">{title}</p>
      <p className="text-pretty">{text}</p>
      {hidden > 0 ? (
        <Button size="small" className="mt-1.5" onClick={() => chooseFindings({ ...NO_FILTER, showing })}>
          Clear the filter
        </Button>
      ) : settled > 0 ? (
        <Button size="small" className="mt-1.5" onClick={() => chooseFindings({ showing: 'all' })}>
          Show {counted(settled, 'settled finding')}
        </Button>
      ) : null}
    </div>
  );
}

function emptyWords({
  reviewed,
  settled,
  hidden,
}: {
  readonly reviewed: boolean;
  readonly settled: number;
  readonly hidden: number;
}): readonly [title: string, text: string] {
  if (hidden > 0) return ['Nothing fits the filter.', `${counted(hidden, 'finding is', 'findings are')} hidden by it.`];
  if (settled > 0)
    return ['Nothing is open.', settled === 1 ? 'What was found is settled.' : `All ${settled} that were found are settled.`];
  return reviewed
    ? ['Nothing was found.', 'The review raised no finding.']
    : ['Not reviewed yet.', 'Findings appear here, and in the diff, as soon as a review has them.'];
}
