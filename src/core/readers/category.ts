import type { Category, ReportedIssue } from '../finding.ts';
import type { Judged } from './severity.ts';

const WORDS: readonly (readonly [Category, RegExp])[] = [
  ['security', /\b(security|vulnerabilit|injection|auth|authentication|authorization|xss|csrf|secrets?|privacy)/],
  ['performance', /\b(performance|efficiency|scalab|latency|memory)/],
  ['testing', /\b(test|tests|testing|coverage|tdd)/],
  ['documentation', /\b(doc|docs|documentation|comment|comments|readme)\b/],
  ['architecture', /\b(architect|design|structure|over-engineering|abstraction|dependenc|coupling|adr)/],
  [
    'style',
    /\b(style|naming|format|lint|readab|maintainab|convention|consisten|pattern-violation|pattern|dead-code|cleanup|duplicat|refactor)/,
  ],
  [
    'logic',
    /\b(logic|correct|bug|functional|error-handling|missing-error-handling|edge|race|concurren|spec-intent-mismatch|intent|spec|validation|robust|reliab|data)/,
  ],
];

/** The category that a word or a short label names; null if it names none. */
export function categoryWord(label: string): Category | null {
  const key = label.toLowerCase().replace(/[\s_]+/g, '-');
  return WORDS.find(([, pattern]) => pattern.test(key))?.[0] ?? null;
}

/** What a reported issue is about: its category's word, else its type's, else `logic`. */
export function categoryOf(issue: Pick<ReportedIssue, 'category' | 'type'>): Judged<Category> {
  const known = categoryWord(issue.category ?? '') ?? categoryWord(issue.type ?? '');
  if (known !== null) return { value: known, flag: null };
  const word = issue.category ?? issue.type;
  return { value: 'logic', flag: word === null ? null : `category '${word.slice(0, 40)}' is unknown, taken as logic` };
}
