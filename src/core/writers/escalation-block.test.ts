import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFinding, makeRound, makeTask } from '../../../test/support/loops.ts';
import { EscalationReason } from '../action.ts';
import type { Finding, Severity } from '../finding.ts';
import { type EscalationInput, writeEscalationBlock } from './escalation-block.ts';

function finding(n: number, severity: Severity, status: Finding['status'] = 'open'): Finding {
  return makeFinding(`29.${n}`, { line: 1, description: 'x', raisedBy: ['codex'], severity, status });
}

const round = makeRound({ head: { commit: 'a', tree: 't' }, verdict: 'changes_requested', why: '', blockingIds: ['29.2'] });

function input(reason: EscalationReason, rounds: number, findings: readonly Finding[]): EscalationInput {
  return {
    loop: {
      id: 29,
      task: makeTask({ title: 'Greet', text: 'Greet' }),
      findings,
      rounds: Array.from({ length: rounds }, () => round),
      escalation: { reason, why: 'codex said nothing twice', at: '', versions: null },
    },
    choices: [
      { key: 'fix-manually', text: 'Manual review and fix (pause autonomous workflow)' },
      { key: 'accept', text: 'Accept findings and mark task complete (not recommended)' },
      { key: 'one-more-round', text: 'Continue with 1 more review round (override limit)' },
    ],
    document: rounds === 0 ? null : '.volley/reviews/20260129-task-29-review-3.md',
  };
}

test('the block of used up rounds is that of seed 003, with what else is to be said about them', () => {
  const findings = [
    { ...finding(1, 'critical'), survived: 2 },
    finding(2, 'medium'),
    finding(3, 'high'),
    finding(4, 'low'),
    finding(5, 'critical', 'fixed'),
  ];
  assert.equal(
    writeEscalationBlock(input('max-rounds', 3, findings)),
    `⚠️ Task 29 Review Blocked

After 3 review rounds, issues remain:
- Critical: 1
- Important: 2
- Minor: 1

29.1 outlived 2 fixes

Findings document: .volley/reviews/20260129-task-29-review-3.md

Options:
a) Manual review and fix (pause autonomous workflow) [fix-manually]
b) Accept findings and mark task complete (not recommended) [accept]
c) Continue with 1 more review round (override limit) [one-more-round]

Your choice: volley decide 29 CHOICE`,
  );
});

test('a loop that was never reviewed names no findings and no document', () => {
  const block = writeEscalationBlock(input('agent-failed', 0, []));
  assert.match(block, /^⚠️ Task 29 Agent Failed\n\nThe agent ended badly.*\n\ncodex said nothing twice\n\nOptions:/);
});

test('a loop that swings shows both versions, and not more than a screen of how they differ', () => {
  const { loop, ...rest } = input('oscillating', 2, []);
  const block = (patch: string): string => {
    const versions = { one: { round: 1, commit: 'a'.repeat(40) }, other: { round: 2, commit: 'b'.repeat(40) }, patch };
    return writeEscalationBlock({ ...rest, loop: { ...loop, escalation: { reason: 'oscillating', why: 'it is back', at: '', versions } } });
  };
  const said = /The two versions, round 1 \(aaaaaaaa\) and round 2 \(bbbbbbbb\), differ so:\n {2}-old\n {2}\+new\n\n/;
  assert.match(block('-old\n+new\u0007\n'), said);
  assert.match(block(Array.from({ length: 30 }, (_, line) => `+${line}`).join('\n')), /\n {2}\+23\n {2}… 6 more lines\n\n/);
});

test('every reason has a first line and a sentence of its own', () => {
  const heads = EscalationReason.options.map((reason) =>
    writeEscalationBlock(input(reason, 1, []))
      .split('\n')
      .slice(0, 3)
      .join('\n'),
  );
  assert.equal(new Set(heads).size, EscalationReason.options.length);
});

test('where the choices are asked for right below, the block ends before them', () => {
  const block = writeEscalationBlock({ ...input('max-rounds', 3, [finding(1, 'high')]), choices: null });
  assert.ok(block.endsWith('Findings document: .volley/reviews/20260129-task-29-review-3.md'), block);
});
