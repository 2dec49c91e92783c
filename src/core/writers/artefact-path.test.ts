import assert from 'node:assert/strict';
import { test } from 'node:test';
import { artefactPath, DEFAULT_ARTEFACT_PATH, twinPath } from './artefact-path.ts';

const NAMES = { date: '20260129', id: 29, ref: null, round: 2 };

test('the default path names the day, the task and the round', () => {
  assert.equal(artefactPath(DEFAULT_ARTEFACT_PATH, NAMES), '.volley/reviews/20260129-task-29-review-2.md');
});

test('seed 003 path fits the template, and a task without a ref is named by its id', () => {
  const template = 'docs/progress/story-{ref}-review-findings-round-{n}.md';
  assert.equal(artefactPath(template, { ...NAMES, ref: '2.4' }), 'docs/progress/story-2.4-review-findings-round-2.md');
  assert.equal(artefactPath(template.replace('{n}', '{round}'), NAMES), 'docs/progress/story-29-review-findings-round-2.md');
});

test('a ref cannot lead out of its folder', () => {
  assert.equal(artefactPath('r/{ref}-{n}.md', { ...NAMES, ref: '../../etc/x' }), 'r/etc-x-2.md');
});

for (const [template, problem] of [
  ['r/{task}-{id}-{n}.md', /\{task\}/],
  ['r/{id}.md', /rounds would overwrite/],
  ['r/{n}.md', /tasks would overwrite/],
  ['../r/{id}-{n}.md', /inside of the project/],
  ['/r/{id}-{n}.md', /inside of the project/],
] as const) {
  test(`the template ${template} is refused`, () => {
    assert.throws(() => artefactPath(template, NAMES), { code: 'bad-config', message: problem });
  });
}

test('the twin lies beside its document', () => {
  assert.equal(twinPath('r/29-review-1.md'), 'r/29-review-1.json');
  assert.equal(twinPath('r/29-review-1.txt'), 'r/29-review-1.txt.json');
});
