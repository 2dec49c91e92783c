import type { Loop } from './loop.ts';

const WARN_AT = 0.8;

/** The warning that is due because most of the ceiling is spent; null if there is none, or it was given before. */
export function ceilingWarning(loop: Loop): string | null {
  const { ceilingUsd, spend } = loop;
  if (ceilingUsd === null || ceilingUsd === 0 || spend.warned || spend.usd < ceilingUsd * WARN_AT) return null;
  const spent = `Spent $${spend.usd.toFixed(2)} of $${ceilingUsd.toFixed(2)}`;
  return spend.usd >= ceilingUsd ? `${spent}: no further paid session starts without your word.` : `${spent}.`;
}
