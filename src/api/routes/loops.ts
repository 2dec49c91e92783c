import { z } from 'zod';
import { findingHistories, findingHistory, shortHistory } from '../../core/finding-history.ts';
import { MOST_PATCH_CHARS } from '../../core/finding.ts';
import type { Finding } from '../../core/finding.ts';
import { isBlocking } from '../../core/convergence.ts';
import { loopNeedsYou } from '../../core/loop-needs-you.ts';
import type { Loop } from '../../core/loop.ts';
import { eventOutput, findingOutput } from '../../core/project-output.ts';
import { gateRuns, loopView, reviewViews, roundSummary, roundView, sessionViews } from '../../core/project-view.ts';
import { reasonsOf } from '../../core/reasons.ts';
import { suggestionProblem } from '../../engine/apply-suggestion.ts';
import type { Desk } from '../../engine/desk.ts';
import { listLoops } from '../../engine/list-loops.ts';
import type { LoopQuery } from '../../engine/list-loops.ts';
import type { loopsContract } from '../contract/loops.ts';
import type { RequestOf } from '../contract/route.ts';
import { cursorOf, pageBehind, pageOf, readCursor } from '../cursor.ts';
import { findLoop, notThere, replayLoop } from '../find-loop.ts';
import type { Handlers } from '../handlers.ts';
import { listedLoop } from '../listed-loop.ts';

/** Lists loops, and reads one. */
export function loopsRoutes(desk: Desk): Handlers<typeof loopsContract> {
  return { ...listing(desk), ...reading(desk), ...journalReading(desk) };
}

type Names = 'listRounds' | 'showRound' | 'listReviews' | 'listFindings' | 'showFinding' | 'listSessions';
type JournalNames = 'readJournal' | 'listReasons' | 'listGateRuns';
type Part<N extends keyof typeof loopsContract> = Pick<Handlers<typeof loopsContract>, N>;

function listing(desk: Desk): Part<'listLoops' | 'showLoop'> {
  return {
    listLoops: async ({ query }) => {
      const { loops, total, counts, next } = await listLoops(desk.engine, queryOf(query));
      return {
        loops: loops.map(listedLoop),
        total,
        counts: { ...counts, states: { ...counts.states } },
        next: next === null ? null : cursorOf([query.sort, next.id, next.updatedAt]),
      };
    },
    showLoop: async ({ params }) => {
      const loop = await findLoop(desk, params.id);
      const { engine } = desk;
      const [row] = await engine.store.rows({ id: loop.id });
      return loopView(loop, { driven: await engine.dispatcher.isHeld(row?.owner ?? null), needsYou: loopNeedsYou(loop) });
    },
  };
}

/** A cursor of another order would begin anywhere. */
function queryOf({ q, cursor, ...query }: RequestOf<typeof loopsContract.listLoops>['query']): LoopQuery {
  // As the journal writes times, because they are compared as texts.
  const since = query.since === undefined ? undefined : new Date(query.since).toISOString();
  const given = { ...query, words: q, since };
  if (cursor === undefined) return given;
  const [, id, updatedAt] = readCursor(cursor, z.tuple([z.literal(query.sort), z.number().int().positive(), z.string()]));
  return { ...given, after: { id, updatedAt } };
}

