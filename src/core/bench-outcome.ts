import type { EscalationReason } from './action.ts';
import type { BenchExpectation } from './bench-scenario.ts';
import type { NoVerdict } from './event.ts';
import { isClosed } from './finding.ts';
import type { Finding } from './finding.ts';
import type { Loop } from './loop.ts';
import type { Channel } from './review.ts';

/** How a loop of the benchmark ended, read from its journal alone. */
export type BenchOutcome = {
  /** `other`: it neither ended nor asked anybody, which is never right. */
  readonly ending: BenchExpectation['ending'] | 'other';
  readonly reason: EscalationReason | null;
  /** The state and the reason in words. */
  readonly why: string;
  readonly rounds: number;
  /** Sessions by the name of the agent. */
  readonly calls: Readonly<Record<string, number>>;
  readonly noVerdict: readonly NoVerdict[];
  readonly channel: Channel | null;
  readonly findings: readonly Pick<Finding, 'description' | 'also' | 'status' | 'severity' | 'provenance' | 'source'>[];
  readonly followUps: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly spendUsd: number;
  readonly estimated: boolean;
  /** What is wrong with the approval itself, whatever was expected; null if nothing is, or there is none. */
  readonly approvalProblem: string | null;
};

/** What came of a loop. */
export function benchOutcome(loop: Loop): BenchOutcome {
  const seats = [...loop.rounds.flatMap(({ lost }) => lost), ...loop.seats];
  return {
    ending: endingOf(loop),
    reason: loop.escalation?.reason ?? null,
    why: `${loop.state}: ${loop.ending?.why ?? loop.escalation?.why ?? 'it is still under way'}`,
    rounds: loop.rounds.length,
    calls: countByAgent(loop),
    noVerdict: seats.flatMap(({ attempts }) => attempts.map(({ reason }) => reason)),
    channel: loop.approval?.by === 'review' ? loop.approval.proof.channel : null,
    findings: loop.findings,
    followUps: followUpsOf(loop),
    inputTokens: sum(loop.sessions.map(({ usage }) => usage?.inputTokens ?? 0)),
    outputTokens: sum(loop.sessions.map(({ usage }) => usage?.outputTokens ?? 0)),
    spendUsd: loop.spend.usd,
    estimated: loop.spend.estimated,
    approvalProblem: approvalProblem(loop),
  };
}

/** What is not as it was expected, one sentence each; nothing if the ending is the right one. */
export function benchProblems(expected: BenchExpectation, outcome: BenchOutcome): readonly string[] {
  const problems: (string | null)[] = [
    expected.ending === outcome.ending ? null : `expected ${expected.ending}, but it is ${outcome.ending} (${outcome.why})`,
    expected.reason === undefined ? null : differs('reason', expected.reason, outcome.reason),
    outOf('rounds', expected.rounds, outcome.rounds),
    ...Object.entries(expected.calls ?? {}).map(([agent, count]) => outOf(`calls of ${agent}`, count, outcome.calls[agent] ?? 0)),
    expected.noVerdict === undefined ? null : differs('lost reviews', expected.noVerdict.join(', '), outcome.noVerdict.join(', ')),
    expected.channel === undefined ? null : differs('channel', expected.channel, outcome.channel),
    outOf('findings', expected.findingCount, outcome.findings.length),
    ...(expected.findings ?? []).map((finding) => findingProblem(finding, outcome)),
    outOf('follow-ups', expected.followUps, outcome.followUps),
    expected.spendUsd === undefined ? null : differs('spend', expected.spendUsd.toFixed(2), outcome.spendUsd.toFixed(2)),
    outcome.approvalProblem,
  ];
  return problems.filter((problem) => problem !== null);
}

function endingOf(loop: Loop): BenchOutcome['ending'] {
  if (loop.escalation !== null) return 'escalated';
  if (loop.state === 'approved') return 'approved';
  return loop.state === 'self_review_failed' && loop.ending !== null ? 'rejected' : 'other';
}

/** An approval that no benchmark accepts: by nobody, or without a proof of the very commit. */
function approvalProblem({ state, approval, head }: Loop): string | null {
  if (state !== 'approved') return approval === null ? null : 'there is an approval beside an ending that is none';
  if (approval?.by !== 'review') return 'it is approved by nobody who reviewed it';
  const isStale = approval.proofs.length === 0 || approval.proofs.some((proof) => proof.head !== head?.commit);
  return isStale ? 'the approval has no proof of its commit' : null;
}

function countByAgent({ sessions }: Loop): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { agent } of sessions) counts[agent] = (counts[agent] ?? 0) + 1;
  return counts;
}

function followUpsOf({ findings, rounds }: Loop): number {
  const blocking = rounds.at(-1)?.blockingIds ?? [];
  return findings.filter((finding) => !isClosed(finding) && !blocking.includes(finding.id)).length;
}

function findingProblem(
  { says, ...expected }: NonNullable<BenchExpectation['findings']>[number],
  { findings }: BenchOutcome,
): string | null {
  const words = says.toLowerCase();
  const found = findings.find(({ description, also }) => [description, ...also].some((text) => text.toLowerCase().includes(words)));
  if (found === undefined) return `no finding says '${says}'`;
  const { status = found.status, severity = found.severity, provenance = found.provenance, source = found.source } = expected;
  return (
    differs(`status of the finding '${says}'`, status, found.status) ??
    differs(`severity of the finding '${says}'`, severity, found.severity) ??
    differs(`provenance of the finding '${says}'`, provenance, found.provenance) ??
    differs(`source of the finding '${says}'`, source, found.source)
  );
}

function outOf(what: string, expected: BenchExpectation['rounds'], found: number): string | null {
  if (expected === undefined || typeof expected === 'number') return expected === undefined ? null : differs(what, expected, found);
  return found >= expected.min && found <= expected.max ? null : `${what}: expected ${expected.min} to ${expected.max}, but got ${found}`;
}

function differs(what: string, expected: string | number, found: string | number | null): string | null {
  return expected === found ? null : `${what}: expected ${nothing(expected)}, but got ${nothing(found)}`;
}

function nothing(value: string | number | null): string | number {
  return value === null || value === '' ? 'none' : value;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
