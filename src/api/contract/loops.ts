import { z } from 'zod';
import { Card } from '../../core/card.ts';
import { Category, FindingSource, FindingStatus, Severity } from '../../core/finding.ts';
import { Instant } from '../../core/instant.ts';
import { LoopState } from '../../core/loop-state.ts';
import { EventOutput, FindingOutput } from '../../core/output.ts';
import { TaskKind } from '../../core/task.ts';
import {
  FindingStep,
  FindingView,
  GateRunView,
  LoopView,
  Reason,
  ReviewView,
  RoundSummary,
  RoundView,
  SessionView,
} from '../../core/view.ts';
import { FindingParams, Flag, LoopParams, Page, PAGE_END, route, whole } from './route.ts';

const Approver = z.enum(['review', 'person']);

/** A loop as a list shows it. */
export const ListedLoop = z.object({
  id: z.number().int(),
  uid: z.string(),
  title: z.string(),
  kind: z.string(),
  group: z.string().nullable(),
  state: z.string(),
  /** Whether nothing happens to it until somebody does something. */
  needsYou: z.boolean(),
  /** Whether a living process drives it. */
  driven: z.boolean(),
  /** Whether it has something to do that needs a driver. */
  wantsWork: z.boolean(),
  waiting: z.string().nullable(),
  waitingUntil: Instant.nullable(),
  escalation: z.string().nullable(),
  /** What a person may answer; empty where nothing is asked. */
  choices: z.array(z.string()),
  /** Why it rests, waits or asks, on one line. */
  why: z.string().nullable(),
  next: z.string().nullable(),
  rounds: z.number().int(),
  maxRounds: z.number().int(),
  blocking: z.number().int(),
  trend: z.string().nullable(),
  finalVerdict: z.string().nullable(),
  approvedBy: Approver.nullable(),
  approver: z.string().nullable(),
  /** What runs now, who does it, and since when. */
  phase: z.string().nullable(),
  agent: z.string().nullable(),
  phaseStartedAt: Instant.nullable(),
  spendUsd: z.number(),
  spendEstimated: z.boolean(),
  ceilingUsd: z.number().nullable(),
  landed: z.boolean(),
  branch: z.string(),
  createdAt: Instant,
  /** When something happened to it last. */
  updatedAt: Instant,
  /** What a card of the board shows beside it; null where it was not looked up. */
  card: Card.nullable(),
});
export type ListedLoop = z.infer<typeof ListedLoop>;

const count = PAGE_END.total;
const words = z.string().max(200);

/** Which loops are listed. */
const LoopQuery = Page.extend({
  /** One state, or several with commas. */
  state: z
    .string()
    .max(500)
    .transform((text) => text.split(','))
    .pipe(z.array(LoopState))
    .optional(),
  kind: TaskKind.optional(),
  /** Only these: numbers of loops, with commas. */
  among: z
    .string()
    .regex(/^[1-9][0-9]{0,14}(?:,[1-9][0-9]{0,14}){0,199}$/, { error: 'must be up to 200 numbers of loops, with commas' })
    .transform((text) => text.split(',').map(Number))
    .optional(),
  group: words.optional(),
  needsYou: Flag.optional(),
  waiting: Flag.optional(),
  driven: Flag.optional(),
  approvedBy: Approver.optional(),
  /** Words of the title, or the number of a loop. */
  q: words.optional(),
  /** Changed at that time or later. */
  since: z.iso.datetime({ offset: true }).optional(),
  sort: z.enum(['newest', 'updated']).default('newest'),
});

const FindingQuery = Page.extend({
  status: FindingStatus.optional(),
  severity: Severity.optional(),
  category: Category.optional(),
  blocking: Flag.optional(),
  file: z.string().max(4096).optional(),
  source: FindingSource.optional(),
  round: whole(1).optional(),
  /** Whether each comes with its history. */
  history: Flag.optional(),
  /** Whether each comes with its exact patch. */
  patch: Flag.optional(),
});

