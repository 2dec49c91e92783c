import type { Finding } from '../core/finding.ts';
import type { Loop, Round } from '../core/loop.ts';
import { channelsOf, confinementOf, reviewersOf, spendOf, summaryOf } from '../core/round.ts';
import { runIdOf } from './loop-row.ts';

/** One review as a row of seed 001's table `loop_reviews`. */
export type ReviewRecord = {
  readonly id: string;
  readonly run_id: string;
  readonly loop_id: string;
  readonly task_id: string | null;
  readonly passed: number;
  readonly interpreted_intent: string | null;
  readonly intent_satisfied: number | null;
  readonly reviewed_at: string;
  readonly cost_usd: number | null;
  readonly kind: 'round' | 'checkpoint';
  readonly round: number;
  readonly verdict: string;
  readonly why: string;
  readonly agent: string;
  readonly channel: string;
  readonly confinement: string;
  readonly head: string;
  readonly summary: string | null;
  /** 0 once the round was taken back, until there is another one of its number. */
  readonly stands: number;
};

/** One finding as one review raised it, with its status of today: a row of seed 001's table `review_issues`. */
export type IssueRecord = {
  readonly id: string;
  readonly run_id: string;
  readonly loop_id: string | null;
  readonly loop_review_id: string | null;
  readonly type: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly description: string;
  readonly suggestion: string | null;
  readonly finding_id: string;
  readonly severity: string;
  readonly category: string;
  readonly source: string;
  readonly provenance: string;
  readonly blocking: number;
  readonly status: string;
  readonly raised_at: string | null;
  /** The agents that raised it, as `loop_reviews.agent` names them. */
  readonly raised_by: string | null;
  /** 1 in the one row by which a finding is counted: that of the first round that raised it. */
  readonly counted: number;
};

/** The rows of seed 001's two tables. */
export type ReviewRecords = { readonly reviews: readonly ReviewRecord[]; readonly issues: readonly IssueRecord[] };

const NOTHING: ReviewRecords = { reviews: [], issues: [] };

/** The review rows that a step of the loop has made or changed. */
export function changedReviewRecords(before: Loop | null, after: Loop): ReviewRecords {
  if (before !== null && before.rounds === after.rounds && before.findings === after.findings) return NOTHING;
  const known = before === null ? NOTHING : reviewRecords(before);
  const now = reviewRecords(after);
  return {
    reviews: [...changed(known.reviews, now.reviews), ...missing(known.reviews, now.reviews).map((review) => ({ ...review, stands: 0 }))],
    issues: [...changed(known.issues, now.issues), ...missing(known.issues, now.issues).map((issue) => ({ ...issue, counted: 0 }))],
  };
}

function changed<T extends { readonly id: string }>(before: readonly T[], after: readonly T[]): readonly T[] {
  const known = new Map(before.map((record) => [record.id, JSON.stringify(record)]));
  return after.filter((record) => known.get(record.id) !== JSON.stringify(record));
}

/** A round that is taken back leaves its rows behind, which count for nothing. */
function missing<T extends { readonly id: string }>(before: readonly T[], after: readonly T[]): readonly T[] {
  const ids = new Set(after.map(({ id }) => id));
  return before.filter(({ id }) => !ids.has(id));
}

/** All review rows of a loop. */
export function reviewRecords(loop: Loop): ReviewRecords {
  const byId = new Map(loop.findings.map((finding) => [finding.id, finding]));
  return {
    reviews: loop.rounds.map((round) => reviewRecord(loop, round)),
    issues: loop.rounds.flatMap((round) =>
      round.findingIds.flatMap((id) => {
        const finding = byId.get(id);
        return finding === undefined ? [] : [issueRecord(loop, round, finding)];
      }),
    ),
  };
}

function reviewRecord(loop: Loop, round: Round): ReviewRecord {
  const { reviews } = round;
  const satisfied = reviews.flatMap(({ reading }) => reading.intentSatisfied ?? []);
  return {
    id: reviewId(loop, round),
    run_id: runIdOf(loop),
    loop_id: loop.uid,
    task_id: loop.uid,
    passed: round.verdict === 'approved' ? 1 : 0,
    interpreted_intent: reviews.find(({ reading }) => reading.interpretedIntent !== null)?.reading.interpretedIntent ?? null,
    // One reviewer who misses the intent is enough.
    intent_satisfied: satisfied.length === 0 ? null : Number(satisfied.every(Boolean)),
    reviewed_at: round.at,
    cost_usd: spendOf(round),
    kind: 'round',
    round: round.round,
    verdict: round.verdict,
    why: round.why,
    agent: reviewersOf(round).join(', '),
    channel: channelsOf(round),
    confinement: confinementOf(round),
    head: round.head.commit,
    summary: summaryOf(round),
    stands: 1,
  };
}

function issueRecord(loop: Loop, round: Round, finding: Finding): IssueRecord {
  return {
    id: `${reviewId(loop, round)}:${finding.id}`,
    run_id: runIdOf(loop),
    loop_id: loop.uid,
    loop_review_id: reviewId(loop, round),
    type: finding.tag,
    file: finding.file,
    line: finding.line,
    description: finding.description,
    suggestion: finding.suggestion,
    finding_id: finding.id,
    severity: finding.severity,
    category: finding.category,
    source: finding.source,
    provenance: finding.provenance,
    blocking: round.blockingIds.includes(finding.id) ? 1 : 0,
    status: finding.status,
    raised_at: round.at,
    raised_by: finding.raisedBy.join(', '),
    counted: loop.rounds.find(({ findingIds }) => findingIds.includes(finding.id)) === round ? 1 : 0,
  };
}

function reviewId(loop: Loop, round: Round): string {
  return `${loop.uid}:${round.round}`;
}
