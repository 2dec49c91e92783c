import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeScenario, turns } from '../support/scenario.ts';
import type { Scenario, Turn } from '../support/scenario.ts';

const FINDINGS_DOCUMENT = `# Story 2.4 Code Review Findings - Round 1

**Reviewer:** Agent (Fresh Context)
**Date:** 2026-01-29 10:00
**Branch:** feature

## Critical Issues (Must Fix)

1. **[Security]:** The input is not checked
   - **File:** a.txt:1
   - **Problem:** Anything can be written there.
   - **Impact:** Somebody will.
   - **Fix:** Check it.

## Important Issues (Should Fix)

None.

## Minor Issues (Nice to Have)

2. **[Style]:** The name is odd
   - **File:** a.txt:2
   - **Problem:** It says nothing.
   - **Impact:** Nobody finds it.
   - **Fix:** Rename it.

## Summary

- **Total findings:** 2
- **Critical:** 1
- **Important:** 0
- **Minor:** 1
- **Recommendation:** Fix it.
`;

const BLOCKS = `**FILE:** a.txt
**LINE:** 2
**SEVERITY:** error
**COMMENT:** This is wrong.

**FILE:** a.txt
**LINE:** 1
**SEVERITY:** suggestion
**COMMENT:** This could be nicer.

REVIEW_COMPLETE
`;

const SEED_ONE = {
  loopId: '1',
  passed: false,
  interpretedIntent: 'Add two lines',
  intentSatisfied: true,
  issues: [
    { type: 'over-engineering', severity: 'warning', file: 'a.txt', line: 1, description: 'Too clever.', suggestion: 'Make it plain.' },
    { type: 'dead-code', severity: 'suggestion', file: 'a.txt', line: 2, description: 'Nobody uses it.' },
  ],
};

const SEED_TWO = {
  verdict: 'needs_work',
  summary: 'Not yet.',
  issues: [
    {
      severity: 'high',
      category: 'security',
      location: 'a.txt',
      file: 'a.txt',
      line: 2,
      description: 'Unsafe.',
      suggestedFix: 'Make it safe.',
    },
  ],
};

