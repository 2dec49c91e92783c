import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReportedIssue } from '../finding.ts';
import { categoryOf } from './category.ts';
import { raiseIssue } from './raise-issue.ts';
import { severityOf } from './severity.ts';

const value = (severity: string | null, type: string | null = null): string => severityOf({ severity, type }, null).value;

for (const [word, severity] of [
  ['critical', 'critical'],
  ['Critical (Must Fix)', 'critical'],
  ['P0', 'critical'],
  ['blocker', 'critical'],
  ['🔴', 'critical'],
  ['error', 'high'],
  ['Important', 'high'],
  ['MUST-FIX (Important)', 'high'],
  ['[P1]', 'high'],
  ['must fix', 'high'],
  ['Major', 'high'],
  ['warning', 'medium'],
  ['MEDIUM', 'medium'],
  ['p2', 'medium'],
  ['low to medium', 'medium'],
  ['Minor', 'low'],
  ['nice-to-have', 'low'],
  ['P3', 'low'],
  ['🔴 minor', 'low'],
  ['suggestion', 'suggestion'],
  ['nit', 'suggestion'],
  ['info', 'suggestion'],
] as const) {
  test(`the word ${word} means ${severity}`, () => {
    assert.deepEqual(severityOf({ severity: word, type: null }, null), { value: severity, flag: null });
  });
}

test('a word that nobody knows, or a negated one, is high and flagged', () => {
  assert.deepEqual(severityOf({ severity: 'spicy', type: 'dead-code' }, null), {
    value: 'high',
    flag: "severity 'spicy' is unknown, taken as high",
  });
  assert.equal(value('non-critical'), 'high');
  assert.equal(value('constructor'), 'high');
});

test('without a severity the type decides, at least medium if the reviewer rejected', () => {
  assert.equal(value(null, 'spec-intent-mismatch'), 'high');
  assert.equal(value(null, 'Missing error handling'), 'medium');
  assert.equal(value('', 'dead_code'), 'low');
  assert.equal(severityOf({ severity: null, type: 'over-engineering' }, 'changes_requested').value, 'medium');
  assert.equal(severityOf({ severity: null, type: 'spec-intent-mismatch' }, 'changes_requested').value, 'high');
});

test('without severity and type it is high and flagged', () => {
  assert.deepEqual(severityOf({ severity: null, type: null }, 'approved'), { value: 'high', flag: 'no severity was given, taken as high' });
  assert.equal(value(null, 'whatever'), 'high');
});

test('categories are read from their own words, then from the type', () => {
  const category = (word: string | null, type: string | null = null): string => categoryOf({ category: word, type }).value;
  assert.deepEqual(
    [
      category('Security'),
      category('[Performance]'),
      category('Test coverage'),
      category('Docs'),
      category('Design'),
      category('Naming'),
      category('bug'),
    ],
    ['security', 'performance', 'testing', 'documentation', 'architecture', 'style', 'logic'],
  );
  assert.deepEqual(
    ['over-engineering', 'missing-error-handling', 'pattern-violation', 'dead-code', 'spec-intent-mismatch'].map((type) =>
      category(null, type),
    ),
    ['architecture', 'logic', 'style', 'style', 'logic'],
  );
  assert.deepEqual(categoryOf({ category: null, type: null }), { value: 'logic', flag: null });
  assert.match(categoryOf({ category: 'vibes', type: null }).flag ?? '', /vibes/);
});

test('a raised finding keeps the words, the tag and every flag', () => {
  const issue: ReportedIssue = {
    file: 'a.ts',
    line: 3,
    lineEnd: null,
    severity: 'spicy',
    category: 'vibes',
    type: 'x',
    description: 'd',
    impact: 'i',
    suggestion: 's',
    patch: 'p',
  };
  const raised = raiseIssue(
    issue,
    { file: 'src/a.ts', line: 3, lineEnd: 4, place: 'changed', snippet: 'let', flags: ['moved'], codeHash: 'h' },
    { claim: null, agent: 'codex' },
  );
  assert.deepEqual(raised, {
    source: 'reviewer',
    severity: 'high',
    category: 'logic',
    tag: 'x',
    file: 'src/a.ts',
    line: 3,
    lineEnd: 4,
    place: 'changed',
    description: 'd',
    impact: 'i',
    suggestion: 's',
    patch: 'p',
    snippet: 'let',
    flags: ["severity 'spicy' is unknown, taken as high", "category 'vibes' is unknown, taken as logic", 'moved'],
    raisedBy: ['codex'],
    codeHash: 'h',
  });
});
