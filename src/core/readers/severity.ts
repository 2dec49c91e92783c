import { bySeverity, isAtLeast, type ReportedIssue, type Severity } from '../finding.ts';
import type { Verdict } from '../review.ts';

/** A judgement with what a person should know about how it was made. */
export type Judged<T> = { readonly value: T; readonly flag: string | null };

const WORDS: Readonly<Record<string, Severity>> = {
  critical: 'critical',
  blocker: 'critical',
  blocking: 'critical',
  fatal: 'critical',
  severe: 'critical',
  p0: 'critical',
  high: 'high',
  error: 'high',
  important: 'high',
  major: 'high',
  p1: 'high',
  medium: 'medium',
  moderate: 'medium',
  warning: 'medium',
  warn: 'medium',
  p2: 'medium',
  low: 'low',
  minor: 'low',
  p3: 'low',
  suggestion: 'suggestion',
  suggestions: 'suggestion',
  info: 'suggestion',
  informational: 'suggestion',
  note: 'suggestion',
  notice: 'suggestion',
  hint: 'suggestion',
  nit: 'suggestion',
  nitpick: 'suggestion',
  nits: 'suggestion',
  optional: 'suggestion',
  trivial: 'suggestion',
  p4: 'suggestion',
};

const PHRASES: Readonly<Record<string, Severity>> = { 'must fix': 'high', 'should fix': 'high', 'nice to have': 'low' };

const SIGNS: Readonly<Record<string, Severity>> = {
  '🚨': 'critical',
  '🔴': 'critical',
  '🟠': 'high',
  '🟡': 'medium',
  '🟢': 'low',
  '🔵': 'low',
  '💡': 'suggestion',
};

/** What an issue without a severity is worth by seed 001's type. */
const TYPE_DEFAULTS: Readonly<Record<string, Severity>> = {
  'spec-intent-mismatch': 'high',
  'missing-error-handling': 'medium',
  'over-engineering': 'low',
  'pattern-violation': 'low',
  'dead-code': 'low',
};

/** The severity that some words name, the worst if they name several; null if none, or if they are negated. */
export function severityWord(text: string): Severity | null {
  const words: readonly string[] = text.toLowerCase().match(/[a-z]+[0-9]?/g) ?? [];
  if (words.includes('non') || words.includes('not')) return null;
  const named = words.flatMap((word) => lookUp(WORDS, word));
  const joined = words.join(' ');
  const phrased =
    named.length > 0 ? named : Object.keys(PHRASES).flatMap((phrase) => (joined.includes(phrase) ? lookUp(PHRASES, phrase) : []));
  const found = phrased.length > 0 ? phrased : Object.keys(SIGNS).flatMap((sign) => (text.includes(sign) ? lookUp(SIGNS, sign) : []));
  return worst(found);
}

/** How much a reported issue matters: its own word, else its type's default, else high. */
export function severityOf(issue: Pick<ReportedIssue, 'severity' | 'type'>, claim: Verdict | null): Judged<Severity> {
  if (issue.severity !== null && issue.severity.trim() !== '') {
    const severity = severityWord(issue.severity);
    return severity === null
      ? { value: 'high', flag: `severity '${issue.severity.slice(0, 40)}' is unknown, taken as high` }
      : { value: severity, flag: null };
  }
  const byType = typeDefault(issue.type);
  if (byType === null) return { value: 'high', flag: 'no severity was given, taken as high' };
  const rejected = claim === 'changes_requested' || claim === 'needs_discussion';
  return { value: rejected && !isAtLeast(byType, 'medium') ? 'medium' : byType, flag: null };
}

function typeDefault(type: string | null): Severity | null {
  const key = (type ?? '')
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-');
  return lookUp(TYPE_DEFAULTS, key)[0] ?? null;
}

function worst(severities: readonly Severity[]): Severity | null {
  return severities.map((severity) => ({ severity })).toSorted(bySeverity)[0]?.severity ?? null;
}

function lookUp(table: Readonly<Record<string, Severity>>, key: string): readonly Severity[] {
  const severity = Object.hasOwn(table, key) ? table[key] : undefined;
  return severity === undefined ? [] : [severity];
}
