import type { JSX } from 'react';
import type { ListedLoop } from '../../../src/api/contract/loops.ts';
import type { Card } from '../../../src/core/card.ts';
import { someOf } from '../../../src/core/words.ts';
import { Age } from '../ui/age.tsx';
import { Spend } from '../ui/money.tsx';
import { seenText } from '../ui/hidden-characters.ts';
import { Rally } from '../ui/rally.tsx';
import type { RallyTurn } from '../ui/rally-geometry.ts';
import { Tile } from '../ui/tile.tsx';
import { rallyEnd } from './columns.ts';

const START: RallyTurn = { kind: 'start', count: 0 };

/** The rally of a loop, with how many of its rounds are used; a loop that has not begun has none. */
export function CardRally({ loop }: { readonly loop: ListedLoop }): JSX.Element | null {
  const { card, state, rounds, maxRounds } = loop;
  if (card === null || state === 'queued') return null;
  const end = rallyEnd(loop);
  const turns = [START, ...card.turns];
  // The review that approved it is the check at the end of the line.
  if (end === 'ok' && turns.at(-1)?.kind === 'review' && turns.at(-1)?.count === 0) turns.pop();
  const isFlat = turns.length === 1;
  return (
    <div className="mt-0.5 mb-1.5 -ml-1 flex items-center gap-2.5">
      <Rally turns={turns} end={end} maxRounds={maxRounds} height={isFlat ? (end === 'live-fix' || end === 'live-review' ? 24 : 18) : 42} />
      <span className="font-semibold" aria-label={`round ${rounds} of ${maxRounds}`}>
        {rounds}
        <span className="font-normal text-fg-3">/{maxRounds}</span>
      </span>
    </div>
  );
}

const MOST_TILES = 5;

/** Who writes, and who reviews where a review is to come. */
export function Who({ card }: { readonly card: Card }): JSX.Element {
  const { author, fixer } = card;
  const reviewers = card.review === 'edit' ? [] : card.reviewers;
  const writes = author ?? fixer;
  const said = seenText(`${writes === null ? 'Nobody' : writes} writes, ${reviewers.length === 0 ? 'nobody' : someOf(reviewers)} reviews`);
  return (
    <span className="inline-flex min-w-0 items-center gap-[3px] overflow-hidden" title={said}>
      <span className="sr-only">{said}.</span>
      {writes === null ? null : <Tile agent={writes} role="writes" />}
      {reviewers.slice(0, MOST_TILES).map((reviewer, index) => (
        <Tile key={index} agent={reviewer} role="reviews" />
      ))}
      {reviewers.length > MOST_TILES ? <span aria-hidden>+{reviewers.length - MOST_TILES}</span> : null}
    </span>
  );
}

const MOST_GATES = 8;

/** How the gates did last: a bar for each, a broken one where it is red. */
export function Gates({ gates }: { readonly gates: Card['gates'] }): JSX.Element | null {
  if (gates.length === 0) return null;
  const said = seenText(
    `Gates: ${gates.map(({ name, passed }) => `${name} ${passed === null ? 'has not run' : passed ? 'green' : 'red'}`).join(', ')}`,
  );
  return (
    <span role="img" aria-label={said} title={said} className="inline-flex shrink-0 items-center gap-0.5">
      {gates.slice(0, MOST_GATES).map(({ name, passed }) => (
        <i key={name} className={`h-3 w-1 rounded-[1px] ${passed === null ? 'bg-line-strong' : passed ? 'bg-settled-solid' : RED}`} />
      ))}
    </span>
  );
}

const RED = 'bg-failed-solid [clip-path:polygon(0_0,100%_0,100%_40%,0_40%,0_60%,100%_60%,100%_100%,0_100%)]';

/** The last line of a card: who, how the gates did, what was spent, and when something happened last. */
export function Meta({ loop, aged = true }: { readonly loop: ListedLoop; readonly aged?: boolean }): JSX.Element {
  const { card, spendUsd, spendEstimated, ceilingUsd, updatedAt } = loop;
  return (
    <div className="flex h-5 items-center gap-2.5 overflow-hidden text-small whitespace-nowrap text-fg-3">
      {card === null ? null : <Who card={card} />}
      {card === null ? null : <Gates gates={card.gates} />}
      {spendUsd === 0 && ceilingUsd === null ? null : <Spend amount={spendUsd} estimated={spendEstimated} ceiling={ceilingUsd} />}
      {aged ? (
        <span className="ml-auto shrink-0 transition-opacity duration-(--fast) group-focus-within:opacity-0 group-hover:opacity-0 coarse:mr-11 coarse:opacity-100!">
          <Age at={updatedAt} />
        </span>
      ) : null}
    </div>
  );
}
