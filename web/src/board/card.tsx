import { Link } from '@tanstack/react-router';
import { memo, useMemo } from 'react';
import type { JSX } from 'react';
import type { ListedLoop } from '../../../src/api/contract/loops.ts';
import { counted } from '../../../src/core/words.ts';
import { ProposalButtons } from '../decide/choice-buttons.tsx';
import type { ButtonsKind } from '../decide/choice-buttons.tsx';
import { Sentence } from '../finding/sentence.tsx';
import { Age } from '../ui/age.tsx';
import { seenText } from '../ui/hidden-characters.ts';
import { usd } from '../ui/money.tsx';
import { Plain } from '../ui/plain.tsx';
import { StateWord } from '../ui/state-word.tsx';
import { CardMenu } from './card-menu.tsx';
import { isLive, standingOf } from './columns.ts';
import { useDraggable } from './drag.ts';
import { CardRally, Meta } from './facts.tsx';
import { movesOf, offersOf } from './moves.ts';
import { askedAt } from './order.ts';
import { proposalOf } from './proposal.ts';
import { whyBeyond } from './why.ts';

/** A loop on the board: what is asked first, if anything is; small where it is over. */
export const LoopCard = memo(function LoopCard({ loop }: { readonly loop: ListedLoop }): JSX.Element {
  const { column } = standingOf(loop);
  if (column === 'you') return <AskingCard loop={loop} />;
  return column === 'done' && loop.card?.canLand !== true ? <QuietCard loop={loop} /> : <WorkingCard loop={loop} />;
});

const CARD = 'group relative block rounded-3 px-3 py-2.5';
const ROW = 'flex h-5 items-center gap-2 text-small text-fg-3';

/** A longer title may not fit into its two lines, and is said as a hint. */
const FITS = 48;

/** The title of a loop is the link to it, stretched over its card; what can be done lies above it. */
function Title({ loop, className }: { readonly loop: ListedLoop; readonly className: string }): JSX.Element {
  return (
    <h3 className={`line-clamp-2 ${className}`} title={loop.title.length > FITS ? seenText(loop.title) : undefined}>
      <Link
        to="/loop/$id"
        params={{ id: String(loop.id) }}
        draggable={false}
        className="break-words after:absolute after:inset-0 after:rounded-3 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-focus"
      >
        <Plain text={loop.title} />
      </Link>
    </h3>
  );
}

function Id({ id }: { readonly id: number }): JSX.Element {
  return <span className="font-mono text-[11.5px]">#{id}</span>;
}

function WorkingCard({ loop }: { readonly loop: ListedLoop }): JSX.Element {
  const drag = useDraggable(loop);
  const { turn, word } = standingOf(loop);
  return (
    <article ref={drag} className={`${CARD} bg-surface shadow-card hover:bg-[light-dark(var(--surface),var(--raised))]`}>
      <div className={ROW}>
        <Id id={loop.id} />
        <span className="flex-1" />
        <StateWord turn={turn} word={word} live={isLive(loop)} />
      </div>
      <Title loop={loop} className="mt-1 mb-1.5 text-body/[19px] font-semibold tracking-tight text-balance" />
      <CardRally loop={loop} />
      <Now loop={loop} />
      {loop.needsYou || loop.card?.canLand === true ? <Answers loop={loop} kind="plain" className="mb-2 coarse:mb-4" /> : null}
      <Meta loop={loop} />
      <CardMenu loop={loop} />
    </article>
  );
}

/** What happens now or is waited for, and the command that takes what is done. */
function Now({ loop: { card, why, next, needsYou } }: { readonly loop: ListedLoop }): JSX.Element | null {
  const parts = [card?.now ?? why, card?.review === 'edit' ? 'no review follows' : null].filter((part) => part !== null);
  const now = parts.length === 0 ? null : parts.join(' · ');
  const command = card?.canLand === true ? next : null;
  if (now === null && command === null) return null;
  return (
    <p
      className={`mb-[7px] text-small/[17px] break-words text-fg-2 ${needsYou ? 'line-clamp-3' : 'truncate'}`}
      title={now === null ? undefined : seenText(now)}
    >
      {now === null ? null : <Plain text={now} />}
      {now === null || command === null ? '' : ' · '}
      {command === null ? null : (
        <code className="text-[11.5px] text-fg">
          <Plain text={command} />
        </code>
      )}
    </p>
  );
}

