import type { Head, NoVerdict, ReviewOutcome } from './event.ts';
import type { Finding, FindingStatus, Provenance, RaisedFinding } from './finding.ts';
import { isAtLeast, isClosed } from './finding.ts';
import { findEarlier } from './identity.ts';
import type { Loop } from './loop.ts';
import type { Policy } from './policy.ts';
import { proofProblem } from './proof.ts';
import type { ReviewReading, Verdict } from './review.ts';

type ReviewTaken = Extract<ReviewOutcome, { kind: 'review' }>;

/** What a review comes to: a verdict with its findings, or nothing that counts. */
export type Judgement =
  | {
      readonly kind: 'verdict';
      readonly verdict: Verdict;
      readonly why: string;
      readonly findings: readonly Finding[];
      readonly raisedIds: readonly string[];
      readonly blockingIds: readonly string[];
    }
  | { readonly kind: 'no-verdict'; readonly reason: NoVerdict; readonly detail: string };

/** Computes the verdict of a review of the loop's head. What the reviewer claims is only one of its inputs. */
export function judge(loop: Loop, head: Head, taken: ReviewTaken): Judgement {
  const problem = proofProblem(taken.proof, head);
  if (problem !== null) {
    const tampered = taken.proof.tripwire.before !== taken.proof.tripwire.after;
    return { kind: 'no-verdict', reason: tampered ? 'tampered' : 'stale-head', detail: problem };
  }
  const raised = [...taken.raised, ...intentFinding(taken.reading, taken.proof.agent)];
  const { findings, raisedIds } = mergeFindings(loop, raised, taken.touched);
  const blocking = findings.filter((one) => isBlocking(one, loop.settings.policy));
  const computed = computeVerdict(taken.reading, { raised: raisedIds, blocking });
  if (computed.kind === 'no-verdict') return computed;
  return { ...computed, findings, raisedIds, blockingIds: blocking.map((one) => one.id) };
}

/** Whether a finding stands in the way of an approval. */
export function isBlocking(finding: Finding, policy: Policy): boolean {
  if (isClosed(finding)) return false;
  if (!isAtLeast(finding.severity, policy.blockAt)) return false;
  return finding.place !== 'outside' || isAtLeast(finding.severity, 'high');
}

type Computed =
  | { readonly kind: 'verdict'; readonly verdict: Verdict; readonly why: string }
  | { readonly kind: 'no-verdict'; readonly reason: NoVerdict; readonly detail: string };

type Weighed = { readonly raised: readonly string[]; readonly blocking: readonly Finding[] };

/** The verdict of a reading once its findings are weighed; nothing else in the core decides what an answer comes to. */
export function computeVerdict(reading: ReviewReading, weighed: Weighed): Computed {
  if (reading.claim === 'needs_discussion') {
    return { kind: 'verdict', verdict: 'needs_discussion', why: 'the reviewer asks for a discussion' };
  }
  if (weighed.blocking.length > 0) return { kind: 'verdict', verdict: 'changes_requested', why: blockingWhy(reading, weighed) };
  if (reading.claim === 'changes_requested') return clearedRejection(reading, weighed.raised.length);
  if (reading.claim === null) return { kind: 'no-verdict', reason: 'unreadable', detail: 'the answer has no verdict' };
  if (!reading.mayApprove) return { kind: 'no-verdict', reason: 'text-approval', detail: 'an approval in plain text counts for nothing' };
  return { kind: 'verdict', verdict: 'approved', why: 'nothing blocks' };
}

function blockingWhy(reading: ReviewReading, { raised, blocking }: Weighed): string {
  const count = blocking.length === 1 ? '1 blocking finding' : `${blocking.length} blocking findings`;
  const silent = blocking.filter((one) => !raised.includes(one.id)).length;
  const kept = silent > 0 ? ` (${silent} not raised again, but no change can have fixed it)` : '';
  return reading.claim === 'approved' ? `${count} although the reviewer claimed an approval${kept}` : `${count}${kept}`;
}

