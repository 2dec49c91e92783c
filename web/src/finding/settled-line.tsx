import type { JSX } from 'react';
import type { FindingOutput } from '../../../src/core/output.ts';
import type { LoopView } from '../../../src/core/view.ts';
import { isClosed } from '../../../src/core/finding.ts';
import { Icon } from '../ui/icon.tsx';
import { Severity } from '../ui/severity.tsx';
import { useFindingLife } from './finding-life.ts';
import { FindingTitle } from './finding-title.tsx';
import { firstSentence } from './first-sentence.ts';
import { storyLine, storyOf } from './story.ts';
import { STATUSES, numberOf } from './words.ts';
import { seenText } from '../ui/hidden-characters.ts';
import { Plain } from '../ui/plain.tsx';

/** A finding that nobody has to read any more, or a nit, on one line that opens. */
export function SettledLine({
  loop,
  finding,
  open,
  onToggle,
}: {
  readonly loop: LoopView;
  readonly finding: FindingOutput;
  readonly open: boolean;
  readonly onToggle: () => void;
}): JSX.Element {
  const { history } = useFindingLife(loop, finding, false);
  const settled = isClosed(finding);
  const { first } = firstSentence(finding.description);
  return (
    <div
      id={`finding-line-${numberOf(finding.id)}`}
      className="flex h-[30px] items-center gap-2.5 border-y border-line bg-note pr-3 pl-[18px] font-sans text-small whitespace-nowrap text-fg-3 coarse:h-11 max-sm:px-4"
    >
      {settled ? <Settled finding={finding} /> : <Severity grade={finding.severity} />}
      <span className="min-w-0 truncate text-fg-2">
        <FindingTitle description={finding.description} />
      </span>
      <span className="grow" />
      <span className="max-w-[45%] truncate max-sm:hidden">
        <Plain text={storyLine(storyOf(finding, history, false))} />
      </span>
      <button
        type="button"
        aria-expanded={open}
        aria-label={`${open ? 'Hide' : 'Show'} the finding: ${seenText(first)}`}
        onClick={onToggle}
        className="inline-flex h-[26px] shrink-0 items-center rounded-2 px-2.5 font-medium text-fg-2 hover:bg-hover hover:text-fg focus-visible:outline-offset-[-2px] coarse:min-h-11"
      >
        {open ? 'Hide' : 'Show'}
      </button>
    </div>
  );
}

/** How it ended. Green is for what was fixed; what somebody decided about is told in plain words. */
function Settled({ finding: { status } }: { readonly finding: FindingOutput }): JSX.Element {
  return (
    <span
      title={STATUSES[status].why}
      className={`inline-flex shrink-0 items-center gap-[5px] ${status === 'fixed' ? 'text-settled' : 'text-fg-2'}`}
    >
      <Icon name={status === 'fixed' ? 'check' : status === 'refuted' ? 'flag' : 'hand'} size={13} />
      {STATUSES[status].word}
    </span>
  );
}
