import type { JSX } from 'react';
import type { FindingOutput } from '../../../src/core/output.ts';
import { Icon } from '../ui/icon.tsx';
import { Plain } from '../ui/plain.tsx';
import { Severity } from '../ui/severity.tsx';
import { Person, Tile } from '../ui/tile.tsx';
import { CopyButton } from './copy-button.tsx';
import { SOURCES, lineWords, numberOf, tagsOf } from './words.ts';

/** What kind of finding it is on the left, who says so and where on the right; on a narrow screen one below the other. */
export function FindingHead({ loop, finding }: { readonly loop: number; readonly finding: FindingOutput }): JSX.Element {
  const address = `${location.origin}/loop/${loop}?finding=${numberOf(finding.id)}`;
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-4 text-small/5 text-fg-3">
      <span className="flex min-w-0 flex-wrap items-center gap-x-[7px]">
        <Severity grade={finding.severity} />
        {tagsOf(finding).map(({ word, why, strong }) => (
          <span key={word} title={why} className={strong ? 'font-semibold text-fg' : 'text-fg-2'}>
            <span aria-hidden className="mr-[7px] font-normal text-fg-3">
              ·
            </span>
            {word}
          </span>
        ))}
        <AnchorBadge finding={finding} />
      </span>
      <span className="flex min-w-0 items-center gap-1.5">
        <Raiser finding={finding} />
        <span className="whitespace-nowrap">{where(finding)}</span>
        <CopyButton bare text={address} label="Copy the link to this finding" said="The link to this finding is copied." />
      </span>
    </header>
  );
}

function where({ lastRound, line, lineEnd, file, anchor }: FindingOutput): string {
  const lines = lineWords({ line, lineEnd }) ?? (file === null ? 'the whole change' : 'the whole file');
  return `round ${lastRound} · ${anchor === 'outdated' && line !== null ? `was ${lines}` : lines}`;
}

/** Where its lines went since it was raised. */
export function AnchorBadge({ finding: { anchor, movedFrom, file } }: { readonly finding: FindingOutput }): JSX.Element | null {
  // What is about the whole change has no lines to lose.
  if (anchor === 'exact' || (anchor === 'unplaced' && file === null)) return null;
  const from =
    movedFrom === null
      ? ''
      : movedFrom.file !== file && movedFrom.file !== null
        ? ` from ${movedFrom.file}`
        : ` from ${movedFrom.line ?? ''}`;
  const [word, why] = {
    moved: [`moved${from}`, 'Its lines are elsewhere now than when it was raised'],
    outdated: ['outdated', 'The lines that it was raised on were changed since'],
    unplaced: ['no place', 'Nobody can say which lines it means'],
  }[anchor];
  return (
    <span title={why} className="max-w-full truncate rounded-1 border border-line-strong px-[5px] text-micro/4 text-fg-2">
      <Plain text={word ?? ''} />
    </span>
  );
}

/** Who raised it. */
function Raiser({ finding: { source, raisedBy } }: { readonly finding: FindingOutput }): JSX.Element {
  const names = raisedBy.join(', ');
  const name = names === '' ? SOURCES[source] : names;
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 text-fg-2">
      <RaiserTiles source={source} raisedBy={raisedBy} />
      <span className="max-w-48 truncate">
        {source === 'gate' ? 'gate ' : ''}
        <Plain text={name} />
      </span>
    </span>
  );
}

/** Who raised it, in tiles. */
export function RaiserTiles({ source, raisedBy }: Pick<FindingOutput, 'source' | 'raisedBy'>): JSX.Element {
  if (source === 'person') return <Person name={raisedBy[0] ?? 'person'} />;
  if (source === 'gate') return <Icon name="term" size={14} />;
  if (source === 'forge') return <Icon name="pr" size={14} />;
  if (source === 'engine') return <Icon name="rally" size={14} />;
  return (
    <span className="inline-flex -space-x-1">
      {raisedBy.slice(0, 4).map((agent) => (
        <Tile key={agent} agent={agent} role="reviews" />
      ))}
    </span>
  );
}
