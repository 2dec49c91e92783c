import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReviewView } from '../../../src/core/view.ts';
import { evidenceFor } from './evidence.ts';

const FINDING = {
  id: '3.1',
  file: 'src/a.ts',
  line: 19,
  lineEnd: 25,
  description: 'A crash between the charge and complete() locks this key for 24 hours. More.',
};

function review(round: number, evidence: ReviewView['evidence'], findingIds = ['3.1']): ReviewView {
  // Only what is looked at.
  return { round, agent: 'gemini', findingIds, evidence, proof: { confinement: 'os' } } as unknown as ReviewView;
}

const claims = (reviews: readonly ReviewView[]): string[] => evidenceFor(FINDING, reviews).map(({ claim }) => claim);

test('evidence stands with the finding that its claim repeats', () => {
  const same = { claim: 'A crash after the charge locks the key', command: 'kill -9', output: '409' };
  const other = { claim: 'The tests pass', command: 'npm test', output: 'ok' };
  assert.deepEqual(claims([review(3, [other, same])]), [same.claim]);
});

test('evidence stands with the finding whose lines it names', () => {
  const at = (line: number): ReviewView['evidence'][number] => ({ claim: `see src/a.ts:${line}`, command: 'sed', output: '' });
  assert.deepEqual(claims([review(1, [at(18), at(19), at(25), at(26), at(190)])]), ['see src/a.ts:19', 'see src/a.ts:25']);
});

test('what was run in reviews that did not raise it is not its evidence', () => {
  assert.deepEqual(claims([review(3, [{ claim: 'see src/a.ts:20', command: 'x', output: 'y' }], ['3.2'])]), []);
});

test('only what was run last is shown', () => {
  const one = { claim: 'src/a.ts:20', command: 'one', output: '' };
  assert.deepEqual(
    evidenceFor(FINDING, [review(1, [one]), review(3, [one, one]), review(4, [])]).map(({ round }) => round),
    [3, 3],
  );
});
