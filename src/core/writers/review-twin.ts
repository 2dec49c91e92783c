import type { Loop, Round } from '../loop.ts';

/** A round's review as JSON: what the document says, to the letter, with its proof. */
export function writeReviewTwin({
  loop,
  round,
}: {
  readonly loop: Pick<Loop, 'id' | 'uid' | 'task' | 'branch' | 'findings'>;
  readonly round: Round;
}): string {
  const { reading } = round;
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
    reviewers: [round.proof.agent],
    claim: reading.claim,
    channel: reading.channel,
    confinement: round.proof.confinement,
    summary: reading.summary,
    interpretedIntent: reading.interpretedIntent,
    intentSatisfied: reading.intentSatisfied,
    evidence: reading.evidence,
    usage: reading.usage,
    findings: loop.findings
      .filter((finding) => round.findingIds.includes(finding.id))
      .map((finding) => ({ ...finding, blocking: round.blockingIds.includes(finding.id) })),
    proof: round.proof,
  };
  return `${JSON.stringify(twin, null, 2)}\n`;
}
