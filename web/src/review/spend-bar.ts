import type { LoopView, RoundSummary } from '../../../src/core/view.ts';

/** What one turn spent, as a part of the bar. */
export type Segment = { readonly turn: 'author' | 'reviewer'; readonly share: number; readonly estimated: boolean };

/** What is told beside the bar: a part of the loop and what it spent. */
export type SpendPart = { readonly what: string; readonly usd: number; readonly estimated: boolean };

type Given = {
  readonly loop: Pick<LoopView, 'build' | 'spend'>;
  readonly rounds: readonly Pick<RoundSummary, 'round' | 'review' | 'fix'>[];
};

/** The turns that spent something, as shares of the ceiling, or of all where there is none. */
export function segments({ loop: { build, spend }, rounds }: Given): Segment[] {
  const full = Math.max(spend.ceilingUsd ?? 0, spend.usd);
  const turns = [
    { turn: 'author' as const, of: build },
    ...rounds.flatMap(({ review, fix }) => [
      { turn: 'reviewer' as const, of: review },
      { turn: 'author' as const, of: fix },
    ]),
  ];
  return turns.flatMap(({ turn, of }): Segment[] =>
    of === null || of.spendUsd === null || of.spendUsd <= 0 || full === 0
      ? []
      : [{ turn, share: of.spendUsd / full, estimated: of.estimated }],
  );
}

/** What was spent on building it and on each round; what nobody measured is left out. */
export function spendParts({ loop: { build }, rounds }: Given): SpendPart[] {
  const built: SpendPart[] =
    build === null || build.spendUsd === null || build.spendUsd === 0
      ? []
      : [{ what: 'built', usd: build.spendUsd, estimated: build.estimated }];
  return [
    ...built,
    ...rounds.flatMap(({ round, review, fix }): SpendPart[] => {
      const turns = [review, ...(fix === null ? [] : [fix])].filter(({ spendUsd }) => spendUsd !== null);
      const usd = turns.reduce((sum, { spendUsd }) => sum + (spendUsd ?? 0), 0);
      return usd === 0 ? [] : [{ what: `round ${round}`, usd, estimated: turns.some(({ estimated }) => estimated) }];
    }),
  ];
}

/** How much of the ceiling is spent, between 0 and 1 and above; null where there is none. */
export function ceilingShare({ usd, ceilingUsd }: Pick<LoopView['spend'], 'usd' | 'ceilingUsd'>): number | null {
  return ceilingUsd === null || ceilingUsd === 0 ? null : usd / ceilingUsd;
}
