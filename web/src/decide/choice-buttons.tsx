import { useMemo } from 'react';
import type { JSX, MouseEvent } from 'react';
import type { Card } from '../../../src/core/card.ts';
import { useConnection } from '../api/live.ts';
import { useKeys } from '../shell/keys.ts';
import { seenText } from '../ui/hidden-characters.ts';
import { Key } from '../ui/key.tsx';
import { Plain } from '../ui/plain.tsx';
import { propose } from './propose.ts';
import type { Proposal } from './propose.ts';
import { useSent } from './sent.ts';
import { hasJustMoved } from './still.ts';

/** A card has room for three; the others are in its menu. */
const MOST_ON_CARD = 3;

/** A disabled one still takes the click, which would else go through to the link below. */
const BASE =
  'relative z-1 inline-flex h-7 items-center gap-1.5 rounded-2 px-2.5 text-small font-semibold whitespace-nowrap transition-colors duration-(--fast) disabled:opacity-50 coarse:h-11';

const LOOKS = {
  card: {
    first: 'bg-[light-dark(var(--on-you),var(--you))] text-[light-dark(var(--you),var(--on-you))] hover:opacity-90',
    other: 'text-fg shadow-[inset_0_0_0_1px_var(--control)] hover:bg-hover',
  },
  /** On a card that does not ask. */
  plain: {
    first: 'text-fg shadow-[inset_0_0_0_1px_var(--line-strong)] font-medium hover:bg-hover',
    other: 'text-fg shadow-[inset_0_0_0_1px_var(--line-strong)] font-medium hover:bg-hover',
  },
  turn: {
    first: 'bg-on-you text-you hover:opacity-90',
    other: 'text-on-you shadow-[inset_0_0_0_1px_color-mix(in_oklab,var(--on-you)_55%,transparent)] hover:bg-you-deep',
  },
} as const;

/** Where buttons stand, which says how they look. */
export type ButtonsKind = keyof typeof LOOKS;

/** What a person may answer, the best first. */
export function ChoiceButtons({
  loop,
  seq,
  choices,
  kind,
  raiseToUsd = null,
}: {
  readonly loop: number;
  readonly seq?: number;
  readonly choices: Card['choices'];
  readonly kind: ButtonsKind;
  readonly raiseToUsd?: number | null;
}): JSX.Element | null {
  const proposals = useMemo(
    () =>
      choices.map(({ choice, label, text, needs }): Proposal => {
        const deed = { kind: 'choice', choice, needs } as const;
        return { loop, label, does: text, deed, raiseToUsd, ...(seq === undefined ? {} : { seq }) };
      }),
    [choices, loop, seq, raiseToUsd],
  );
  return <ProposalButtons proposals={proposals} kind={kind} />;
}

/** Things that may be done, the best first; in the turn the digits do the same. Nothing is decided while nothing is heard. */
export function ProposalButtons({
  proposals,
  kind,
}: {
  readonly proposals: readonly Proposal[];
  readonly kind: ButtonsKind;
}): JSX.Element | null {
  const offline = useConnection(({ state }) => state === 'offline');
  const sent = useSent(({ sent: loops }) => proposals.some(({ loop }) => loops.has(loop)));
  const digits = useMemo(
    () => Object.fromEntries(kind === 'turn' ? proposals.slice(0, 9).map((one, index) => [String(index + 1), () => propose(one)]) : []),
    [kind, proposals],
  );
  useKeys(digits);
  if (proposals.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-1.5">
      {(kind === 'turn' ? proposals : proposals.slice(0, MOST_ON_CARD)).map((proposal, index) => (
        <button
          key={proposal.label}
          type="button"
          title={seenText(proposal.does)}
          disabled={offline || sent}
          onClick={(event) => press(event, proposal)}
          className={`${BASE} ${LOOKS[kind][index === 0 ? 'first' : 'other']}`}
        >
          <Plain text={proposal.label} />
          {kind === 'turn' && index < 9 ? <Key name={String(index + 1)} /> : null}
        </button>
      ))}
      {sent ? (
        <span role="status" className="self-center text-small font-semibold">
          Sent
        </span>
      ) : null}
    </div>
  );
}

/** A pointer may be over another card than a moment ago; keys are where somebody brought them. */
function press(event: MouseEvent, proposal: Proposal): void {
  if (event.detail > 0 && hasJustMoved(proposal.loop)) return;
  propose(proposal);
}
