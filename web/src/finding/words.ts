import type { Category, FindingSource, FindingStatus, Provenance, Severity } from '../../../src/core/finding.ts';
import type { FindingOutput } from '../../../src/core/output.ts';

/** A word for a person, and what it means in a sentence. */
export type Told = { readonly word: string; readonly why: string };

/** The severities, worst first, as headings tell them. */
export const SEVERITIES: Readonly<Record<Severity, string>> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  suggestion: 'Suggestions',
};

/** What a finding is about. */
export const CATEGORIES: Readonly<Record<Category, string>> = {
  security: 'Security',
  architecture: 'Architecture',
  logic: 'Logic',
  style: 'Style',
  performance: 'Performance',
  testing: 'Testing',
  documentation: 'Documentation',
};

/** Where a finding is in its life. */
export const STATUSES: Readonly<Record<FindingStatus, Told>> = {
  open: { word: 'Open', why: 'Raised, and not answered yet' },
  persisting: { word: 'Persists', why: 'A later review raised it again' },
  fixed: { word: 'Fixed', why: 'A later review does not raise it any more' },
  reopened: { word: 'Reopened', why: 'It was fixed or refuted before, and came back' },
  disputed: { word: 'Disputed', why: 'The fixer says that it is wrong, and somebody has to rule' },
  refuted: { word: 'Refuted', why: 'It was ruled to be wrong' },
  accepted: { word: 'Accepted', why: 'A person lives with it' },
};

/** Why a finding appeared when it did; the first one goes without saying. */
export const PROVENANCES: Readonly<Record<Provenance, Told>> = {
  original: { word: 'Original', why: 'It was there when the lines were first reviewed' },
  'fix-induced': { word: 'Fix-induced', why: 'A fix made it: its lines were changed after an earlier review' },
  late: { word: 'Late', why: 'An earlier review saw these lines and did not raise it' },
};

/** Who says so, where it is no agent that reviews. */
export const SOURCES: Readonly<Record<FindingSource, string>> = {
  reviewer: 'reviewer',
  gate: 'gate',
  person: 'person',
  engine: 'Volley itself',
  forge: 'forge',
};

/** The words beside the severity: what it is about, whether it blocks, and what is special about it. */
export function tagsOf(
  finding: Pick<FindingOutput, 'category' | 'blocking' | 'status' | 'provenance'>,
): readonly (Told & { strong: boolean })[] {
  const { category, blocking, status, provenance } = finding;
  const settled = status === 'fixed' || status === 'refuted' || status === 'accepted';
  const blocks = blocking
    ? { word: 'Blocks', why: 'The loop is not approved while it stands', strong: true }
    : { word: 'Does not block', why: 'The loop can be approved with it', strong: false };
  return [
    { word: CATEGORIES[category], why: 'What it is about', strong: false },
    ...(settled ? [] : [blocks]),
    ...(status === 'open' ? [] : [{ ...STATUSES[status], strong: false }]),
    ...(provenance === 'original' ? [] : [{ ...PROVENANCES[provenance], strong: false }]),
  ];
}

/** The lines of a finding: "line 53", "lines 19–25"; null where it is about more than lines. */
export function lineWords({ line, lineEnd }: Pick<FindingOutput, 'line' | 'lineEnd'>): string | null {
  if (line === null) return null;
  return lineEnd === null || lineEnd === line ? `line ${line}` : `lines ${line}–${lineEnd}`;
}

/** Where a finding lies, as one types it: `src/a.ts:19-25`. */
export function placeWords({ file, line, lineEnd }: Pick<FindingOutput, 'file' | 'line' | 'lineEnd'>): string {
  if (file === null) return 'the whole change';
  if (line === null) return file;
  return lineEnd === null || lineEnd === line ? `${file}:${line}` : `${file}:${line}-${lineEnd}`;
}

/** The number of a finding in its loop: 4 of 29.4. */
export function numberOf(id: string): number {
  return Number(id.slice(id.lastIndexOf('.') + 1));
}
