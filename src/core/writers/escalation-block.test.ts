import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeProof, makeReading, makeTask } from '../../../test/support/loops.ts';
import { EscalationReason } from '../action.ts';
import type { Finding, Severity } from '../finding.ts';
import type { Loop } from '../loop.ts';
import { type EscalationInput, writeEscalationBlock } from './escalation-block.ts';

function finding(n: number, severity: Severity, status: Finding['status'] = 'open'): Finding {
  const place = { file: 'a.ts', line: 1, lineEnd: null, place: 'changed' as const, snippet: null };
  const words = { description: 'x', impact: null, suggestion: null, patch: null, tag: null, flags: [], raisedBy: ['codex'] };
  const life = { status, provenance: 'original' as const, firstRound: 1, lastRound: 1, resolution: null };
  return { id: `29.${n}`, source: 'reviewer', severity, category: 'logic', ...place, ...words, ...life };
}

const round: Loop['rounds'][number] = {
  round: 1,
  at: '2026-01-29T10:15:30.000Z',
  head: { commit: 'a', tree: 't' },
  verdict: 'changes_requested',
  why: '',
  reading: makeReading({ claim: null, mayApprove: false }),
  proof: makeProof({ commit: 'a', tree: 't' }),
  findingIds: [],
  blockingIds: ['29.2'],
  session: null,
  fix: null,
};

function input(reason: EscalationReason, rounds: number, findings: readonly Finding[]): EscalationInput {
  return {
    loop: {
      id: 29,
      task: makeTask({ title: 'Greet', text: 'Greet' }),
      findings,
      rounds: Array.from({ length: rounds }, () => round),
      escalation: { reason, why: 'codex said nothing twice', at: '' },
    },
    choices: [
      { key: 'fix-manually', text: 'Manual review and fix (pause autonomous workflow)' },
      { key: 'accept', text: 'Accept findings and mark task complete (not recommended)' },
      { key: 'one-more-round', text: 'Continue with 1 more review round (override limit)' },
    ],
    document: rounds === 0 ? null : '.volley/reviews/20260129-task-29-review-3.md',
  };
}

test('the block of used up rounds is that of seed 003', () => {
  const findings = [finding(1, 'critical'), finding(2, 'medium'), finding(3, 'high'), finding(4, 'low'), finding(5, 'critical', 'fixed')];
  assert.equal(
    writeEscalationBlock(input('max-rounds', 3, findings)),
    `⚠️ Task 29 Review Blocked

After 3 review rounds, issues remain:
- Critical: 1
- Important: 2
- Minor: 1

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

test('every reason has a first line and a sentence of its own', () => {
  const heads = EscalationReason.options.map((reason) =>
    writeEscalationBlock(input(reason, 1, []))
      .split('\n')
      .slice(0, 3)
      .join('\n'),
  );
  assert.equal(new Set(heads).size, EscalationReason.options.length);
});
