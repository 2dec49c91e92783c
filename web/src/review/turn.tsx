import type { JSX } from 'react';
import type { LoopView, SessionView } from '../../../src/core/view.ts';
import { movesOf } from '../board/moves.ts';
import { ChoiceButtons } from '../decide/choice-buttons.tsx';
import { propose } from '../decide/propose.ts';
import { useConnection } from '../api/live.ts';
import { Age } from '../ui/age.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import type { MenuEntry } from '../ui/menu.tsx';
import { Plain } from '../ui/plain.tsx';
import type { Turn as Whose } from '../ui/state-word.tsx';
import { LandButton } from './land-button.tsx';
import { usePlace } from './place.ts';
import { sessionDrawer } from './session-name.ts';
import type { TurnWords } from './turn-words.ts';
import { seenText } from '../ui/hidden-characters.ts';

/** The ground of the turn, the colour of its state, and that of the words beside. */
const LOOKS: Readonly<Record<Whose, { readonly ground: string; readonly state: string; readonly quiet: string }>> = {
  you: { ground: 'bg-you text-on-you', state: 'text-on-you', quiet: 'text-on-you-2' },
  author: { ground: 'bg-author-tint', state: 'text-author', quiet: 'text-fg-2' },
  reviewer: { ground: 'bg-reviewer-tint', state: 'text-reviewer', quiet: 'text-fg-2' },
  settled: { ground: 'bg-settled-tint', state: 'text-settled', quiet: 'text-fg-2' },
  failed: { ground: 'bg-failed-tint', state: 'text-failed', quiet: 'text-fg-2' },
  waiting: { ground: 'bg-sunken', state: 'text-fg-2', quiet: 'text-fg-3' },
};

type Given = { readonly loop: LoopView; readonly words: TurnWords; readonly sessions: readonly SessionView[] };

/** The one block at the end of the line: whose turn it is, what is asked, and what may be answered. */
export function Turn({ loop, words, sessions }: Given): JSX.Element {
  const look = LOOKS[words.turn];
  return (
    <section
      aria-label={words.turn === 'you' ? 'Needs you' : 'Whose turn it is'}
      className={`relative flex min-w-0 flex-col rounded-3 py-3 pr-4 pl-5 max-md:flex-row max-md:flex-wrap max-md:items-end max-md:gap-x-6 max-sm:block max-sm:px-3.5 ${look.ground}`}
    >
      <i
        aria-hidden
        className="absolute top-[69px] -left-[7px] size-3.5 rotate-45 rounded-[2px] bg-inherit max-md:hidden max-sm:top-[-6px] max-sm:right-[18px] max-sm:left-auto max-sm:block"
      />
      <div className="min-w-0 max-md:flex-1 max-md:basis-[300px]">
        <State words={words} />
        <h2 className="mt-[3px] text-[17px]/[22px] font-semibold tracking-[-.012em] text-balance" aria-live="polite">
          {sentences(words.title).map((one, index) => (
            // A question stands on a line of its own where there is room for it.
            <span key={index} className="mr-[.3em] inline-block">
              <Plain text={one} />
            </span>
          ))}
        </h2>
        {words.text === null ? null : (
          <p className={`mt-[3px] line-clamp-2 text-small max-sm:line-clamp-3 ${look.quiet}`} title={seenText(words.text)}>
            <Plain text={words.text} />
          </p>
        )}
      </div>
      <div className="mt-auto pt-2 max-sm:pt-3">
        <Acts loop={loop} words={words} sessions={sessions} />
      </div>
    </section>
  );
}

/** The sentences of a question: what is so, and what is asked. */
function sentences(text: string): readonly string[] {
  return text.split(/(?<=[.?!]) (?=\p{Lu})/u);
}

/** The state in a line, with how long it holds. */
function State({ words }: { readonly words: TurnWords }): JSX.Element {
  const look = LOOKS[words.turn];
  return (
    <p className={`flex min-w-0 items-center gap-2 text-small whitespace-nowrap ${look.quiet}`}>
      <b className={`inline-flex items-center gap-1.5 font-semibold ${look.state}`}>
        {words.turn === 'settled' ? <Icon name="check" size={13} /> : words.turn === 'failed' ? <Icon name="x" size={13} /> : null}
        {words.state}
      </b>
      {words.aside === null ? null : (
        <span className="min-w-0 truncate">
          <Plain text={words.aside} />
        </span>
      )}
      <span className="flex-1 max-md:hidden max-sm:block" />
      {words.since === null ? null : <Age at={words.since} />}
    </p>
  );
}

/** What may be done: the answers to what is asked, or what anybody may do while others work. */
function Acts({ loop, words, sessions }: Given): JSX.Element | null {
  const { card } = loop;
  if (card.choices.length > 0) return <Choices loop={loop} />;
  if (card.canLand) return <LandButton loop={loop} />;
  return <Working loop={loop} words={words} sessions={sessions} />;
}

/** So many answers are buttons; their keys work for all. */
const MOST = 3;