function reading(desk: Desk): Part<Names> {
  return {
    listRounds: async ({ params, query }) => {
      const loop = await findLoop(desk, params.id);
      const { items, ...page } = pageOf(loop.rounds, query);
      return { rounds: items.map((round) => roundSummary(loop, round)), ...page };
    },
    showRound: async ({ params }) => {
      const { loop, steps } = await replayLoop(desk, params.id);
      const round = loop.rounds.find((one) => one.round === params.round);
      if (round === undefined) throw notThere(`round ${params.round} in loop ${loop.id}`, `See GET /api/loops/${loop.id}/rounds.`);
      const journal = steps.map(({ entry }) => entry);
      return roundView(loop, round, journal);
    },
    listReviews: async ({ params, query }) => {
      const { items, ...page } = pageOf((await findLoop(desk, params.id)).rounds.flatMap(reviewViews), query);
      return { reviews: items, ...page };
    },
    listFindings: async ({ params, query }) => {
      const loop = await findLoop(desk, params.id);
      const meant = loop.findings.filter((finding) => isMeant(loop, finding, query));
      const { items, ...page } = pageBehind(meant, query, BY_NUMBER);
      const histories = query.history === true ? findingHistories((await replayLoop(desk, params.id)).steps) : null;
      const listed = items.map((finding) => ({
        ...findingOutput(loop, finding),
        ...(histories === null ? {} : { history: shortHistory(histories.get(finding.id) ?? []) }),
        ...(query.patch === true ? { patch: sentPatch(finding) } : {}),
      }));
      return { findings: listed, ...page };
    },
    showFinding: async ({ params }) => {
      const { loop, steps } = await replayLoop(desk, params.id);
      const id = `${loop.id}.${params.number}`;
      const finding = loop.findings.find((one) => one.id === id);
      if (finding === undefined) throw notThere(`finding ${id}`, `See GET /api/loops/${loop.id}/findings.`);
      return {
        ...findingOutput(loop, finding),
        patch: sentPatch(finding),
        patchProblem: await suggestionProblem(desk.engine, loop, finding),
        history: [...findingHistory(steps, id)],
      };
    },
    listSessions: async ({ params, query }) => {
      const { items, ...page } = pageOf(sessionViews(await findLoop(desk, params.id)), query);
      return { sessions: items, ...page };
    },
  };
}

function sentPatch({ patch }: Finding): string | null {
  return patch !== null && patch.length <= MOST_PATCH_CHARS ? patch : null;
}

/** A finding may be meant no more when the next page is asked for. */
const BY_NUMBER = {
  key: z.tuple([z.literal('finding'), z.number().int()]),
  keyOf: (finding: Finding): ['finding', number] => ['finding', findingNumber(finding)],
  isBehind: (finding: Finding, [, last]: readonly ['finding', number]) => findingNumber(finding) > last,
};

/** The 4 of 29.4. */
function findingNumber({ id }: Finding): number {
  return Number(id.slice(id.indexOf('.') + 1));
}

type FindingQuery = RequestOf<typeof loopsContract.listFindings>['query'];

function isMeant(loop: Loop, finding: Finding, query: FindingQuery): boolean {
  const { status, severity, category, source, file, blocking, round } = query;
  return (
    (status === undefined || finding.status === status) &&
    (severity === undefined || finding.severity === severity) &&
    (category === undefined || finding.category === category) &&
    (source === undefined || finding.source === source) &&
    (file === undefined || finding.file === file) &&
    (blocking === undefined || isBlocking(finding, loop.settings.policy) === blocking) &&
    (round === undefined || isRaisedIn(loop, finding, round))
  );
}

/** What gates, people and the engine raise stands in no review, but in the round before which it was raised. */
function isRaisedIn({ rounds }: Loop, { id, firstRound }: Finding, round: number): boolean {
  return firstRound === round || rounds.some((one) => one.round === round && one.findingIds.includes(id));
}

function journalReading(desk: Desk): Part<JournalNames> {
  return {
    readJournal: async ({ params, query: { after, limit } }) => {
      const { loop, steps } = await replayLoop(desk, params.id);
      const events = steps.slice(after, after + limit).map((step) => eventOutput(step.after, step.entry));
      const last = after + events.length;
      return { events, seq: loop.seq, next: last < steps.length ? last : null };
    },
    listReasons: async ({ params, query }) => {
      const { loop, steps } = await replayLoop(desk, params.id);
      const journal = steps.map(({ entry }) => entry);
      const { items, ...page } = pageOf(reasonsOf(loop, journal), query);
      return { reasons: items, ...page };
    },
    listGateRuns: async ({ params, query }) => {
      const { id } = await findLoop(desk, params.id);
      const { items, ...page } = pageOf(gateRuns(await desk.engine.store.journal(id)), query);
      return { runs: items, ...page };
    },
  };
}
