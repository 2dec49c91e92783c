import { ownCeilingUsd, toldUsd } from './ceilings.ts';
import { choicesOf } from './choices.ts';
import type { JournalEntry } from './event.ts';
import type { Finding } from './finding.ts';
import { isBlocking, trendOf } from './convergence.ts';
import type { Loop, Round } from './loop.ts';
import { nextCommand } from './next-command.ts';
import type { EventOutput, FindingOutput, LoopOutput } from './output.ts';
import { channelsOf, confinementOf, reviewersOf, spendOf } from './round.ts';
import { isApplicable } from './suggestion.ts';

/** A loop as programs see it. */
export function loopOutput(loop: Loop): LoopOutput {
  const choices = [...choicesOf(loop)];
  return {
    type: 'loop',
    v: 1,
    id: loop.id,
    uid: loop.uid,
    seq: loop.seq,
    task: taskOutput(loop),
    state: loop.state,
    finalVerdict: loop.finalVerdict,
    approval: loop.approval?.by === 'review' ? { ...loop.approval, proofs: [...loop.approval.proofs] } : loop.approval,
    branch: loop.branch,
    base: loop.base.mergeBase,
    head: loop.head?.commit ?? null,
    rounds: loop.rounds.map(roundOutput),
    trend: trendOf(loop.rounds),
    findings: loop.findings.map((finding) => findingOutput(loop, finding)),
    gates: loop.gates.results.map(({ name, passed, redBefore, reran }) => ({ name, passed, redBefore, reran })),
    waiting:
      loop.waiting === null ? null : { for: loop.waiting.for, ...(loop.waiting.until === null ? {} : { until: loop.waiting.until }) },
    spend: {
      usd: toldUsd(loop.spend.usd),
      estimated: loop.spend.estimated,
      ceilingUsd: ownCeilingUsd(loop),
      subscriptionUsd: toldUsd(loop.spend.subscriptionUsd),
      ...dayOutput(loop),
    },
    decisions: [...loop.decisions],
    comments: loop.comments.map(({ draft: _draft, submission: _submission, ...comment }) => comment),
    ...(loop.escalation === null ? {} : { escalation: { reason: loop.escalation.reason, why: loop.escalation.why, choices } }),
    imported: loop.imported,
    choices,
    next: nextCommand(loop),
  };
}

function taskOutput({ task: { kind, title, text, ref, dependsOn, group, follows } }: Loop): LoopOutput['task'] {
  return { kind, title, text, ref, dependsOn, group, follows };
}

function dayOutput({ tally, ceilingUsd }: Loop): Pick<LoopOutput['spend'], 'day'> {
  if (tally === null || ceilingUsd.day === null) return {};
  return { day: { day: tally.day, usd: toldUsd(tally.spentUsd), estimated: tally.estimated, ceilingUsd: ceilingUsd.day } };
}

/** A finding as programs see it. */
export function findingOutput(loop: Loop, finding: Finding): FindingOutput {
  return {
    type: 'finding',
    v: 1,
    id: finding.id,
    status: finding.status,
    provenance: finding.provenance,
    source: finding.source,
    severity: finding.severity,
    category: finding.category,
    file: finding.file,
    line: finding.line,
    lineEnd: finding.lineEnd,
    description: finding.description,
    impact: finding.impact,
    suggestion: finding.suggestion,
    applicable: isApplicable(loop, finding),
    blocking: isBlocking(finding, loop.settings.policy),
    firstRound: finding.firstRound,
    lastRound: finding.lastRound,
    anchor: finding.anchor,
    movedFrom: movedFrom(finding),
    snippet: finding.snippet,
    also: [...finding.also],
    resolution: finding.resolution,
    ruling: finding.ruling,
    raisedBy: finding.raisedBy,
    flags: finding.flags,
  };
}

function movedFrom({ origin, file, line }: Finding): FindingOutput['movedFrom'] {
  if (origin === null || (origin.file === file && origin.line === line)) return null;
  return { file: origin.file, line: origin.line };
}

/** An entry of a journal as programs see it, with the state that it led to. */
export function eventOutput(loop: Loop, entry: JournalEntry): EventOutput {
  return { type: 'event', v: 1, loop: loop.id, seq: entry.seq, at: entry.at, state: loop.state, event: entry.event };
}

/** A round as programs see it. */
export function roundOutput(round: Round): LoopOutput['rounds'][number] {
  const spent = spendOf(round);
  return {
    round: round.round,
    verdict: round.verdict,
    why: round.why,
    notes: [...round.notes],
    reviewers: [...reviewersOf(round)],
    lost: round.lost.map(({ member }) => member),
    findings: round.findingIds.length,
    blocking: round.blockingIds.length,
    channel: channelsOf(round),
    confinement: confinementOf(round),
    spendUsd: spent === null ? null : toldUsd(spent),
  };
}