/** The answers, the best first; the last ones are in a menu, so that the turn is as high as the court. */
function Choices({ loop: { id, card } }: { readonly loop: LoopView }): JSX.Element {
  const rest = card.choices.slice(MOST);
  const entries = rest.map(({ choice, label, text, needs }, index): MenuEntry => ({
    kind: 'item',
    label,
    why: text,
    keys: [String(MOST + index + 1)],
    danger: choice === 'cancel',
    onSelect: () =>
      propose({ loop: id, seq: card.seq, label, does: text, deed: { kind: 'choice', choice, needs }, raiseToUsd: card.raiseToUsd }),
  }));
  return (
    <div className="flex items-center gap-1.5 max-sm:block max-sm:[&_button]:h-11 max-sm:[&_button]:justify-center max-sm:[&_button:first-child]:col-span-2 max-sm:[&_kbd]:hidden max-sm:[&>div]:grid max-sm:[&>div]:grid-cols-2 max-sm:[&>div]:gap-2 [&>div>button:nth-child(n+4)]:hidden">
      <ChoiceButtons loop={id} seq={card.seq} choices={card.choices} kind="turn" raiseToUsd={card.raiseToUsd} />
      {entries.length === 0 ? null : (
        <span className="max-sm:hidden">
          <Menu entries={entries} align="end">
            <Button kind="choice" size="small" aria-label="More choices" className="!h-7 w-7 !px-0">
              <Icon name="dots" />
            </Button>
          </Menu>
        </span>
      )}
    </div>
  );
}

/** What is worth a button of its own beside the bar's menu, while somebody works and while nobody does. */
const WHILE_WORKING: readonly string[] = ['skip', 'takeover'];
const AT_REST: readonly string[] = ['review', 'handback', 'retry', 'refine', 'takeover'];
const FAILED: readonly string[] = ['retry', 'takeover'];

function Working({ loop, words, sessions }: Given): JSX.Element | null {
  const { go } = usePlace();
  const offline = useConnection(({ state }) => state === 'offline');
  const running = sessions.findLast(({ endedAt }) => endedAt === null);
  const moves = movesOf({ state: loop.state, rounds: loop.rounds.length, card: loop.card });
  const wanted = loop.phase !== null ? WHILE_WORKING : words.turn === 'failed' ? FAILED : AT_REST;
  const named = moves.map((move) => ({ ...move, name: move.deed.kind === 'override' ? move.deed.override : move.deed.kind }));
  const shown = named
    .filter(({ name }) => wanted.includes(name))
    .toSorted((a, b) => wanted.indexOf(a.name) - wanted.indexOf(b.name))
    .slice(0, running === undefined ? 2 : 1);
  const cancel = words.turn === 'author' || words.turn === 'reviewer' ? named.find(({ name }) => name === 'cancel') : undefined;
  const on = words.turn === 'you';
  const act = ({ label, does, deed }: (typeof named)[number]): void => propose({ loop: loop.id, seq: loop.card.seq, label, does, deed });
  if (running === undefined && shown.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {running === undefined ? null : (
        <Button size="small" onClick={() => go({ drawer: sessionDrawer(running) })}>
          Watch the session
        </Button>
      )}
      {shown.map((move, index) => (
        <Button
          key={move.label}
          size="small"
          kind={index === 0 && running === undefined ? (on ? 'firstChoice' : 'primary') : on ? 'choice' : 'ghost'}
          disabled={offline}
          title={seenText(move.does)}
          onClick={() => act(move)}
        >
          {move.label}
        </Button>
      ))}
      <span className="flex-1" />
      {cancel === undefined ? null : (
        <Button size="small" kind="ghost" disabled={offline} title={seenText(cancel.does)} onClick={() => act(cancel)}>
          {cancel.label}
        </Button>
      )}
    </div>
  );
}

/** The turn while somebody reads: one line, with its answers. */
export function FoldedTurn({ loop, words }: { readonly loop: LoopView; readonly words: TurnWords }): JSX.Element {
  const look = LOOKS[words.turn];
  return (
    <section
      aria-label="Whose turn it is"
      className={`flex h-7 min-w-0 flex-1 items-center gap-2.5 rounded-2 pr-1 pl-3 text-small ${look.ground}`}
    >
      <b className={`shrink-0 font-semibold whitespace-nowrap max-sm:flex-1 max-sm:truncate max-sm:shrink ${look.state}`}>{words.state}</b>
      <span className={`min-w-0 flex-1 truncate max-sm:sr-only ${words.turn === 'you' ? '' : look.quiet}`}>
        <Plain text={words.title} />
      </span>
      <FoldedChoices loop={loop} />
    </section>
  );
}

/** The best answers, without keys: those of the turn itself hold while it is folded too. */
function FoldedChoices({ loop: { id, card } }: { readonly loop: LoopView }): JSX.Element {
  const offline = useConnection(({ state }) => state === 'offline');
  return (
    <span className="inline-flex shrink-0 gap-1.5 max-md:hidden">
      {card.choices.slice(0, 2).map(({ choice, label, text, needs }, index) => (
        <Button
          key={choice}
          size="small"
          kind={index === 0 ? 'firstChoice' : 'choice'}
          disabled={offline}
          title={seenText(text)}
          className="!h-[22px]"
          onClick={() =>
            propose({ loop: id, seq: card.seq, label, does: text, deed: { kind: 'choice', choice, needs }, raiseToUsd: card.raiseToUsd })
          }
        >
          <Plain text={label} />
        </Button>
      ))}
    </span>
  );
}
