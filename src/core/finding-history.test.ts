import assert from 'node:assert/strict';
import { test } from 'node:test';
import { author, committed, dispute, makeLoop, makeRaised, review, rule, step } from '../../test/support/loops.ts';
import { findingHistory } from './finding-history.ts';
import type { Loop } from './loop.ts';
import type { ReplayStep } from './replay.ts';

/** The steps between loops that follow each other. */
function stepsOf(loops: readonly Loop[]): ReplayStep[] {
  return loops.map((after, index) => ({
    entry: { seq: after.seq, at: after.updatedAt, event: { type: 'woken' } },
    before: loops[index - 1] ?? null,
    after,
  }));
}

test('a finding that is disputed and refuted tells both, with who said it', () => {
  const made = author(makeLoop(), committed('1'));
  const reviewing = step(made);
  const reviewed = review(reviewing, { raised: [makeRaised()] });
  const fixing = step(reviewed);
  const disputed = dispute(fixing, ['29.1']);
  const ruled = rule(disputed, '29.1', 'refute');
  const history = findingHistory(stepsOf([made, reviewing, reviewed, fixing, disputed, ruled]), '29.1');
  assert.deepEqual(
    history.map(({ what, status, by }) => [what, status, by]),
    [
      ['raised', 'open', reviewed.findings[0]?.raisedBy],
      ['answered', 'disputed', [fixing.current?.action.do === 'fix' ? fixing.current.action.agent : '']],
      ['status', 'disputed', []],
      ['ruled', 'refuted', [ruled.findings[0]?.ruling?.by]],
      ['status', 'refuted', []],
    ],
  );
  assert.equal(history.at(-1)?.note, 'disputed before');
});

test('what no step touched has no history, and what happened to others is not told', () => {
  const made = author(makeLoop(), committed('1'));
  const reviewed = review(step(made), { raised: [makeRaised(), makeRaised({ file: 'b.ts', description: 'Another thing.' })] });
  const history = findingHistory(stepsOf([made, reviewed, rule(reviewed, '29.2', 'accept')]), '29.1');
  assert.deepEqual(
    history.map(({ what }) => what),
    ['raised'],
  );
  assert.deepEqual(findingHistory(stepsOf([made, reviewed]), '29.9'), []);
});
