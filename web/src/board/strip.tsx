import { Link } from '@tanstack/react-router';
import { useLayoutEffect } from 'react';
import type { JSX } from 'react';
import type { ListedLoop } from '../../../src/api/contract/loops.ts';
import { noteMoved } from '../decide/still.ts';
import { Age } from '../ui/age.tsx';
import { Key } from '../ui/key.tsx';
import { Plain } from '../ui/plain.tsx';
import { standingOf } from './columns.ts';
import { askedAt } from './order.ts';

/** So many questions fit beside each other; the others come in turn. */
const MOST = 3;

const PRESSED = 'transition-colors duration-(--fast) hover:bg-you-deep focus-visible:-outline-offset-2 focus-visible:outline-on-you';

const EDGE = 'border-l border-[color-mix(in_oklab,var(--on-you)_22%,transparent)]';

/** What waits for a person, the oldest question first: the first row of the board. */
export function Strip({ waiting, onNext }: { readonly waiting: readonly ListedLoop[]; readonly onNext: () => void }): JSX.Element {
  // Without it, everything below is higher than it was.
  useLayoutEffect(() => () => noteMoved(null), []);
  const count = (
    <>
      <b className="text-[20px]">{waiting.length.toLocaleString('en')}</b> {waiting.length === 1 ? 'needs you' : 'need you'}
    </>
  );
  return (
    <section aria-label="What needs you" className="flex min-h-11 items-stretch overflow-hidden bg-you text-on-you">
      <h2 className="flex text-title font-semibold tracking-tight whitespace-nowrap">
        <span className="flex items-center gap-2 pr-5 pl-4 max-sm:hidden">{count}</span>
        <button type="button" onClick={onNext} className={`px-3.5 text-left sm:hidden ${PRESSED}`}>
          <span className="flex items-baseline gap-1.5 leading-[18px]">{count}</span>
          <span className="block text-small/[15px] font-normal text-on-you-2">Decide in turn</span>
        </button>
      </h2>
      <ol className="flex min-w-0 flex-1 max-sm:snap-x max-sm:overflow-x-auto">
        {waiting.slice(0, MOST).map((loop) => (
          <li key={loop.id} className="min-w-0 flex-[1_1_0] max-sm:min-w-[70vw] max-sm:snap-start">
            <Link
              to="/loop/$id"
              params={{ id: String(loop.id) }}
              className={`flex h-full flex-col justify-center px-3.5 py-[5px] ${PRESSED} ${EDGE}`}
            >
              <span className="truncate leading-[18px] font-semibold">
                <Plain text={shortQuestion(loop)} />
              </span>
              <span className="truncate text-small/[15px] text-on-you-2">
                #{loop.id} <Plain text={loop.title} /> · <Age at={askedAt(loop)} />
              </span>
            </Link>
          </li>
        ))}
      </ol>
      <button
        type="button"
        onClick={onNext}
        className={`flex items-center gap-2 px-4 text-small font-semibold whitespace-nowrap max-sm:hidden ${PRESSED} ${EDGE}`}
      >
        Decide in turn
        <span>
          <Key name="G" />
          <Key name="N" />
        </span>
      </button>
    </section>
  );
}

/** The question itself, which stands at the end of what is said. */
function shortQuestion(loop: ListedLoop): string {
  const question = loop.card?.question ?? loop.why;
  if (question === null) return standingOf(loop).word;
  return /[^.!?]+\?\s*$/.exec(question)?.[0].trim() ?? question;
}
