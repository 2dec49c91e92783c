import type { JSX } from 'react';
import { usd } from './usd.ts';

export { usd };

/** What was spent, and of how much; the second goes first where there is no room for both. */
export function Spend({
  amount,
  estimated,
  ceiling,
}: {
  readonly amount: number;
  readonly estimated: boolean;
  readonly ceiling: number | null;
}): JSX.Element {
  return (
    <span className="inline-block h-5 min-w-0 shrink-[9999] overflow-hidden leading-5 whitespace-normal">
      <b className="font-medium whitespace-nowrap text-fg-2">{usd(amount, estimated)}</b>{' '}
      {ceiling === null ? null : <span className="whitespace-nowrap text-fg-3">of {usd(ceiling)}</span>}
    </span>
  );
}
