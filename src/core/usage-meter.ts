import { amountOf } from './readers/coerce.ts';
import type { Usage } from './review.ts';

/** What an agent says that it used: by one step, or in total since its thread began. */
export type UsageReport = { readonly counts: 'step' | 'total'; readonly usage: Usage; readonly model: string | null };

/** What is known so far about the usage of one session. */
export type UsageMeter = {
  /** The counters of the thread as they stood last. */
  readonly counters: Usage;
  /** What the counters have told. */
  readonly counted: Usage;
  /** The steps that no counter has told yet. */
  readonly steps: Usage;
};

/** A meter for a session; `baseline` is what the counters of its thread stood at when it began, null for a new thread. */
export function startMeter(baseline: Usage | null): UsageMeter {
  return { counters: eachAmount((key) => amountOf(baseline?.[key])), counted: NO_USAGE, steps: NO_USAGE };
}

/** Adds a report. Steps add up, a total takes the place of the steps before it, and nothing that was told is taken back. */
export function meterUsage(meter: UsageMeter, { counts, usage }: UsageReport): UsageMeter {
  const told = eachAmount((key) => amountOf(usage[key]));
  if (counts === 'step') return { ...meter, steps: eachAmount((key) => sum(meter.steps[key], told[key])) };
  return {
    counters: eachAmount((key) => told[key] ?? meter.counters[key]),
    counted: eachAmount((key) =>
      sum(meter.counted[key], told[key] === null ? null : greater(rise(meter.counters[key], told[key]), meter.steps[key])),
    ),
    steps: eachAmount((key) => (told[key] === null ? meter.steps[key] : null)),
  };
}

/** All that the session used as far as it is known; null while nothing is. */
export function usageOfMeter({ counted, steps }: UsageMeter): Usage | null {
  const usage = eachAmount((key) => sum(counted[key], steps[key]));
  return Object.values(usage).every((amount) => amount === null) ? null : usage;
}

/** What was used between two readings of a meter. */
export function usageSince(before: Usage | null, after: Usage): Usage {
  return eachAmount((key) => (after[key] === null ? null : Math.max(0, after[key] - (before?.[key] ?? 0))));
}

/** The greater one of each amount. */
export function greaterUsage(a: Usage, b: Usage): Usage {
  return eachAmount((key) => greater(amountOf(a[key]), amountOf(b[key])));
}

/** A usage about which nothing is known. */
export const NO_USAGE: Usage = eachAmount(() => null);

function eachAmount(amount: (key: keyof Usage) => number | null): Usage {
  return {
    inputTokens: amount('inputTokens'),
    outputTokens: amount('outputTokens'),
    costUsd: amount('costUsd'),
    cachedTokens: amount('cachedTokens'),
    cacheWriteTokens: amount('cacheWriteTokens'),
    reasoningTokens: amount('reasoningTokens'),
  };
}

/** How far a counter rose; one that fell began anew. */
function rise(before: number | null, now: number): number {
  return before === null || now < before ? now : now - before;
}

function sum(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a + b, Number.MAX_VALUE);
}

function greater(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
