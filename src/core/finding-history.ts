import { agentsOf } from './action.ts';
import { isBlocking } from './convergence.ts';
import type { Finding } from './finding.ts';
import type { Loop } from './loop.ts';
import type { ReplayStep } from './replay.ts';
import type { FindingStep } from './view.ts';

/** All that happened to one finding, oldest first, read from the journal of its loop. */
export function findingHistory(steps: readonly ReplayStep[], id: string): readonly FindingStep[] {
  return findingHistories(steps).get(id) ?? [];
}

/** All that happened to each finding of a loop, by its id. */
export function findingHistories(steps: readonly ReplayStep[]): ReadonlyMap<string, readonly FindingStep[]> {
  const histories = new Map<string, FindingStep[]>();
  let known: ReadonlyMap<string, Finding> = new Map();
  for (const step of steps) {
    // Most steps leave all findings as they were.
    if (step.before !== null && step.before.findings === step.after.findings) continue;
    for (const after of step.after.findings) {
      const before = known.get(after.id) ?? null;
      if (after === before) continue;
      const history = histories.get(after.id) ?? [];
      history.push(...changes(before, after, step));
      histories.set(after.id, history);
    }
    known = new Map(step.after.findings.map((finding) => [finding.id, finding]));
  }
  return histories;
}

const NOTE_CHARS = 300;

/** A history whose words fit beside others. */
export function shortHistory(history: readonly FindingStep[]): FindingStep[] {
  return history.map((step) => (step.note.length <= NOTE_CHARS ? step : { ...step, note: `${step.note.slice(0, NOTE_CHARS - 1)}…` }));
}

function changes(before: Finding | null, after: Finding, step: ReplayStep): FindingStep[] {
  const tell = (what: FindingStep['what'], by: readonly string[], note: string): FindingStep => ({
    seq: step.entry.seq,
    at: step.entry.at,
    round: roundOf(step.after),
    what,
    status: after.status,
    severity: after.severity,
    blocking: isBlocking(after, step.after.settings.policy),
    file: after.file,
    line: after.line,
    by: [...by],
    commit: step.after.head?.commit ?? null,
    note,
  });
  if (before === null) return [tell('raised', after.raisedBy, after.description)];
  const { resolution, ruling } = after;
  const isAgain = after.lastRound > before.lastRound;
  const isAnswered = resolution !== null && !isAlike(resolution, before.resolution);
  const isRuled = ruling !== null && !isAlike(ruling, before.ruling);
  const steps = [
    ...(isAgain ? [tell('raised-again', after.raisedBy, after.description)] : []),
    ...(isAnswered ? [tell('answered', workersOf(step), `${resolution.status}: ${resolution.note}`)] : []),
    ...(isRuled ? [tell('ruled', [ruling.by], ruling.note === '' ? ruling.ruling : `${ruling.ruling}: ${ruling.note}`)] : []),
  ];
  if (after.status !== before.status) steps.push(tell('status', [], `${before.status} before`));
  if (steps.length === 0 && after.severity !== before.severity) steps.push(tell('changed', [], `${before.severity} before`));
  return steps;
}

/** Reviewers, authors and fixers whose result a step is. */
function workersOf({ before }: ReplayStep): readonly string[] {
  return before === null || before.current === null ? [] : agentsOf(before.current.action);
}

function roundOf({ rounds, current }: Loop): number {
  return current?.action.do === 'review' ? current.action.round : Math.max(1, rounds.length);
}

function isAlike(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