/** A finding as a list shows it; `history` and `patch` where they are asked for. */
export const ListedFinding = FindingOutput.extend({
  /** All that happened to it, long words cut. */
  history: z.array(FindingStep).optional(),
  /** Its exact patch as a unified diff; null where it has none, or a very long one. */
  patch: z.string().nullable().optional(),
});
export type ListedFinding = z.infer<typeof ListedFinding>;

/** The routes that list loops and read one. */
export const loopsContract = {
  listLoops: route({
    method: 'GET',
    path: '/api/loops',
    tag: 'loops',
    summary: 'Lists the loops of the project, page by page, and counts them.',
    query: LoopQuery,
    reply: z.object({
      loops: z.array(ListedLoop),
      counts: z.object({ total: count, states: z.record(z.string(), count), needsYou: count, driven: count }),
      ...PAGE_END,
    }),
  }),
  showLoop: route({
    method: 'GET',
    path: '/api/loops/:id',
    tag: 'loops',
    summary: 'One loop, with where it stands right now.',
    params: LoopParams,
    reply: LoopView,
  }),
  listRounds: route({
    method: 'GET',
    path: '/api/loops/:id/rounds',
    tag: 'loops',
    summary: 'The rounds of a loop in short, oldest first.',
    params: LoopParams,
    query: Page,
    reply: z.object({ rounds: z.array(RoundSummary), ...PAGE_END }),
  }),
  showRound: route({
    method: 'GET',
    path: '/api/loops/:id/rounds/:round',
    tag: 'loops',
    summary: 'One round with the review of every member, the fix that answered it, and its gates.',
    params: LoopParams.extend({ round: whole(1, 1_000_000) }),
    reply: RoundView,
  }),
  listReviews: route({
    method: 'GET',
    path: '/api/loops/:id/reviews',
    tag: 'loops',
    summary: 'What every member of the panel answered in every round, oldest first.',
    params: LoopParams,
    query: Page,
    reply: z.object({ reviews: z.array(ReviewView), ...PAGE_END }),
  }),
  listFindings: route({
    method: 'GET',
    path: '/api/loops/:id/findings',
    tag: 'findings',
    summary: 'The findings of a loop, in the order of their numbers.',
    params: LoopParams,
    query: FindingQuery,
    reply: z.object({ findings: z.array(ListedFinding), ...PAGE_END }),
  }),
  showFinding: route({
    method: 'GET',
    path: '/api/loops/:id/findings/:number',
    tag: 'findings',
    summary: 'One finding with all that happened to it.',
    params: FindingParams,
    reply: FindingView,
  }),
  readJournal: route({
    method: 'GET',
    path: '/api/loops/:id/journal',
    tag: 'journal',
    summary: 'The journal of a loop after an entry, in order; ask again after `next` until that is null.',
    params: LoopParams,
    query: z.object({ after: whole(0).default(0), limit: Page.shape.limit }),
    reply: z.object({ events: z.array(EventOutput), seq: z.number().int(), next: z.number().int().nullable() }),
  }),
  listReasons: route({
    method: 'GET',
    path: '/api/loops/:id/why',
    tag: 'journal',
    summary: 'The reason of every step of a loop.',
    params: LoopParams,
    query: Page,
    reply: z.object({ reasons: z.array(Reason), ...PAGE_END }),
  }),
  listGateRuns: route({
    method: 'GET',
    path: '/api/loops/:id/gates',
    tag: 'loops',
    summary: 'Every time that gates ran for a loop, oldest first, with the ends of what they printed.',
    params: LoopParams,
    query: Page,
    reply: z.object({ runs: z.array(GateRunView), ...PAGE_END }),
  }),
  listSessions: route({
    method: 'GET',
    path: '/api/loops/:id/sessions',
    tag: 'agents',
    summary: 'The sessions of a loop: those that are done, oldest first, then those at work.',
    params: LoopParams,
    query: Page,
    reply: z.object({ sessions: z.array(SessionView), ...PAGE_END }),
  }),
};
