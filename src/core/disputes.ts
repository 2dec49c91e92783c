import { blockingIn, isBlocking } from './convergence.ts';
import type { Delta } from './delta.ts';
import type { Finding, FindingRuling } from './finding.ts';
import { judgePanel, withoutVoid } from './judge.ts';
import type { Loop, Round } from './loop.ts';
import { followLines } from './re-anchor.ts';
import type { Ruling } from './review.ts';
import { heldOf } from './round.ts';
import { BUILTIN } from './settings.ts';
import { counted } from './words.ts';

/** The disputes that wait for a ruling, and for whose; nobody is asked where none of them is about something that blocks. */
export function openDisputes(loop: Loop): { readonly forArbiter: readonly Finding[]; readonly forPerson: readonly Finding[] } {
  const disputed = loop.findings.filter((one) => one.status === 'disputed');
  const worth = (some: readonly Finding[]): readonly Finding[] => (some.some((one) => isBlocking(one, loop.settings.policy)) ? some : []);
  return { forArbiter: worth(disputed.filter((one) => !isForPerson(one))), forPerson: worth(disputed.filter(isForPerson)) };
}

/** Whether a dispute is for a person alone: security, a person's own finding, or one that was upheld or brought back before. */
function isForPerson(finding: Finding): boolean {
  const { ruling } = finding;
  const isRuled = ruling?.ruling === 'upheld' || (ruling?.ruling === 'reopened' && ruling.person);
  return finding.category === 'security' || finding.source === 'person' || isRuled;
}

/** Who rules on disputes: the configured arbiter, else an agent that did not make the fix, else the reviewer's in a fresh session. */
export function arbiterOf(loop: Loop): string | null {
  const { fixer, reviewer, author, arbiter } = loop.roles;
  const disputing = disputingAgents(loop);
  const isAble = (name: string): boolean => loop.settings.agents[name] !== undefined && loop.settings.agents[name].driver !== BUILTIN;
  const isOther = (name: string): boolean => isAble(name) && !disputing.includes(name);
  if (arbiter !== null && isOther(arbiter)) return arbiter;
  const known = [...loop.roles.fallback, ...reviewer, ...(author === null ? [] : [author])].filter(
    (name) => isOther(name) && name !== fixer,
  );
  return known.find((name) => !reviewer.includes(name)) ?? known[0] ?? reviewer.find(isAble) ?? null;
}

/** Those who may take the arbiter's place when it fails. */
export function arbiterFallback(loop: Loop): readonly string[] {
  const disputing = disputingAgents(loop);
  return loop.roles.fallback.filter((name) => name !== loop.roles.fixer && !disputing.includes(name));
}

/** Whose fix the disputes of this round came with: the fixer, or a fallback in its place. */
function disputingAgents(loop: Loop): readonly string[] {
  const agent = loop.rounds.at(-1)?.fix?.agent ?? loop.roles.fixer;
  return agent === null ? [] : [agent];
}

/** The loop after an arbiter ruled; what it did not clearly refute stands. */
export function withRulings(
  loop: Loop,
  given: { readonly rulings: readonly Ruling[]; readonly by: string; readonly deltas: readonly Delta[] },
): Loop {
  const { rulings, by, deltas } = given;
  const findings = loop.findings.map((one): Finding => {
    if (one.status !== 'disputed' || isForPerson(one)) return one;
    const said = rulings.find(({ findingId }) => findingId === one.id);
    const refuted = said?.ruling === 'refuted';
    const ruling = {
      ruling: refuted ? 'refuted' : 'upheld',
      by,
      person: false,
      note: said?.note ?? 'the arbiter said nothing about it',
      from: null,
      remembered: refuted,
    } as const;
    return ruledOn(loop, one, { ruling, deltas });
  });
  return settleAgain({ ...loop, findings, arbiter: { failures: 0 } });
}

/** A ruling, and what changed up to the code that it is about, since the heads on which findings were raised. */
export type Ruled = { readonly ruling: FindingRuling; readonly deltas: readonly Delta[] };

