import type { Session } from './event.ts';
import type { Finding } from './finding.ts';
import type { Loop, MemberReview, Round } from './loop.ts';
import type { ConfinementLevel } from './proof.ts';

/** Who reviewed a round, in the order of the panel. */
export function reviewersOf({ reviews }: Round): readonly string[] {
  return reviews.map(({ agent }) => agent);
}

/** The channels by which the answers of a round came, each once. */
export function channelsOf({ reviews }: Round): string {
  return [...new Set(reviews.map(({ proof }) => proof.channel))].join(', ');
}

const WEAKEST: readonly ConfinementLevel[] = ['copy', 'agent', 'os'];

/** How strictly the reviewers of a round were held: as the least of them. */
export function confinementOf({ reviews }: Round): ConfinementLevel {
  const levels = reviews.map(({ proof }) => proof.confinement);
  return WEAKEST.find((level) => levels.includes(level)) ?? 'copy';
}

/** What the reviews of a round cost; null where nobody knows. */
export function spendOf({ reviews }: Round): number | null {
  const costs = reviews.flatMap(({ session }) => session?.usage?.costUsd ?? []);
  return costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0);
}

/** What the reviewers said in sum, with their names where there are several. */
export function summaryOf({ reviews }: Round): string | null {
  const said = reviews.flatMap((review) => sentenceOf(review, reviews.length > 1));
  return said.length === 0 ? null : said.join('\n\n');
}

function sentenceOf({ agent, reading }: MemberReview, withName: boolean): string[] {
  if (reading.summary === null) return [];
  return [withName ? `${agent}: ${reading.summary}` : reading.summary];
}

/** Of these findings those that a round raised or held to be open. */
export function heldOf(
  { findingIds, blockingIds }: Pick<Round, 'findingIds' | 'blockingIds'>,
  findings: readonly Finding[],
): readonly Finding[] {
  const ids = new Set([...findingIds, ...blockingIds]);
  return findings.filter(({ id }) => ids.has(id));
}

/** The sessions of a round: its reviews, those that came to nothing too, and the fixes and rulings that answer it. The author's belong to none. */
export function sessionsIn({ rounds, sessions }: Pick<Loop, 'rounds' | 'sessions'>, round: Round): readonly Session[] {
  const ends = rounds.map((one) => sessions.findLastIndex((session) => one.reviews.some((review) => review.session === session)));
  const at = rounds.findIndex((one) => one.round === round.round);
  const reviewedUntil = ends[at] ?? -1;
  const before = at === 0 ? -1 : (ends[at - 1] ?? -1);
  const next = ends[at + 1] ?? sessions.length;
  // What was fixed before any review, for the gates, belongs to the first.
  const fixedFrom = at === 0 ? -1 : reviewedUntil;
  return sessions.filter(({ role }, index) => {
    if (role === 'reviewer') return index > before && index <= reviewedUntil;
    return role !== 'author' && index > fixedFrom && index < next;
  });
}
