import type { JSX } from 'react';
import { useEffect, useState } from 'react';
import { WARN_AT } from '../../../src/core/ceilings.ts';
import type { LoopView, RoundSummary } from '../../../src/core/view.ts';
import { Icon } from '../ui/icon.tsx';
import { Key } from '../ui/key.tsx';
import { usd } from '../ui/usd.ts';
import { seenText } from '../ui/hidden-characters.ts';
import { elapsed } from './elapsed.ts';
import { usePlace } from './place.ts';
import { ceilingShare, segments, spendParts } from './spend-bar.ts';

type Given = { readonly loop: LoopView; readonly rounds: readonly RoundSummary[] };

/** What the loop cost, turn by turn, and how near its ceiling is. */
export function CostFooter({ loop, rounds }: Given): JSX.Element {
  const { spend } = loop;
  const parts = spendParts({ loop, rounds });
  return (
    <footer className="flex h-9 min-w-0 items-center gap-4 overflow-hidden border-t border-line bg-bg px-4 text-small whitespace-nowrap text-fg-3 max-sm:hidden">
      {spend.usd === 0 && spend.ceilingUsd === null ? null : <SpendBar loop={loop} rounds={rounds} />}
      <Spent loop={loop} />
      {spend.subscriptionUsd === 0 ? null : (
        <span className="max-md:hidden" title="Work on a subscription, priced as if it were paid by use">
          {usd(spend.subscriptionUsd, true)} on a subscription
        </span>
      )}
      <span className="flex min-w-0 gap-4 overflow-hidden max-md:hidden">
        {parts.map(({ what, usd: amount, estimated }) => (
          <span key={what}>
            {what} {usd(amount, estimated)}
          </span>
        ))}
      </span>
      <span className="flex-1" />
      <Elapsed loop={loop} />
      <Gates loop={loop} />
      <span className="inline-flex items-center gap-1 max-md:hidden coarse:hidden">
        <Key name="N" /> next <Key name="V" /> viewed <Key name="?" /> all keys
      </span>
    </footer>
  );
}

/** The same on a phone, in two short lines. */
export function CostLines({ loop, rounds }: Given): JSX.Element {
  const { spend } = loop;
  return (
    <footer className="grid shrink-0 gap-1.5 border-t border-line bg-bg px-4 py-2 text-small text-fg-3">
      <p className="flex flex-wrap items-center gap-x-4">
        <Spent loop={loop} />
      </p>
      <p className="flex items-center gap-4 whitespace-nowrap">
        {spend.usd === 0 && spend.ceilingUsd === null ? null : <SpendBar loop={loop} rounds={rounds} />}
        <Elapsed loop={loop} />
        <Gates loop={loop} />
      </p>
    </footer>
  );
}

function Spent({ loop: { spend } }: { readonly loop: LoopView }): JSX.Element {
  const share = ceilingShare(spend);
  return (
    <>
      <span>
        <b className="font-semibold text-fg">{spentWords(spend)}</b>
        {spend.ceilingUsd === null ? null : ` of ${usd(spend.ceilingUsd)}`}
      </span>
      {share === null || share < WARN_AT ? null : (
        <span role="status" className="inline-flex items-center gap-1.5 font-semibold text-warn">
          <Icon name="alert" size={14} />
          {share >= 1 ? 'The ceiling is reached' : `${Math.round(share * 100)} % of the ceiling`}
        </span>
      )}
    </>
  );
}

function spentWords({ usd: spent, estimated }: LoopView['spend']): string {
  return spent === 0 ? 'Nothing spent' : usd(spent, estimated);
}

const GROUNDS = {
  author: 'color-mix(in oklab, var(--author-solid) 52%, var(--line-strong))',
  reviewer: 'color-mix(in oklab, var(--reviewer-solid) 52%, var(--line-strong))',
} as const;

/** Money whose amount nobody measured. */
const HATCH = 'repeating-linear-gradient(135deg, transparent 0 2px, var(--bg) 2px 3.5px)';

function SpendBar({ loop, rounds }: Given): JSX.Element {
  const share = ceilingShare(loop.spend);
  return (
    <span
      role="img"
      aria-label={share === null ? 'What each turn spent' : `${Math.round(share * 100)} percent of the ceiling is spent`}
      className="relative flex h-2 w-[260px] shrink-0 gap-px rounded-[2px] bg-line-strong max-md:w-40"
    >
      {segments({ loop, rounds }).map(({ turn, share: width, estimated }, index) => (
        <i
          key={index}
          className="h-2 first:rounded-l-[2px]"
          style={{ width: `${width * 100}%`, backgroundColor: GROUNDS[turn], ...(estimated ? { backgroundImage: HATCH } : {}) }}
        />
      ))}
      {share === null ? null : (
        <i aria-hidden className="absolute -top-[3px] h-3.5 w-[1.5px] bg-warn-solid" style={{ left: `${WARN_AT * 100}%` }} />
      )}
    </span>
  );
}

function Elapsed({ loop }: { readonly loop: LoopView }): JSX.Element {
  const [now, setNow] = useState(() => Date.now());
  const running = loop.phase !== null;
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [running]);
  const end = running ? now : Date.parse(loop.card.restsSince ?? loop.updatedAt);
  return <span title="From its start to its last step">{elapsed(end - Date.parse(loop.createdAt))}</span>;
}

function Gates({ loop }: { readonly loop: LoopView }): JSX.Element | null {
  const { go } = usePlace();
  const { gates } = loop.card;
  if (gates.length === 0) return null;
  const passed = gates.filter((gate) => gate.passed === true).length;
  const red = gates.filter((gate) => gate.passed === false);
  return (
    <button
      type="button"
      title={red.length === 0 ? 'What the gates printed' : seenText(`Red: ${red.map(({ name }) => name).join(', ')}`)}
      className={`hover:text-fg ${red.length === 0 ? '' : 'text-failed'}`}
      onClick={() => go({ drawer: 'gates' })}
    >
      Gates <b className={`font-semibold ${red.length === 0 ? 'text-fg' : ''}`}>{passed}</b> of {gates.length}
    </button>
  );
}