/** A finding after a ruling. One that stands is held against the code as it is now: only what changes from here can fix it. */
export function ruledOn(loop: Pick<Loop, 'head' | 'start'>, finding: Finding, { ruling, deltas }: Ruled): Finding {
  const delta = deltas.find(({ from }) => from === finding.origin?.commit);
  const { file, line, lineEnd } = finding;
  const now = delta === undefined || finding.origin === null ? { file, line, lineEnd } : followLines(finding.origin, delta);
  const held = { ...now, origin: { commit: (loop.head ?? loop.start).commit, ...now } };
  switch (ruling.ruling) {
    case 'refuted':
      return { ...finding, status: 'refuted', ruling };
    case 'accepted':
      return { ...finding, status: 'accepted', ruling };
    case 'upheld':
      return { ...finding, status: 'persisting', ruling, resolution: null, ...held };
    case 'reopened':
      return { ...finding, status: 'reopened', ruling, resolution: null, firm: true, ...held };
  }
}

/** Computes the verdict of the last round again, after rulings, where the code is still what was reviewed; otherwise the next review does. */
export function settleAgain(loop: Loop): Loop {
  const last = loop.rounds.at(-1);
  if (last === undefined || loop.vetoed || last.head.tree !== loop.head?.tree) return loop;
  const blocking = blockingIn(loop);
  const blockingIds = blocking.map(({ id }) => id);
  const held = heldAgain({ ...last, blockingIds }, loop.findings);
  if (blocking.length > 0) {
    const verdict = last.verdict === 'approved' ? 'changes_requested' : last.verdict;
    return withLastRound(loop.approval?.by === 'review' ? withoutApproval(loop) : loop, {
      ...last,
      verdict,
      why: counted(blocking.length, 'blocking finding'),
      fix: last.fix === null ? null : { ...last.fix, sentBack: true },
      blockingIds,
      held,
    });
  }
  const judged = judgePanel({ ...loop, roles: { ...loop.roles, reviewer: panelOf(last) }, without: last.without }, last.reviews, blocking);
  // A question that was answered is not asked again: whoever reads the answer says what is left of it.
  const isAnswered = judged.verdict === 'needs_discussion' && last.verdict !== 'needs_discussion';
  if (isAnswered) return { ...takenAgain(loop, last), seats: [] };
  if (judged.verdict === null || last.head.commit !== loop.head.commit) return takenAgain(loop, last);
  const round: Round = {
    ...last,
    verdict: judged.verdict,
    why: last.verdict === 'approved' ? last.why : 'what blocked was refuted or accepted',
    blockingIds,
    held,
  };
  const settled = withLastRound(loop, round);
  return judged.verdict === 'approved' && loop.approval?.by !== 'person' ? approvedBy(settled, round) : settled;
}

/** What the round holds after a ruling. What it was reviewed with keeps its words and its place; only what blocks since then is new. */
function heldAgain(round: Round, findings: readonly Finding[]): readonly Finding[] {
  const known = new Map(round.held.map((one) => [one.id, one]));
  return heldOf(round, findings).map((one) => known.get(one.id) ?? one);
}

/** The loop without an approval by review that has lost its ground. */
export function withoutApproval(loop: Loop): Loop {
  return { ...loop, approval: null, finalVerdict: loop.finalVerdict === 'APPROVED' ? 'CHANGES_REQUESTED' : loop.finalVerdict };
}

/** Who sat on the panel of a round; whoever reviews the next one has no say in it. */
function panelOf({ reviews, lost, without }: Round): string[] {
  return [...new Set([...reviews.map(({ member }) => member), ...lost.map(({ member }) => member), ...without])];
}

/**
 * A channel that may not approve does not do so because of a ruling, nor does a proof of another commit: the round is open again.
 * Answers that count are kept, and what was tried stays tried, so that this comes to an end.
 */
function takenAgain(loop: Loop, last: Round): Loop {
  // An earlier round of the same code must not speak in its place.
  const open: Loop = { ...loop, rounds: loop.rounds.slice(0, -1), seats: [], without: [], order: 'review' };
  if (last.head.commit !== loop.head?.commit) return open;
  return { ...open, seats: last.seats.map((seat) => withoutVoid(seat, last.reviews, [])), without: last.without };
}

/** The loop with the approval that a round's reviews carry. */
export function approvedBy(loop: Loop, round: Round): Loop {
  const proofs = round.reviews.map(({ proof }) => proof);
  const approving = round.reviews.find(({ stance }) => stance === 'approved') ?? round.reviews[0];
  const approval = { by: 'review', round: round.round, proof: approving.proof, proofs } as const;
  // Whatever was still to be fixed is moot.
  return { ...loop, approval, finalVerdict: 'APPROVED', order: null, withheld: null };
}

/** The loop with its last round replaced. */
export function withLastRound(loop: Loop, round: Round): Loop {
  return { ...loop, rounds: [...loop.rounds.slice(0, -1), round] };
}
