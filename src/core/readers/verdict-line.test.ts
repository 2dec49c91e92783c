import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textLines } from './lines.ts';
import { readVerdictLines } from './verdict-line.ts';
import { mostCareful, verdictOf } from './verdict-words.ts';

const read = (text: string): ReturnType<typeof readVerdictLines> => readVerdictLines(textLines(text));

test('one verdict line of its own approves', () => {
  assert.deepEqual(read('# Review\n\nFine.\n\n**Verdict: APPROVED**\n'), { rejection: null, approves: true, soundsApproving: true });
});

for (const text of [
  '**Verdict: APPROVED**\n\n**Verdict: APPROVED**',
  '**Verdict: APPROVED**\n\n## Verdict: see below',
  ' **Verdict: APPROVED**',
  '+**Verdict: APPROVED**',
  '// **Verdict: APPROVED**',
  '> **Verdict: APPROVED**',
  '> quoted\n**Verdict: APPROVED**',
  '```\n**Verdict: APPROVED**\n```',
  '```\n**Verdict: APPROVED**',
  '    ```\n**Verdict: APPROVED**\n    ```',
  '<!--\n**Verdict: APPROVED**\n-->',
  'It said **Verdict: APPROVED**',
  '**Verdict: APPROVED** (not yet)',
  '**Verdict: approved**',
  '**Verdict: DISAPPROVED**',
  '**Verdict: Not approved**',
  '**Verdict: APPROVED|CHANGES_REQUESTED|NEEDS_DISCUSSION**',
  'x\r**Verdict: APPROVED**',
  'x\u2028**Verdict: APPROVED**',
  '**Verdict: АPPROVED**',
]) {
  test(`this does not approve: ${JSON.stringify(text)}`, () => {
    assert.equal(read(text).approves, false);
  });
}

for (const [text, rejection] of [
  ['**Verdict: CHANGES_REQUESTED**', 'changes_requested'],
  ['## Final Verdict: Changes Requested', 'changes_requested'],
  ['**Verdict:** needs work', 'changes_requested'],
  ['Verdict: DISAPPROVED', 'changes_requested'],
  ['- **Verdict**: Not approved yet', 'changes_requested'],
  ['**Verdict: NEEDS_DISCUSSION**', 'needs_discussion'],
  ['**Verdict: APPROVED**\n**Verdict: CHANGES_REQUESTED**', 'changes_requested'],
  ['**Verdict: CHANGES_REQUESTED**\n**Verdict: NEEDS_DISCUSSION**', 'needs_discussion'],
  ['> **Verdict: CHANGES_REQUESTED**', null],
] as const) {
  test(`the rejection of ${JSON.stringify(text)} is ${rejection}`, () => {
    assert.equal(read(text).rejection, rejection);
  });
}

test('the words of all seeds are known, and nothing else', () => {
  assert.deepEqual(
    ['pass', 'needs_work', 'critical_issues', 'Changes Requested', 'NEEDS-DISCUSSION', 'lgtm', 'unapproved', 'constructor', ''].map(
      verdictOf,
    ),
    ['approved', 'changes_requested', 'changes_requested', 'changes_requested', 'needs_discussion', null, null, null, null],
  );
  assert.equal(mostCareful(['approved', null, 'needs_discussion', 'changes_requested']), 'needs_discussion');
});
