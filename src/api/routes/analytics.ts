import { analyticsOf } from '../../core/analytics.ts';
import { toldUsd } from '../../core/ceilings.ts';
import type { DayRange } from '../../core/counts.ts';
import { VolleyError } from '../../core/errors.ts';
import type { Desk } from '../../engine/desk.ts';
import { localDay } from '../../lib/local-day.ts';
import { utcDay } from '../../lib/utc-day.ts';
import type { RequestOf } from '../contract/route.ts';
import type { analyticsContract } from '../contract/analytics.ts';
import type { Handlers } from '../handlers.ts';

/** Answers with the numbers of the project. */
export function analyticsRoutes({ engine, settings }: Desk): Handlers<typeof analyticsContract> {
  return {
    analytics: async ({ query }) => {
      const range = rangeOf(query, engine.now());
      return analyticsOf(await engine.store.counts(range), range);
    },
    readToday: async () => {
      const { day, since } = localDay(engine.now());
      const { spentUsd, reservedUsd, estimated } = await engine.store.tally(since);
      const { value } = await settings.get('policy.ceiling.day');
      const ceilingUsd = typeof value === 'number' ? value : null;
      return { day, usd: toldUsd(spentUsd), estimated, reservedUsd: toldUsd(reservedUsd), ceilingUsd };
    },
  };
}

function rangeOf({ from, to, days }: RequestOf<typeof analyticsContract.analytics>['query'], now: string): DayRange {
  if (days !== undefined) {
    if (from !== undefined || to !== undefined)
      throw new VolleyError(
        'bad-request',
        "'days' counts back from today, so it does not go with 'from' or 'to'.",
        'Send one or the other.',
      );
    return { from: utcDay(now, days - 1), to: utcDay(now) };
  }
  if (from !== undefined && to !== undefined && from > to)
    throw new VolleyError('bad-request', `${from} is after ${to}.`, "Send the earlier day as 'from'.");
  return { from: from ?? null, to: to ?? null };
}