/** What may be answered; where nothing is asked, what goes on with it. */
function Answers({
  loop,
  kind,
  className,
}: {
  readonly loop: ListedLoop;
  readonly kind: ButtonsKind;
  readonly className: string;
}): JSX.Element {
  const proposals = useMemo(() => {
    const moves = loop.card?.choices.length === 0 ? offersOf(loop) : movesOf(loop).filter(({ deed }) => deed.kind === 'choice');
    // Who is not asked gets the one thing that is left to do.
    return (loop.needsYou ? moves : moves.filter(({ deed }) => deed.kind === 'land')).map((move) => proposalOf(loop, move));
  }, [loop]);
  return (
    <div className={proposals.length === 0 ? '' : className}>
      <ProposalButtons proposals={proposals} kind={kind} />
    </div>
  );
}

/** One that waits for a person: why, the question, the choices, and then what it is about. */
function AskingCard({ loop }: { readonly loop: ListedLoop }): JSX.Element {
  const drag = useDraggable(loop);
  const { turn, word } = standingOf(loop);
  const { card, id } = loop;
  const question = card?.question ?? loop.why;
  const why = whyBeyond(loop);
  const asks = card?.asks ?? word;
  const isFailed = turn === 'failed';
  return (
    <article
      ref={drag}
      aria-label={`Loop ${id} needs you`}
      className={`${CARD} bg-you-tint shadow-[0_0_0_2px_light-dark(var(--you-deep),var(--you))]`}
    >
      <div className={ROW}>
        <Id id={id} />
        {isFailed ? <StateWord turn={turn} word={word} /> : null}
        {isFailed && asks === word ? null : (
          <span className="truncate font-semibold text-you-text">
            <Plain text={asks} />
          </span>
        )}
        <span className="flex-1" />
        <Age at={askedAt(loop)} />
      </div>
      {question === null ? null : (
        <p className="mt-1 text-lead/[19px] font-semibold tracking-tight break-words text-pretty">
          <Plain text={question} />
        </p>
      )}
      {why === null ? null : (
        <p className="mt-1 line-clamp-2 text-small/[17px] break-words text-fg-2" title={seenText(why)}>
          <Sentence text={why} />
        </p>
      )}
      <Answers loop={loop} kind="card" className="mt-[9px]" />
      {card?.stake == null ? null : (
        <p className="mt-1.5 text-small/[17px] text-fg-3">
          <Plain text={card.stake} />
        </p>
      )}
      <Title loop={loop} className="mt-2.5 mb-1 text-base/[18px] text-fg-2" />
      <CardRally loop={loop} />
      <Meta loop={loop} aged={false} />
      <CardMenu loop={loop} />
    </article>
  );
}

/** One that is over: two quiet lines. */
function QuietCard({ loop }: { readonly loop: ListedLoop }): JSX.Element {
  const drag = useDraggable(loop);
  const { turn, word } = standingOf(loop);
  return (
    <article ref={drag} className="group relative block rounded-2 px-3 py-[7px] hover:bg-hover">
      <Title loop={loop} className="mb-0.5 text-base/[18px]" />
      <div className="flex h-5 items-center gap-2 text-small whitespace-nowrap text-fg-3">
        <Id id={loop.id} />
        <StateWord turn={turn} word={word} />
        <span className="flex-1" />
        <span className="truncate transition-opacity duration-(--fast) group-focus-within:opacity-0 group-hover:opacity-0 coarse:mr-11 coarse:opacity-100!">
          {[
            loop.kind === 'review' ? null : counted(loop.rounds, 'round'),
            loop.spendUsd === 0 ? null : usd(loop.spendUsd, loop.spendEstimated),
          ]
            .filter((part) => part !== null)
            .join(' · ')}
        </span>
      </div>
      <CardMenu loop={loop} />
    </article>
  );
}
