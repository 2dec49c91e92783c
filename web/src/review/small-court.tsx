import type { JSX } from 'react';
import type { LoopView, RoundSummary } from '../../../src/core/view.ts';
import { Plain } from '../ui/plain.tsx';
import { Rally } from '../ui/rally.tsx';
import { courtEnd, courtTurns } from './court-turns.ts';

/** So many rounds have room for their words. */
const MOST = 3;

/** The court on a phone: the line, and the newest rounds in words. */
export function SmallCourt({ loop, rounds }: { readonly loop: LoopView; readonly rounds: readonly RoundSummary[] }): JSX.Element {
  const turns = courtTurns({ loop, rounds }).filter(({ live, kind }) => !live || kind === 'start');
  const told = rounds.slice(-MOST);
  return (
    <section aria-label="The rally so far" className="pt-1.5 pr-2">
      <Rally turns={turns} end={courtEnd(loop)} maxRounds={Math.ceil(turns.length / 2)} height={34} />
      <ol className="grid grid-flow-col auto-cols-fr pt-0.5 text-center text-small text-fg-3">
        {told.map(({ round, reviewers, blocking }) => (
          <li key={round} className="min-w-0 truncate">
            <b className="block font-semibold text-fg">Round {round}</b>
            <Plain text={reviewers[0] ?? ''} /> · {blocking === 0 ? 'nothing blocks' : `${blocking} block`}
          </li>
        ))}
      </ol>
    </section>
  );
}