/** A rejection whose findings do not block is an approval, but only where the channel may carry one. */
function clearedRejection(reading: ReviewReading, raisedCount: number): Computed {
  if (raisedCount === 0) return { kind: 'no-verdict', reason: 'no-finding', detail: 'the reviewer rejected the change and named nothing' };
  if (!reading.mayApprove)
    return { kind: 'no-verdict', reason: 'text-approval', detail: 'nothing it named blocks, and plain text cannot approve' };
  return { kind: 'verdict', verdict: 'approved', why: 'the reviewer claimed a rejection, but nothing it named blocks' };
}

function intentFinding(reading: ReviewReading, agent: string): RaisedFinding[] {
  if (reading.intentSatisfied !== false) return [];
  return [
    {
      source: 'reviewer',
      severity: 'high',
      category: 'logic',
      tag: 'spec-intent-mismatch',
      file: null,
      line: null,
      lineEnd: null,
      place: 'unplaced',
      description: 'The change does not serve the intent of the task.',
      impact: reading.interpretedIntent === null ? null : `The intent as the reviewer reads it: ${reading.interpretedIntent}`,
      suggestion: null,
      patch: null,
      snippet: null,
      flags: [],
      raisedBy: [agent],
    },
  ];
}

function mergeFindings(
  loop: Loop,
  raised: readonly RaisedFinding[],
  touched: readonly string[] | null,
): { readonly findings: readonly Finding[]; readonly raisedIds: readonly string[] } {
  const round = loop.rounds.length + 1;
  const merged = new Map(loop.findings.map((one) => [one.id, one]));
  const raisedIds = new Set<string>();
  for (const one of raised) {
    // The same words about two places of one review are two findings.
    const known = [...merged.values()].filter(({ source, id, line }) => source !== 'gate' && (!raisedIds.has(id) || line === one.line));
    const earlier = findEarlier(known, one);
    const id = earlier?.id ?? `${loop.id}.${merged.size + 1}`;
    merged.set(
      id,
      earlier === null
        ? newFinding({ id, raised: one, round, touched })
        : raisedIds.has(id)
          ? twice(earlier, one)
          : raisedAgain(earlier, one, round),
    );
    raisedIds.add(id);
  }
  for (const one of loop.findings) {
    if (!raisedIds.has(one.id)) merged.set(one.id, notRaised(one, touched));
  }
  return { findings: [...merged.values()], raisedIds: [...raisedIds] };
}

function newFinding(input: { id: string; raised: RaisedFinding; round: number; touched: readonly string[] | null }): Finding {
  const { id, raised, round, touched } = input;
  const provenance: Provenance = round === 1 ? 'original' : raised.file !== null && touched?.includes(raised.file) ? 'fix-induced' : 'late';
  return { ...raised, id, status: 'open', provenance, firstRound: round, lastRound: round, resolution: null };
}

/** Raised more than once in one review: the worst that anyone said of it holds. */
function twice(earlier: Finding, raised: RaisedFinding): Finding {
  const severity = isAtLeast(raised.severity, earlier.severity) ? raised.severity : earlier.severity;
  const place = earlier.place === 'outside' ? raised.place : earlier.place;
  return { ...earlier, severity, place, raisedBy: [...new Set([...earlier.raisedBy, ...raised.raisedBy])] };
}

function raisedAgain(earlier: Finding, raised: RaisedFinding, round: number): Finding {
  return { ...earlier, ...raised, status: statusAfterRaise(earlier), lastRound: round };
}

function statusAfterRaise(earlier: Finding): FindingStatus {
  if (earlier.status === 'refuted' || earlier.status === 'accepted') return earlier.status;
  return earlier.status === 'fixed' ? 'reopened' : 'persisting';
}

/** A reviewer's silence closes nothing: only a change that can have fixed the finding does. */
function notRaised(finding: Finding, touched: readonly string[] | null): Finding {
  if (finding.source === 'gate' || isClosed(finding)) return finding;
  return { ...finding, status: canBeFixed(finding, touched ?? []) ? 'fixed' : 'persisting' };
}

function canBeFixed(finding: Finding, touched: readonly string[]): boolean {
  if (finding.file === null || finding.place === 'unplaced') return touched.length > 0;
  const places = [finding.file, ...(finding.resolution?.places ?? []).map((place) => place.file)];
  return places.some((file) => touched.includes(file));
}
