import type { Verdict } from '../review.ts';

const WORDS: Readonly<Record<string, Verdict>> = {
  approved: 'approved',
  approve: 'approved',
  pass: 'approved',
  passed: 'approved',
  changes_requested: 'changes_requested',
  changes_required: 'changes_requested',
  changes_needed: 'changes_requested',
  request_changes: 'changes_requested',
  requested_changes: 'changes_requested',
  needs_work: 'changes_requested',
  needs_changes: 'changes_requested',
  critical_issues: 'changes_requested',
  rejected: 'changes_requested',
  reject: 'changes_requested',
  disapproved: 'changes_requested',
  not_approved: 'changes_requested',
  not_passed: 'changes_requested',
  fail: 'changes_requested',
  failed: 'changes_requested',
  blocked: 'changes_requested',
  needs_discussion: 'needs_discussion',
  discussion_needed: 'needs_discussion',
  needs_human: 'needs_discussion',
  needs_person: 'needs_discussion',
};

/** The verdict that a word stands for, however it is spaced and cased; null for a word that nobody knows. */
export function verdictOf(word: string): Verdict | null {
  const key = word
    .toLowerCase()
    .replace(/[^a-z]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return Object.hasOwn(WORDS, key) ? (WORDS[key] ?? null) : null;
}

/** The verdict that a phrase begins with; negated approvals are rejections ("Not approved yet"). */
export function verdictAtStart(phrase: string): Verdict | null {
  const words = phrase.toLowerCase().match(/[a-z]+/g) ?? [];
  if (words[0] === 'not' || words[0] === 'no' || words[0] === 'cannot') return 'changes_requested';
  return verdictOf(words.slice(0, 2).join('_')) ?? verdictOf(words[0] ?? '');
}

const CAUTION: Readonly<Record<Verdict, number>> = { approved: 0, changes_requested: 1, needs_discussion: 2 };

/** The most careful of several verdicts; null if there is none. */
export function mostCareful(verdicts: readonly (Verdict | null)[]): Verdict | null {
  return verdicts.reduce((worst, verdict) => {
    if (verdict === null) return worst;
    return worst === null || CAUTION[verdict] > CAUTION[worst] ? verdict : worst;
  }, null);
}
