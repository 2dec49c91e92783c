import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReviewReading } from '../review.ts';
import { MAX_ISSUES, readReviewJson } from './result-json.ts';

function read(value: unknown): ReviewReading {
  const reading = readReviewJson(value, 'result-file');
  assert.ok(reading !== null);
  return reading;
}

test('the whole shape is read', () => {
  const issue = {
    file: 'a.ts',
    line: 3,
    lineEnd: 5,
    severity: 'high',
    category: 'logic',
    type: 'dead-code',
    description: 'd',
    impact: 'i',
    suggestion: 's',
    patch: '--- a\n',
  };
  const evidence = [{ claim: 'tests pass', command: 'npm test', output: 'ok' }];
  const usage = { inputTokens: 10, outputTokens: 2, costUsd: 0.01, cachedTokens: 4, cacheWriteTokens: 3, reasoningTokens: 1 };
  assert.deepEqual(
    read({
      passed: false,
      verdict: 'changes_requested',
      summary: 'x',
      interpretedIntent: 'y',
      intentSatisfied: false,
      issues: [issue],
      evidence,
      head: 'c0ffee',
      usage,
      extra: 1,
    }),
    {
      channel: 'result-file',
      claim: 'changes_requested',
      mayApprove: true,
      summary: 'x',
      interpretedIntent: 'y',
      intentSatisfied: false,
      issues: [issue],
      evidence,
      usage,
      head: 'c0ffee',
    },
  );
});

test('the shape of seed 002 is read', () => {
  const reading = read({
    verdict: 'needs_work',
    issues: [{ severity: 'medium', category: 'style', file: 'a.ts', lineStart: 42, lineEnd: 45, description: 'd', suggestedFix: 'f' }],
    summary: 's',
  });
  assert.deepEqual(
    [reading.claim, reading.issues[0]?.line, reading.issues[0]?.lineEnd, reading.issues[0]?.suggestion],
    ['changes_requested', 42, 45, 'f'],
  );
  assert.equal(read({ verdict: 'pass' }).claim, 'approved');
  assert.equal(read({ verdict: 'critical_issues' }).claim, 'changes_requested');
});

for (const [value, claim] of [
  [{ passed: true }, 'approved'],
  [{ passed: 'true' }, 'approved'],
  [{ passed: true, verdict: null }, 'approved'],
  [{ passed: true, verdict: 'CHANGES_REQUESTED' }, 'changes_requested'],
  [{ passed: false, verdict: 'approved' }, 'changes_requested'],
  [{ passed: true, verdict: 'needs_discussion' }, 'needs_discussion'],
  [{ passed: false, verdict: 'gibberish' }, 'changes_requested'],
  [{ passed: 0 }, 'changes_requested'],
] as const) {
  test(`${JSON.stringify(value)} claims ${claim}`, () => {
    assert.equal(read(value).claim, claim);
  });
}

for (const value of [
  {},
  [],
  null,
  3,
  'approved',
  { passed: 'maybe' },
  { passed: 1 },
  { passed: true, verdict: 'LGTM-ish' },
  { passed: 'maybe', verdict: 'approved' },
  { verdict: {} },
  { issues: [] },
  { issues: 'none' },
]) {
  test(`${JSON.stringify(value)} is no review`, () => {
    assert.equal(readReviewJson(value, 'result-file'), null);
  });
}

test('issues without a word on the verdict cannot approve', () => {
  const reading = read({ issues: [{ description: 'd', severity: 'low' }] });
  assert.deepEqual([reading.claim, reading.mayApprove], [null, false]);
});

test('issues of any form are kept', () => {
  const descriptions = (issues: unknown): unknown => read({ passed: false, issues }).issues.map((issue) => issue.description);
  assert.deepEqual(descriptions(['words', 7, null, {}, { message: 'm' }, ['a', 'b']]), [
    'words',
    '7',
    '(the reviewer gave no words)',
    '(the reviewer gave no words)',
    'm',
    'a\nb',
  ]);
  assert.deepEqual(descriptions({ description: 'one' }), ['one']);
  assert.deepEqual(descriptions('just words'), ['just words']);
  const keyed = read({ passed: false, findings: { critical: [{ description: 'c' }], minor: [{ description: 'm', severity: 'high' }] } });
  assert.deepEqual(
    keyed.issues.map((issue) => [issue.severity, issue.description]),
    [
      ['critical', 'c'],
      ['high', 'm'],
    ],
  );
});

test('lines of any form are read, impossible ones are left out', () => {
  const lines = (part: object): unknown =>
    read({ passed: false, issues: [{ description: 'd', ...part }] }).issues.map((issue) => [issue.file, issue.line, issue.lineEnd])[0];
  assert.deepEqual(lines({ file: 'a.ts', line: '12' }), ['a.ts', 12, null]);
  assert.deepEqual(lines({ file: 'a.ts', line: '10-20' }), ['a.ts', 10, 20]);
  assert.deepEqual(lines({ file: 'a.ts', line: [3, 9] }), ['a.ts', 3, 9]);
  assert.deepEqual(lines({ file: 'a.ts:7-8' }), ['a.ts', 7, 8]);
  assert.deepEqual(lines({ file: 'a.ts', line: -1, lineEnd: 4 }), ['a.ts', null, null]);
  assert.deepEqual(lines({ file: 'a.ts', line: 9, lineEnd: 4 }), ['a.ts', 9, null]);
  assert.deepEqual(lines({ file: 'a.ts', line: 1e300 }), ['a.ts', null, null]);
});

test('usage that cannot be is left out', () => {
  assert.equal(read({ passed: true, usage: { costUsd: -1, inputTokens: 'NaN' } }).usage, null);
  assert.deepEqual(read({ passed: true, usage: { cost_usd: '0.5', inputTokens: Infinity } }).usage, {
    inputTokens: null,
    outputTokens: null,
    costUsd: 0.5,
    cachedTokens: null,
    cacheWriteTokens: null,
    reasoningTokens: null,
  });
});

test('more issues than are kept become one blocking issue', () => {
  const { issues } = read({ passed: true, issues: Array.from({ length: MAX_ISSUES + 5 }, () => ({ description: 'd', severity: 'low' })) });
  assert.equal(issues.length, MAX_ISSUES + 1);
  assert.deepEqual(
    [issues.at(-1)?.severity, issues.at(-1)?.description],
    ['high', `5 more issues were reported than are kept (${MAX_ISSUES}).`],
  );
});

test('very long words are cut, visibly', () => {
  assert.match(read({ passed: true, summary: 'x'.repeat(1e6) }).summary ?? '', /^x{20000} … \(cut\)$/);
});

test('an empty list hides no other one, and keys may be written in any case', () => {
  assert.equal(read({ passed: true, issues: [], findings: [{ description: 'd', severity: 'high' }] }).issues.length, 1);
  assert.equal(read({ passed: true, Issues: [{ description: 'd', severity: 'high' }] }).issues.length, 1);
  assert.equal(read({ passed: true, issues: [], comments: 'well done' }).issues.length, 0);
  assert.equal(read({ passed: true, issues: [], comments: [{ severity: 'critical', comment: 'Paid twice' }] }).issues.length, 1);
  assert.equal(read({ passed: true, intentSatisfied: 'partially' }).intentSatisfied, false);
});
