import type { ListedFinding } from '../../../src/api/contract/loops.ts';
import type { FindingStep, LoopView, RoundSummary } from '../../../src/core/view.ts';

type Comment = LoopView['comments'][number];
type Life = readonly Pick<RoundSummary, 'round' | 'head' | 'fix'>[];

type Lived = { readonly rounds: Life; readonly loop: Pick<LoopView, 'base' | 'start'> };

/** What is known of a loop at one of its commits: its findings as they were then, and how many were raised later. */
export type FindingsAt = { readonly findings: readonly ListedFinding[]; readonly later: number };

/**
 * The findings as they were at a commit that is not the newest. The line of a finding belongs to one commit alone: where nobody knows
 * it at this one, the finding has none.
 */
export function findingsAt(findings: readonly ListedFinding[], commit: string, { rounds, loop }: Lived): FindingsAt {
  const order = commitOrder(rounds);
  const end = endOf(commit, order, loop);
  if (end === BEFORE_ALL) return { findings: [], later: findings.length };
  const isThen = (step: FindingStep): boolean => timeOf(step, order, rounds) <= end;
  const reviewed = rounds.at(-1)?.head.commit;
  const then = findings.flatMap((finding) => {
    const history = (finding.history ?? []).filter(isThen);
    const last = history.at(-1);
    if (last === undefined) return finding.history === undefined ? [unplaced(finding)] : [];
    const past = pastOf(finding, history, last);
    // Every review follows the lines of all findings to what it reviewed.
    if (commit === reviewed && finding.ruling === null) return [{ ...past, ...placeOf(finding) }];
    const raised = history.findLast(isRaised);
    return [raised?.commit === commit && raised.line !== null ? { ...past, line: raised.line, anchor: 'exact' as const } : past];
  });
  return { findings: then, later: findings.length - then.length };
}

/** The time of what was there before anybody reviewed. */
const BEFORE_ALL = -1;

/** The time of a commit. One outside of the rounds, such as one that a person pushed, tells none, so nothing is later than it. */
function endOf(commit: string, order: ReadonlyMap<string, number>, { base, start }: Lived['loop']): number {
  return order.get(commit) ?? (commit === base || commit === start.commit ? BEFORE_ALL : Infinity);
}

/** When each commit was the newest, as a number that grows. */
function commitOrder(rounds: Life): ReadonlyMap<string, number> {
  const commits = rounds.flatMap(({ head, fix }) => [head.commit, ...(fix?.commits ?? [])]);
  return new Map(commits.map((commit, index) => [commit, index]));
}

/** What happened on a commit that no round knows, such as one that a person pushed, is as old as its round. */
function timeOf({ commit, round }: FindingStep, order: ReadonlyMap<string, number>, rounds: Life): number {
  const known = commit === null ? undefined : order.get(commit);
  const reviewed = rounds.find((one) => one.round === round)?.head.commit;
  return known ?? order.get(reviewed ?? '') ?? Infinity;
}

function isRaised({ what }: FindingStep): boolean {
  return what === 'raised' || what === 'raised-again';
}

/** A finding as a step of its history left it, without its lines. */
function pastOf(finding: ListedFinding, history: readonly FindingStep[], last: FindingStep): ListedFinding {
  const { status, severity, blocking, file } = last;
  const raised = history.findLast(isRaised);
  const isNewest = (what: FindingStep['what']): boolean =>
    history.some((step) => step.what === what) &&
    history.findLast((step) => step.what === what) === finding.history?.findLast((step) => step.what === what);
  const lastRound = raised?.round ?? finding.firstRound;
  return {
    ...unplaced(finding),
    status,
    severity,
    blocking,
    file,
    lastRound,
    // What is quoted is from when it was raised last.
    snippet: lastRound === finding.lastRound ? finding.snippet : null,
    resolution: isNewest('answered') ? finding.resolution : null,
    ruling: isNewest('ruled') ? finding.ruling : null,
    applicable: false,
    history: [...history],
  };
}

function unplaced(finding: ListedFinding): ListedFinding {
  return { ...finding, line: null, lineEnd: null, anchor: 'unplaced', movedFrom: null };
}

/** What of a finding says where it is. */
export function placeOf({
  file,
  line,
  lineEnd,
  anchor,
  movedFrom,
}: ListedFinding): Pick<ListedFinding, 'file' | 'line' | 'lineEnd' | 'anchor' | 'movedFrom'> {
  return { file, line, lineEnd, anchor, movedFrom };
}

/** The comments that were there at a commit, each at its line only where it was written about that commit; answers stay with their finding. */
export function commentsAt(comments: readonly Comment[], commit: string, { rounds, loop }: Lived): Comment[] {
  const order = commitOrder(rounds);
  const end = endOf(commit, order, loop);
  return comments.flatMap((comment) => {
    if (comment.findingId !== null) return [comment];
    const seen = commitThen(comment.at, rounds);
    const time = seen === null ? 0 : (order.get(seen) ?? 0);
    if (time > end) return [];
    return [seen === commit ? comment : { ...comment, line: null, lineEnd: null }];
  });
}

/** The newest commit at some time. */
function commitThen(at: string, rounds: Life): string | null {
  const fix = rounds.findLast((round) => round.fix?.endedAt != null && round.fix.commits.length > 0 && round.fix.endedAt <= at)?.fix;
  return fix?.commits.at(-1) ?? rounds[0]?.head.commit ?? null;
}
