import type { Event, JournalEntry } from './event.ts';
import type { Loop } from './loop.ts';
import { stateOf } from './state.ts';
import { waitForTasks } from './waiting.ts';

/** What every loop begins with. */
const NOTHING_YET = {
  begun: false,
  current: null,
  commits: [],
  author: { iterations: 0, idle: 0, failures: 0, complete: false },
  fixer: { idle: 0, failures: 0 },
  arbiter: { failures: 0 },
  lastFailure: null,
  resumeFrom: null,
  withheld: null,
  gates: { tree: null, results: [], fixes: 0, baseline: {}, accepted: null },
  rounds: [],
  seats: [],
  without: [],
  tampered: [],
  findings: [],
  order: null,
  guidance: [],
  decisions: [],
  comments: [],
  escalation: null,
  ending: null,
  endedAt: null,
  restsSince: null,
  takenOver: null,
  pushed: null,
  grantedRounds: 0,
  takeovers: 0,
  reviewSkipped: false,
  vetoed: false,
  ground: [],
  approval: null,
  finalVerdict: null,
  spend: { usd: 0, estimated: false, warned: [], subscriptionUsd: 0 },
  tally: null,
  sessionsLimited: true,
  overBudget: null,
  sessions: [],
  landed: null,
  imported: null,
} satisfies Partial<Loop>;

/** A loop as its first event makes it. */
export function newLoop(event: Extract<Event, { type: 'created' }>, entry: Pick<JournalEntry, 'seq' | 'at'>): Loop {
  const { policy } = event.settings;
  const loop: Omit<Loop, 'state'> = {
    ...NOTHING_YET,
    id: event.id,
    uid: event.uid,
    seq: entry.seq,
    changedSeq: entry.seq,
    createdAt: entry.at,
    updatedAt: entry.at,
    task: event.task,
    settings: event.settings,
    base: event.base,
    start: event.start,
    rulesFrom: event.base.commit,
    branch: event.branch,
    notes: event.notes,
    head: event.task.kind === 'review' ? event.start : null,
    maxRounds: event.task.kind === 'review' && !event.task.fix ? 1 : policy.maxRounds,
    ceilingUsd: policy.ceilingUsd,
    roles: event.settings.roles,
    autoReview: event.settings.autoReview,
    autoIterate: event.settings.autoIterate,
    ...(event.task.dependsOn.length === 0 ? { waiting: null } : { waiting: waitForTasks(event.task.dependsOn), restsSince: entry.at }),
  };
  return { ...loop, state: stateOf(loop) };
}
