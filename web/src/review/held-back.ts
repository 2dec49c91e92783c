import type { ListedFinding } from '../../../src/api/contract/loops.ts';
import type { LoopView } from '../../../src/core/view.ts';
import { placeOf } from './findings-at.ts';

type Comment = LoopView['comments'][number];

/** What of a loop is drawn into its diff. */
export type Drawn = { readonly head: string; readonly findings: readonly ListedFinding[]; readonly comments: readonly Comment[] };

/** What came while somebody read: the diff does not change under their eyes. */
export type News = { readonly findings: number; readonly comments: number; readonly head: string | null };

/** What is shown, and what is held back of it. */
export type HeldBack = Drawn & { readonly news: News | null };

/**
 * What of the newest may be drawn into a diff that somebody reads: what was known stays at its place, and only how it stands and what
 * is said about it goes on. Where nothing came that would move anything, all of the newest is shown.
 */
export function heldBack(known: Drawn, newest: Drawn): HeldBack {
  const before = new Map(known.findings.map((finding) => [finding.id, finding]));
  const findings = newest.findings.flatMap((finding) => {
    const old = before.get(finding.id);
    return old === undefined ? [] : [{ ...finding, ...placeOf(old) }];
  });
  // Comments are only ever added; an answer stands with its finding and moves no line.
  const comments = newest.comments.filter(({ findingId }, index) => index < known.comments.length || findingId !== null);
  const more = { findings: newest.findings.length - findings.length, comments: newest.comments.length - comments.length };
  const head = known.head === newest.head ? null : newest.head;
  if (more.findings === 0 && more.comments === 0 && head === null) return { ...newest, news: null };
  return { head: known.head, findings, comments, news: { ...more, head } };
}
