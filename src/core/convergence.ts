import type { Finding, Severity } from './finding.ts';
import { isAtLeast, isClosed } from './finding.ts';
import type { Loop, Round } from './loop.ts';
import type { Policy } from './policy.ts';
import { counted, someOf } from './words.ts';

/** Whether a finding stands in the way of an approval. */
export function isBlocking(finding: Finding, policy: Policy): boolean {
  // What a person asked for is not weighed.
  return !isClosed(finding) && (finding.source === 'person' || isAtLeast(finding.severity, limitOf(finding, policy)));
}

/** Those of a loop's findings that stand in the way of its approval. */
export function blockingIn({
  findings,
  settings,
}: Pick<Loop, 'findings'> & { readonly settings: { readonly policy: Policy } }): readonly Finding[] {
  return findings.filter((one) => isBlocking(one, settings.policy));
}

/** What was raised late or outside of the change has to be grave. */
function limitOf(finding: Finding, policy: Policy): Severity {
  const mustBeGrave = finding.place === 'outside' || isRelaxed(finding, policy);
  return mustBeGrave && isAtLeast('high', policy.blockAt) ? 'high' : policy.blockAt;
}

/** The ratchet: what a reviewer could have said in round 1 and did not, later blocks only if it is grave. Security is never relaxed. */
function isRelaxed(finding: Finding, policy: Policy): boolean {
  if (policy.convergence !== 'ratchet' || finding.source !== 'reviewer' || finding.category === 'security') return false;
  return finding.provenance === 'late' && !finding.firm;
}

const TOO_OFTEN = 2;

/** Whether a finding came back again after it was fixed or refuted. */
export function oscillates(finding: Finding): boolean {
  return finding.reopenings >= TOO_OFTEN;
}

/** Whether a finding has outlived so many fixes that another one will not help. */
export function isStuck(finding: Finding): boolean {
  return finding.survived >= TOO_OFTEN;
}

/** Which of these findings are stuck or swing, in words for people; empty if none is. */
export function troubleWords(findings: readonly Finding[]): string {
  const stuck = findings.filter(isStuck);
  const back = findings.filter(oscillates);
  const names = (some: readonly Finding[]): string => someOf(some.map(({ id }) => id));
  const least = (counts: readonly number[]): number => Math.min(...counts);
  const fixes = counted(least(stuck.map(({ survived }) => survived)), 'fix', 'fixes');
  const times = least(back.map(({ reopenings }) => reopenings));
  return [
    ...(stuck.length === 0 ? [] : [`${names(stuck)} outlived ${fixes}`]),
    ...(back.length === 0 ? [] : [`${names(back)} came back ${times} times after it was settled`]),
  ].join('; ');
}

/** The rounds whose code a loop swings between: that of the one is back, or a finding that was fixed in the one. Null if it does not. */
export function swingingRounds(loop: Loop): { readonly one: Round; readonly other: Round } | null {
  const last = loop.rounds.at(-1);
  if (last === undefined) return null;
  const isBack = loop.findings.some((one) => oscillates(one) && isBlocking(one, loop.settings.policy));
  const one =
    last.head.tree === loop.head?.tree && isBack
      ? loop.rounds.at(-2)
      : loop.rounds.slice(0, -1).find((round) => round.head.tree === loop.head?.tree);
  return one === undefined ? null : { one, other: last };
}

/** Where the blocking findings of the last two rounds point to; for people to see, never a reason to stop. */
export type Trend = 'converging' | 'plateau' | 'diverging';

/** The trend of a loop; null before there are two rounds. */
export function trendOf(rounds: readonly Pick<Round, 'blockingIds'>[]): Trend | null {
  const [before, last] = rounds.slice(-2).map((round) => round.blockingIds.length);
  if (before === undefined || last === undefined) return null;
  return last < before ? 'converging' : last === before ? 'plateau' : 'diverging';
}

/** What the rules made of a round's findings, in sentences for people. */
export function convergenceNotes(given: {
  readonly round: number;
  readonly findings: readonly Finding[];
  readonly raisedIds: readonly string[];
  readonly policy: Policy;
}): readonly string[] {
  const { round, findings, raisedIds, policy } = given;
  const raised = findings.filter(({ id }) => raisedIds.includes(id));
  const open = findings.filter((one) => !isClosed(one) && one.source !== 'gate');
  const relaxed = raised.filter(
    (one) => !isClosed(one) && isRelaxed(one, policy) && isAtLeast(one.severity, policy.blockAt) && !isBlocking(one, policy),
  );
  const outside = raised.filter(
    (one) => one.place === 'outside' && !isClosed(one) && isAtLeast(one.severity, policy.blockAt) && !isBlocking(one, policy),
  );
  const silent = open.filter(
    (one) => one.source !== 'engine' && !raisedIds.includes(one.id) && one.status === 'persisting' && isBlocking(one, policy),
  );
  const back = raised.filter((one) => one.status === 'reopened' && isBlocking(one, policy));
  const kept = raised.filter((one) => one.status === 'refuted');
  return [
    ...told(
      relaxed,
      (what, one) => `${what} below high ${one ? 'was' : 'were'} kept as ${one ? 'a follow-up' : 'follow-ups'}`,
      'late finding',
    ),
    ...told(
      outside.filter((one) => !relaxed.includes(one)),
      (what, one) => `${what} below high, outside of the change, ${one ? 'does' : 'do'} not block`,
    ),
    ...told(
      silent,
      (what, one) =>
        `${what} ${one ? 'was' : 'were'} not raised again, but nothing that changed can have fixed ${one ? 'it, so it still blocks' : 'them, so they still block'}`,
    ),
    ...told(back, (what) => `${what} came back after a fix`),
    ...told(
      kept,
      (what, one) =>
        `${what} ${one ? 'was' : 'were'} refuted before and ${one ? 'its' : 'their'} code has not changed, so ${one ? 'it stays' : 'they stay'} closed`,
    ),
  ].map((text) => `Round ${round}: ${text}.`);
}

function told(findings: readonly Finding[], say: (what: string, isOne: boolean) => string, noun = 'finding'): string[] {
  if (findings.length === 0) return [];
  return [say(`${counted(findings.length, noun)} (${someOf(findings.map(({ id }) => id))})`, findings.length === 1)];
}
