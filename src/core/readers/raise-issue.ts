import type { RaisedFinding, ReportedIssue } from '../finding.ts';
import type { Verdict } from '../review.ts';
import { categoryOf } from './category.ts';
import { severityOf } from './severity.ts';

/** Where an issue was found to lie. */
export type PlacedIssue = Pick<RaisedFinding, 'file' | 'line' | 'lineEnd' | 'place'> & {
  readonly snippet?: string | null;
  readonly codeHash?: string | null;
  /** What a person should know about how it was placed. */
  readonly flags?: readonly string[];
};

/** Judges a reported issue: from an agent's words to a finding of this review. */
export function raiseIssue(
  issue: ReportedIssue,
  placed: PlacedIssue,
  review: { readonly claim: Verdict | null; readonly agent: string },
): RaisedFinding {
  const severity = severityOf(issue, review.claim);
  const category = categoryOf(issue);
  return {
    source: 'reviewer',
    severity: severity.value,
    category: category.value,
    tag: issue.type,
    file: placed.file,
    line: placed.line,
    lineEnd: placed.lineEnd,
    place: placed.place,
    description: issue.description,
    impact: issue.impact,
    suggestion: issue.suggestion,
    patch: issue.patch,
    snippet: placed.snippet ?? null,
    flags: [severity.flag, category.flag].filter((flag) => flag !== null).concat(placed.flags ?? []),
    raisedBy: [review.agent],
    codeHash: placed.codeHash ?? null,
  };
}
