import { analyticsOf } from '../../core/analytics.ts';
import type { DayRange } from '../../core/counts.ts';
import { VolleyError } from '../../core/errors.ts';
import type { Desk } from '../../engine/desk.ts';
import { utcDay } from '../../lib/utc-day.ts';
import type { RequestOf } from '../contract/route.ts';
import type { analyticsContract } from '../contract/analytics.ts';
import type { Handlers } from '../handlers.ts';

/** Answers with the numbers of the project. */
export function analyticsRoutes({ engine }: Desk): Handlers<typeof analyticsContract> {
  return {
    analytics: async ({ query }) => {
      const range = rangeOf(query, engine.now());
      return analyticsOf(await engine.store.counts(range), range);
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
