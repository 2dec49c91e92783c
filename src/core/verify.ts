import { blockingIn } from './convergence.ts';
import { decide } from './decide.ts';
import { isSame } from './differences.ts';
import type { Event } from './event.ts';
import { isSettled } from './finding.ts';
import type { Loop } from './loop.ts';
import { proofProblem } from './proof.ts';
import { refusal } from './refusal.ts';
import { reviewersOf } from './round.ts';
import { cannotTell, fails, holds, short } from './verify-facts.ts';
import type { Check, Outcome, VerifyFacts } from './verify-facts.ts';
import { roundChecks } from './verify-review.ts';
import { rowsHold } from './verify-rows.ts';
import { counted, someOf } from './words.ts';

/** What a verification comes to. `holds` is true only of an approval by review that every check bears out. */
export type Verification = {
  readonly holds: boolean;
  readonly why: string;
  readonly failed: number;
  readonly unchecked: number;
};

/** The branch that an approval of this loop is about; null where it is about commits alone. */
export function branchOf({ branch, commits, task }: Loop): string | null {
  if (commits.length > 0) return branch;
  return task.source.kind === 'branch' ? task.source.branch : null;
}

/** Checks everything again that a loop claims about its reviews and its approval. */
export function verifyLoop(facts: VerifyFacts): readonly Check[] {
  const { loop } = facts.replay;
  return [
    { round: null, what: 'journal', ...journalHolds(facts) },
    { round: null, what: 'record', ...rowsHold(facts, null) },
    ...loop.rounds.flatMap((round) => roundChecks(facts, round)),
    ...approvalChecks(facts),
  ];
}

/** What the checks of a loop come to. */
export function concludeVerification(loop: Loop, checks: readonly Check[]): Verification {
  const { approval, state } = loop;
  const [first, ...others] = checks.filter(({ ok }) => ok === false);
  const failed = first === undefined ? 0 : 1 + others.length;
  const counts = { failed, unchecked: checks.filter(({ ok }) => ok === null).length };
  const also = failed === 0 ? '' : `, and ${counted(failed, 'check')} ${failed === 1 ? 'does' : 'do'} not hold`;
  if (approval === null) return { holds: false, why: `there is no approval (${state})${also}`, ...counts };
  if (approval.by === 'person') return { holds: false, why: `approved by ${approval.name}, which proves nothing${also}`, ...counts };
  if (first !== undefined) {
    const where = first.round === null ? '' : `round ${first.round}, ${first.what}: `;
    const more = others.length === 0 ? '' : `, and ${others.length} more`;
    return { holds: false, why: `the approval does not hold: ${where}${first.detail}${more}`, ...counts };
  }
  const { head, filesDelivered, filesNamed } = approval.proof;
  const files = counted(filesDelivered.length + filesNamed.length, 'file');
  const by = approval.proofs.map(({ agent }) => agent).join(' and ');
  return { holds: true, why: `the approval holds: ${short(head)}, ${files}, reviewed by ${by}${setAside(loop)}`, ...counts };
}

/** What an approval by review owes to people: it is theirs to answer for. */
function setAside({ findings, rounds }: Loop): string {
  const rulings = findings.flatMap((one) => (one.ruling?.person === true && isSettled(one) ? [one.ruling.by] : []));
  const without = rounds.at(-1)?.without ?? [];
  return [
    ...(rulings.length === 0 ? [] : [`, after ${[...new Set(rulings)].join(' and ')} set ${counted(rulings.length, 'finding')} aside`]),
    ...(without.length === 0 ? [] : [`, after a person went on without ${without.join(' and ')}`]),
  ].join('');
}

function journalHolds({ replay, isForeign }: VerifyFacts): Outcome {
  if (isForeign) return fails('git tracks the journal, so it came with a commit and nobody here wrote it');
  if (replay.broken !== null) return fails(replay.broken);
  for (const { entry, before } of replay.steps) {
    const problem = before === null ? null : admissionProblem(before, entry.event);
    if (problem !== null) return fails(`entry ${entry.seq} (${entry.event.type}) does not follow from those before it: ${problem}`);
  }
  return holds(`${replay.steps.length} entries, each follows from those before it`);
}

/** The reason of an action may be worded otherwise today; what is done may not. */
function admissionProblem(loop: Loop, event: Event): string | null {
  if (event.type !== 'started') return refusal(loop, event);
  if (loop.current !== null) return 'another action is under way';
  return isSame({ ...decide(loop), why: '' }, { ...event.action, why: '' }) ? null : 'this is not what the loop does next';
}

function approvalChecks(facts: VerifyFacts): readonly Check[] {
  const { loop } = facts.replay;
  if (loop.approval?.by !== 'review') return [];
  const name = branchOf(loop);
  const branch: readonly Check[] = name === null ? [] : [{ round: null, what: 'branch', ...branchHolds(facts, name) }];
  return [{ round: null, what: 'approval', ...approvalHolds(loop, loop.approval) }, ...branch];
}

function approvalHolds(loop: Loop, approval: Extract<Loop['approval'], { by: 'review' }>): Outcome {
  const { head } = loop;
  const round = loop.rounds.find((one) => one.round === approval.round);
  if (head === null || round?.verdict !== 'approved') return fails(`round ${approval.round} did not approve it`);
  const problem = approval.proofs.map((proof) => proofProblem(proof, head)).find((one) => one !== null);
  if (problem !== undefined) return fails(`the proof is not one of ${short(head.commit)}: ${problem.detail}`);
  const open = blockingIn(loop);
  if (open.length > 0) return fails(`${someOf(open.map(({ id }) => id))} blocks`);
  return holds(`of ${short(head.commit)} by ${reviewersOf(round).join(' and ')}, in round ${round.round}`);
}

function branchHolds({ replay: { loop }, branch }: VerifyFacts, name: string): Outcome {
  const approved = loop.head?.commit ?? '';
  if (branch === null) return cannotTell(`there is no branch ${name} any more`);
  if (branch === approved) return holds(`${name} stands at ${short(approved)}`);
  return fails(`${name} stands at ${short(branch)}, and the approval is of ${short(approved)}`);
}
