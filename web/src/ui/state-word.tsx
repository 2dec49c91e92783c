import type { JSX } from 'react';
import { Icon } from './icon.tsx';

/** Whose turn it is. Colour says that, and nothing else. */
export type Turn = 'author' | 'reviewer' | 'you' | 'settled' | 'failed' | 'waiting';

const LOOKS: Readonly<Record<Turn, string>> = {
  author: 'text-author',
  reviewer: 'text-reviewer',
  you: 'h-5 rounded-1 bg-you px-2 font-semibold text-on-you',
  settled: 'text-settled',
  failed: 'text-failed',
  waiting: 'text-fg-2',
};

/** Where a loop stands, in a word with its shape. */
export function StateWord({
  turn,
  word,
  live = false,
}: {
  readonly turn: Turn;
  readonly word: string;
  readonly live?: boolean;
}): JSX.Element {
  return (
    <span className={`inline-flex items-center gap-1.5 text-small font-medium whitespace-nowrap ${LOOKS[turn]}`}>
      <Shape turn={turn} live={live} />
      {word}
    </span>
  );
}

function Shape({ turn, live }: { readonly turn: Turn; readonly live: boolean }): JSX.Element | null {
  const breath = live ? 'animate-[breathe_1.8s_var(--ease-out)_infinite_alternate]' : '';
  switch (turn) {
    case 'author':
      return <i className={`size-2 shrink-0 rounded-[2px] bg-author-solid ${breath}`} />;
    case 'reviewer':
      return <i className={`size-2 shrink-0 rounded-full bg-reviewer-solid ${breath}`} />;
    case 'settled':
      return <Icon name="check" size={13} />;
    case 'failed':
      return <Icon name="x" size={13} />;
    case 'waiting':
      return <i className="size-2 shrink-0 rounded-full shadow-[inset_0_0_0_1.5px_var(--text-3)]" />;
    case 'you':
      return null;
  }
}
