import { z } from 'zod';
import { Analytics } from '../../core/analytics-output.ts';
import { route, whole } from './route.ts';

const day = z.iso.date({ error: 'must be a day as YYYY-MM-DD' });
const MOST_DAYS = 3650;

/** What the loops of the project came to. */
export const analyticsContract = {
  analytics: route({
    method: 'GET',
    path: '/api/analytics',
    tag: 'analytics',
    summary: 'What the loops came to: rounds, findings, reviewers, time and money, of all days or of some (UTC, both included).',
    query: z.object({
      from: day.optional(),
      to: day.optional(),
      /** The last so many days, today included; in the place of the other two. */
      days: whole(1, MOST_DAYS).optional(),
    }),
    reply: Analytics,
  }),
  readToday: route({
    method: 'GET',
    path: '/api/today',
    tag: 'analytics',
    summary: 'What all loops spent on this day, and the ceiling of a day, where there is one.',
    reply: z.object({
      /** The calendar day where the server runs, as YYYY-MM-DD. */
      day: z.string(),
      usd: z.number(),
      estimated: z.boolean(),
      /** What sessions at work may still spend. */
      reservedUsd: z.number(),
      ceilingUsd: z.number().nullable(),
    }),
  }),
};
