import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFindingsDocument } from './findings-document.ts';
import { textLines } from './lines.ts';

const read = (text: string): ReturnType<typeof readFindingsDocument> => readFindingsDocument(textLines(text));
const brief = (text: string): readonly unknown[] =>
  read(text).map((issue) => [issue.severity?.toLowerCase(), issue.category, issue.file, issue.line, issue.description]);

test('the document of seed 003 is read as it is specified', () => {
  const issues = read(`# Story 2.4 Code Review Findings - Round 1

**Reviewer:** Agent (Fresh Context)

## Critical Issues (Must Fix)

1. **[Security]:** Shell injection
   - **File:** src/run.ts:12
   - **Problem:** The branch name reaches a shell.
   - **Impact:** Anybody runs anything.
   - **Fix:** Pass argv:
     \`\`\`ts
     spawn('git', [branch])
     ## not a heading
     \`\`\`

## Important Issues (Should Fix)

None.

## Minor Issues (Nice to Have)

2. **[Style]:** Long name
   - **File:** src/run.ts:3-9
   - **Problem:** Long name of a variable.

## Summary

- **Total findings:** 2
- **Critical:** 1
- **Important:** 0
- **Minor:** 1
- **Recommendation:** fix
`);
  assert.deepEqual(issues, [
    {
      file: 'src/run.ts',
      line: 12,
      lineEnd: null,
      severity: 'critical',
      category: 'Security',
      type: null,
      patch: null,
      description: 'Shell injection\n\nThe branch name reaches a shell.',
      impact: 'Anybody runs anything.',
      suggestion: "Pass argv:\n     ```ts\n     spawn('git', [branch])\n     ## not a heading\n     ```",
    },
    {
      file: 'src/run.ts',
      line: 3,
      lineEnd: 9,
      severity: 'low',
      category: 'Style',
      type: null,
      patch: null,
      description: 'Long name of a variable.',
      impact: null,
      suggestion: null,
    },
  ]);
});

test('headings in the place of numbers, absolute paths and lines in prose are read', () => {
  assert.deepEqual(
    brief(`## 🔴 Critical Issues (2)

### 1. Missing lock
**File:** \`/home/me/project/src/lock.ts\` (lines 10-20)
**Problem:** Two writers.

#### Fix

Take the lock.

### C2: No timeout — \`src/net.ts:7\`

It waits for ever.

## Positive Observations

- Clean code
`),
    [
      ['critical', null, '/home/me/project/src/lock.ts', 10, 'Missing lock\n\nTwo writers.'],
      ['critical', null, 'src/net.ts', 7, 'No timeout — `src/net.ts:7`\n\nIt waits for ever.'],
    ],
  );
});

test('severities in brackets, in words and as P0 to P3 are read from the items themselves', () => {
  assert.deepEqual(
    brief(`## Findings

### [HIGH] Race in the cache
- **Location:** src/cache.ts, line 4

### P2 - Slow start
**File:** src/main.ts

1. **Ignored because the section has headings**

## Other

### Critical: keys in the log
**Where:** src/log.ts:9
**Problem:** The key is printed.
`),
    [
      ['high', null, 'src/cache.ts', 4, 'Race in the cache'],
      ['p2', null, 'src/main.ts', null, 'Slow start\n\nPlaces: src/main.ts\n\n1. **Ignored because the section has headings**'],
      ['critical', null, 'src/log.ts', 9, 'keys in the log\n\nThe key is printed.'],
    ],
  );
});

test('bullets, bold headings and free words in a section are findings', () => {
  assert.deepEqual(
    brief(`**Important Issues:**

- [ ] **Testing**: no test for \`src/a.ts\`
- Off by one (High) in src/b.ts:3

## Minor

The readme in docs/readme.md is stale.
`),
    [
      ['high', 'Testing', 'src/a.ts', null, 'no test for `src/a.ts`'],
      ['high', null, 'src/b.ts', 3, 'Off by one (High) in src/b.ts:3'],
      ['low', null, 'docs/readme.md', null, 'The readme in docs/readme.md is stale.'],
    ],
  );
});

test('tables of findings are read, other tables are not', () => {
  assert.deepEqual(
    brief(`## Review

| Severity | Location | Issue | Fix |
|---|---|---|---|
| High | \`src/a.ts:3\` | Leak | Close it |
| OK | src/b.ts | All well | |

| Severity | Count |
|---|---|
| High | 1 |
`),
    [['high', null, 'src/a.ts', 3, 'Leak']],
  );
});

test('several files in one line keep the first as the place and all of them in the words', () => {
  assert.deepEqual(brief('## Critical\n1. Twice\n   - **Files:** src/a.ts:1, src/b.ts:2\n'), [
    ['critical', null, 'src/a.ts', 1, 'Twice\n\nPlaces: src/a.ts:1, src/b.ts:2'],
  ]);
});

test('an open fence does not swallow the findings behind it', () => {
  assert.equal(brief('## Critical\n1. One\n   - **Fix:**\n```ts\nx()\n\n2. Two\n   - **File:** a.ts:1\n').length, 2);
});

for (const text of ['None.', 'No critical issues found.', '- None', 'N/A', '✅ None identified', '1. No important issues', '_None_']) {
  test(`a section that says ${JSON.stringify(text)} has no findings`, () => {
    assert.deepEqual(brief(`## Critical Issues\n\n${text}\n`), []);
  });
}

test('a finding that begins with No is a finding', () => {
  assert.equal(brief('## Critical Issues\n\n- No input validation\n').length, 1);
});

test('must-fix findings that are counted but cannot be read are reported as such', () => {
  assert.deepEqual(brief('# Rapport\n\nTout est cassé.\n\n## Summary\n\n- **Critical:** 2\n- **Important:** 0\n'), [
    ['critical', null, null, null, 'The summary counts 2 critical findings that could not be read in the document.'],
  ]);
});

test('words without findings are none', () => {
  assert.deepEqual(brief('# Hello\n\n## High-level overview\n\n- It works\n\n### 1.1 Unit Tests\n\nAll fine.\n'), []);
});
