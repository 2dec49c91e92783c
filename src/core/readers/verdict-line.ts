import type { Verdict } from '../review.ts';
import type { TextLine } from './lines.ts';
import { mostCareful, verdictAtStart } from './verdict-words.ts';

/** What the verdict lines of a text amount to. */
export type VerdictLines = {
  /** A rejection or a question, however loosely it is written; null without one. */
  readonly rejection: Exclude<Verdict, 'approved'> | null;
  /** Exactly one verdict line, in the very form of seed 004, and it approves. */
  readonly approves: boolean;
  /** Some line sounds like an approval. Never a ground to approve. */
  readonly soundsApproving: boolean;
};

/** The form that alone can approve: at the start of its line, nothing beside it. */
const STRICT = /^\*\*Verdict:[ \t]*(APPROVED|CHANGES_REQUESTED|NEEDS_DISCUSSION)\*\*[ \t]*$/;
const LOOSE = /^[\s#*_-]{0,12}(?:final |overall |review )?verdict[\s*_]{0,4}[:–—-][\s*_`]{0,6}(.{1,80})/i;

/** Reads seed 004's verdict lines, outside of code fences and quotes. */
export function readVerdictLines(lines: readonly TextLine[]): VerdictLines {
  const strict: string[] = [];
  const loose: (Verdict | null)[] = [];
  for (const line of lines) {
    if (!line.own) continue;
    const exact = STRICT.exec(line.text)?.[1];
    if (exact !== undefined) strict.push(exact);
    const phrase = LOOSE.exec(line.text)?.[1];
    if (phrase !== undefined) loose.push(verdictAtStart(phrase));
  }
  const rejections = loose.filter((verdict) => verdict === 'changes_requested' || verdict === 'needs_discussion');
  const worst = mostCareful(rejections);
  return {
    rejection: worst === 'approved' ? null : worst,
    approves: strict.length === 1 && loose.length === 1 && strict[0] === 'APPROVED',
    soundsApproving: loose.includes('approved'),
  };
}
