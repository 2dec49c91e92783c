import type { Loop, Round } from '../loop.ts';
import { reviewersOf } from '../round.ts';
import { saidAbout } from './people-section.ts';

/** A round's review as JSON: what the document says, to the letter, with its proof. */
export function writeReviewTwin({
  loop,
  round,
}: {
  readonly loop: Pick<Loop, 'id' | 'uid' | 'task' | 'branch' | 'findings' | 'decisions' | 'comments'>;
  readonly round: Round;
}): string {
  const told = new Set([...round.findingIds, ...round.blockingIds]);
  const twin = {
    type: 'review',
    v: 1,
    id: loop.id,
    uid: loop.uid,
    task: { title: loop.task.title, ref: loop.task.ref },
    branch: loop.branch,
    round: round.round,
    at: round.at,
    verdict: round.verdict,
    why: round.why,
    notes: round.notes,
    reviewers: reviewersOf(round),
    reviews: round.reviews.map(({ member, agent, stance, reading, findingIds }) => ({
      member,
      agent,
      stance,
      claim: reading.claim,
      channel: reading.channel,
      summary: reading.summary,
      interpretedIntent: reading.interpretedIntent,
      intentSatisfied: reading.intentSatisfied,
      evidence: reading.evidence,
      usage: reading.usage,
      findings: findingIds,
    })),
    lost: round.lost,
    without: round.without,
    findings: loop.findings
      .filter((finding) => told.has(finding.id))
      .map((finding) => ({ ...finding, blocking: round.blockingIds.includes(finding.id) })),
    ...saidAbout(loop, round),
    proof: round.reviews[0].proof,
    proofs: round.reviews.map(({ proof }) => proof),
  };
  return `${JSON.stringify(twin, null, 2)}\n`;
}
