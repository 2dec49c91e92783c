import { adoptPush, reopened } from './apply-people.ts';
import { currentHead } from './choices.ts';
import { settleAgain } from './disputes.ts';
import type { Event } from './event.ts';
import type { RaisedFinding } from './finding.ts';
import { withGuidance } from './guidance.ts';
import type { Loop } from './loop.ts';
import { newFinding } from './new-finding.ts';
import { shownPlace } from './prompts/sections.ts';

type Commented = Extract<Event, { type: 'commented' }>;

/** What a person's words about the change do: they guide the next author and fixer, or they are a finding that leads to a fix. */
export function applyComment(loop: Loop, event: Commented, at: string): Loop {
  const { by, text, file, line, lineEnd = null, draft = null, submission = null, raised } = event;
  const findingId = raised === null ? null : `${loop.id}.${loop.findings.length + 1}`;
  const told: Loop = { ...loop, comments: [...loop.comments, { at, by, text, file, line, lineEnd, findingId, draft, submission }] };
  return raised === null ? withGuidance(told, { by, reason: placed(event) }) : requestChanges(told, raised);
}

function placed({ text, file, line, lineEnd }: Commented): string {
  return file === null ? text : `${shownPlace({ file, line, lineEnd })}: ${text}`;
}

/**
 * While something runs, is asked or is waited for, the finding only stands there and is met in time. At rest it leads to a fix,
 * and to the review of that fix: for a person's own finding there is always room. Whatever was approved is so no more.
 */
function requestChanges(before: Loop, raised: RaisedFinding): Loop {
  const rests = before.ending !== null && before.ending.state !== 'failed' && before.takenOver === null;
  const loop = reopened(rests ? adoptPush({ ...before, ending: null }, false) : before);
  const found = {
    round: Math.max(1, loop.rounds.length),
    provenance: loop.rounds.length > 1 ? ('late' as const) : ('original' as const),
    commit: currentHead(loop)?.commit ?? null,
  };
  const finding = { ...newFinding(loop, raised, found), awaits: true };
  const noted = withGrantedRound({ ...loop, findings: [...loop.findings, finding] });
  if (!rests) return noted;
  return { ...settleAgain(noted), order: 'fix', finalVerdict: loop.rounds.length === 0 ? null : 'CHANGES_REQUESTED' };
}

/** At the cap one round more, which does not count against the hard total. */
function withGrantedRound(loop: Loop): Loop {
  const used = loop.rounds.length + (loop.current?.action.do === 'review' ? 1 : 0);
  if (used < loop.maxRounds) return loop;
  return { ...loop, maxRounds: used + 1, grantedRounds: loop.grantedRounds + 1 };
}
