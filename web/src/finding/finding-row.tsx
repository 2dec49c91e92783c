import type { JSX } from 'react';
import { isClosed } from '../../../src/core/finding.ts';
import type { FindingOutput } from '../../../src/core/output.ts';
import type { LoopView } from '../../../src/core/view.ts';
import { pathParts } from '../diff/diff-file.ts';
import { Icon } from '../ui/icon.tsx';
import { Plain } from '../ui/plain.tsx';
import { Severity } from '../ui/severity.tsx';
import { AnchorBadge, RaiserTiles } from './finding-head.tsx';
import { FindingNote } from './finding-note.tsx';
import { FindingTitle } from './finding-title.tsx';
import { firstSentence } from './first-sentence.ts';
import { STATUSES, placeWords } from './words.ts';
import { seenText } from '../ui/hidden-characters.ts';

type RowProps = {
  readonly loop: LoopView;
  readonly finding: FindingOutput;
  readonly current: boolean;
  /** Whether Tab stops here; up and down reach the others. */
  readonly reachable: boolean;
  readonly open: boolean;
  /** Left out where a row does nothing but open here. */
  readonly onChoose?: () => void;
  readonly onToggle: () => void;
};

/** One finding in a list: what it says, where, who says so, and how it stands. It opens to the whole note. */
export function FindingRow({ loop, finding, current, reachable, open, onChoose, onToggle }: RowProps): JSX.Element {
  const { first } = firstSentence(finding.description);
  return (
    <li className="[contain-intrinsic-size:auto_54px] [content-visibility:auto]">
      <div className={`group relative mx-2 rounded-2 hover:bg-hover max-sm:mx-0 max-sm:rounded-none ${current ? 'bg-selected' : ''}`}>
        <button
          type="button"
          data-finding-row
          tabIndex={reachable ? 0 : -1}
          aria-current={current ? 'true' : undefined}
          aria-expanded={onChoose === undefined ? open : undefined}
          onClick={onChoose ?? onToggle}
          className="grid w-full grid-cols-[14px_minmax(0,1fr)_auto] gap-x-1.5 rounded-2 px-2 py-1.5 text-left focus-visible:outline-offset-[-2px] max-sm:px-4 max-sm:py-2.5"
        >
          <span className="pt-px">
            <Severity grade={finding.severity} bare />
          </span>
          <span
            className={`line-clamp-3 text-pretty [overflow-wrap:anywhere] ${isClosed(finding) ? 'text-fg-3' : 'text-fg'} ${finding.blocking ? 'font-medium' : ''}`}
          >
            <FindingTitle description={finding.description} />
          </span>
          <span className="flex h-5 scale-90 items-center text-fg-3">
            <RaiserTiles source={finding.source} raisedBy={finding.raisedBy} />
          </span>
          <RowFoot finding={finding} />
        </button>
        {onChoose === undefined ? <Chevron open={open} /> : <OpenHere open={open} first={first} onToggle={onToggle} />}
      </div>
      {open ? <FindingNote loop={loop} finding={finding} current={current} /> : null}
    </li>
  );
}

function Chevron({ open }: { readonly open: boolean }): JSX.Element {
  return (
    <span aria-hidden className="pointer-events-none absolute right-4 bottom-3 text-fg-3">
      <Icon name={open ? 'up' : 'down'} size={14} />
    </span>
  );
}

function OpenHere({
  open,
  first,
  onToggle,
}: {
  readonly open: boolean;
  readonly first: string;
  readonly onToggle: () => void;
}): JSX.Element {
  return (
    <button
      type="button"
      aria-expanded={open}
      aria-label={`${open ? 'Fold' : 'Read here'}: ${seenText(first)}`}
      title={open ? 'Fold' : 'Read here'}
      onClick={onToggle}
      className="absolute right-1 bottom-1 grid size-6 place-items-center rounded-1 text-fg-3 opacity-0 group-hover:opacity-100 hover:bg-selected hover:text-fg focus-visible:opacity-100 aria-expanded:opacity-100 coarse:opacity-100"
    >
      <Icon name={open ? 'up' : 'down'} size={14} />
    </button>
  );
}

function RowFoot({ finding }: { readonly finding: FindingOutput }): JSX.Element {
  const { status, blocking } = finding;
  const words = [blocking ? 'blocks' : '', status === 'open' ? '' : STATUSES[status].word.toLowerCase()];
  const state = words.filter((word) => word !== '').join(', ');
  return (
    <span className="col-span-2 col-start-2 flex min-w-0 flex-wrap items-center gap-x-1.5 pr-5 text-small/[18px] text-fg-3">
      <span className="max-w-full truncate">
        <ShortPlace finding={finding} />
      </span>
      {state === '' ? null : <span className={`whitespace-nowrap ${status === 'fixed' ? 'text-settled' : 'text-fg-2'}`}>{state}</span>}
      <AnchorBadge finding={finding} />
    </span>
  );
}

/** The file by its name; the whole path is told to whoever asks. */
function ShortPlace({ finding }: { readonly finding: FindingOutput }): JSX.Element {
  const place = placeWords(finding);
  return (
    <span title={seenText(place)}>
      <Plain text={pathParts(place)[1]} />
    </span>
  );
}