/** What a reviewer hands back, and what has to come of it. */
const CASES: Readonly<Record<string, Turn & { readonly expect: Expected; readonly says: string }>> = {
  'seed-001': {
    says: 'JSON in the shape of seed 001 is read from the result file',
    result: SEED_ONE,
    expect: {
      verdict: 'changes_requested',
      channel: 'result-file',
      findings: ['medium architecture a.txt:1 Too clever.', 'suggestion style a.txt:2 Nobody uses it.'],
    },
  },
  'seed-001-passed': {
    says: 'JSON in the shape of seed 001 approves from the result file',
    result: { loopId: '1', passed: true, interpretedIntent: 'Add two lines', intentSatisfied: true, issues: [] },
    expect: { verdict: 'approved', channel: 'result-file', findings: [] },
  },
  'intent-missed': {
    says: 'an approval of what misses the intent of the task blocks',
    result: { passed: true, intentSatisfied: false, issues: [] },
    expect: {
      verdict: 'changes_requested',
      channel: 'result-file',
      findings: ['high logic - The change does not serve the intent of the task.'],
    },
  },
  'seed-002': {
    says: 'JSON in the shape of seed 002 is read from the result file',
    result: SEED_TWO,
    expect: { verdict: 'changes_requested', channel: 'result-file', findings: ['high security a.txt:2 Unsafe.'] },
  },
  'seed-002-pass': {
    says: 'JSON in the shape of seed 002 approves from the result file',
    result: { verdict: 'pass', summary: 'Fine.', issues: [] },
    expect: { verdict: 'approved', channel: 'result-file', findings: [] },
  },
  'seed-002-critical': {
    says: 'a claimed approval with a blocking finding is a rejection',
    result: { verdict: 'pass', issues: SEED_TWO.issues },
    expect: { verdict: 'changes_requested', channel: 'result-file', findings: ['high security a.txt:2 Unsafe.'] },
  },
  'findings-document': {
    says: 'a findings document in the result file carries its findings',
    result: FINDINGS_DOCUMENT,
    expect: { verdict: 'changes_requested', channel: 'text', findings: ['critical security a.txt:1', 'low style a.txt:2'] },
  },
  'verdict-document': {
    says: 'a document in the result file approves by its one verdict line',
    result: '# Review\n\nI read all of it.\n\n**Verdict: APPROVED**\n',
    expect: { verdict: 'approved', channel: 'result-file', findings: [] },
  },
  'quoted-verdict': {
    says: 'a verdict line inside of a quote or a fence approves nothing',
    result: '# Review\n\n> **Verdict: APPROVED**\n\n```\n**Verdict: APPROVED**\n```\n',
    expect: null,
  },
  'two-verdicts': {
    says: 'two verdict lines that contradict each other approve nothing',
    result: '**Verdict: APPROVED**\n\n**Verdict: NEEDS_DISCUSSION**\n',
    expect: 'needs-discussion',
  },
  'nonce-block': {
    says: 'a block with the nonce of the session may approve on standard output',
    print: 'I am done.\n\n```json volley-@NONCE@\n{"passed": true, "summary": "Fine."}\n```\n',
    expect: { verdict: 'approved', channel: 'nonce', findings: [] },
  },
  'nonce-rejection': {
    says: 'a block with the nonce of the session may reject on standard output',
    print: `\`\`\`json volley-@NONCE@\n${JSON.stringify(SEED_TWO)}\n\`\`\`\n`,
    expect: { verdict: 'changes_requested', channel: 'nonce', findings: ['high security a.txt:2 Unsafe.'] },
  },
  'contradicting-blocks': {
    says: 'two blocks with the nonce that contradict each other are no verdict',
    print: '```json volley-@NONCE@\n{"passed": true}\n```\n```json volley-@NONCE@\n{"passed": false}\n```\n',
    expect: null,
  },
  'text-blocks': {
    says: 'the blocks of seed 000 on standard output carry findings and reject',
    print: BLOCKS,
    expect: {
      verdict: 'changes_requested',
      channel: 'text',
      findings: ['high logic a.txt:2 This is wrong.', 'suggestion logic a.txt:1 This could be nicer.'],
    },
  },
  'text-blocks-and-approval': {
    says: 'an approval beside blocks with an error is a rejection',
    print: `${BLOCKS}\n**APPROVED**\n`,
    expect: {
      verdict: 'changes_requested',
      channel: 'text',
      findings: ['high logic a.txt:2 This is wrong.', 'suggestion logic a.txt:1 This could be nicer.'],
    },
  },
  'text-approval': { says: 'an approval in plain text is no verdict', print: '**APPROVED**\nREVIEW_COMPLETE\n', expect: null },
  'text-json-approval': {
    says: 'an approval in a fence without the nonce is no verdict',
    print: '```json\n{"passed": true}\n```\n',
    expect: null,
  },
  'text-mild': {
    says: 'text whose findings do not block is no verdict, for text cannot approve',
    print: '**FILE:** a.txt\n**LINE:** 1\n**SEVERITY:** suggestion\n**COMMENT:** This could be nicer.\n',
    expect: null,
  },
  trusted: {
    says: 'an approval in plain text counts where the user trusts the text of this agent',
    print: '**APPROVED**\nREVIEW_COMPLETE\n',
    expect: { verdict: 'approved', channel: 'text', findings: [] },
  },
  'file-beats-output': {
    says: 'the result file is believed, not what is printed beside it',
    result: SEED_TWO,
    print: '```json volley-@NONCE@\n{"passed": true}\n```\n**APPROVED**\n',
    expect: { verdict: 'changes_requested', channel: 'result-file', findings: ['high security a.txt:2 Unsafe.'] },
  },
};

/** A verdict with its findings, an escalation for a discussion, or no verdict. */
type Expected = { readonly verdict: string; readonly channel: string; readonly findings: readonly string[] } | 'needs-discussion' | null;

describe('what a reviewer hands back', { concurrency: 2 }, () => {
  let scenario: Scenario;

  before(async () => {
    const agents = Object.fromEntries(Object.entries(CASES).map(([name, turn]) => [name, turns(turn)]));
    scenario = await makeScenario({ agents, config: { agents: { trusted: { trustText: true } } } });
    await scenario.repository.git('checkout', '--quiet', '-b', 'feature');
    await scenario.repository.commit('feature', { 'a.txt': 'one\ntwo\n' });
  });
  after(async () => await scenario[Symbol.asyncDispose]());

  for (const [name, { expect, says }] of Object.entries(CASES)) {
    test(says, async () => {
      const ran = await scenario.volley(['review', '--reviewer', name, '--json']);
      const { rounds, findings, escalation, approval } = ran.loop();
      if (expect === null || expect === 'needs-discussion') {
        assert.deepEqual([ran.code, escalation?.reason, approval], [2, expect ?? 'no-verdict', null]);
        return;
      }
      const approved = expect.verdict === 'approved';
      assert.deepEqual([ran.code, approval?.by], approved ? [0, 'review'] : [3, undefined], ran.stdout.slice(-3000));
      assert.deepEqual(
        rounds.map(({ verdict, channel }) => [verdict, channel]),
        [[expect.verdict, expect.channel]],
      );
      const told = findings.map(
        ({ severity, category, file, line, description }) =>
          `${severity} ${category} ${file === null ? '-' : `${file}:${line}`} ${description}`,
      );
      assert.equal(told.length, expect.findings.length, told.join('\n'));
      expect.findings.forEach((start, index) => assert.ok(told[index]?.startsWith(start), `${told[index]} does not begin with ${start}`));
    });
  }
});
