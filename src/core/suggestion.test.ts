import assert from 'node:assert/strict';
import { test } from 'node:test';
import { author, committed, makeLoop, makeRaised, review } from '../../test/support/loops.ts';
import type { Loop } from './loop.ts';
import { linePatch } from './line-patch.ts';
import { applySuggestionTo, suggestionMessage, suggestionOf } from './suggestion.ts';
import type { Suggestion } from './suggestion.ts';

const FILE = 'src/a.ts';
const TEXT = 'one\ntwo\nthree\n';

function reviewed(patch: string | null): Loop {
  return review(author(makeLoop(), committed('1')), { raised: [makeRaised({ file: FILE, line: 2, lineEnd: 2, patch, severity: 'low' })] });
}

function only(loop: Loop): Suggestion | string {
  const [finding] = loop.findings;
  assert.ok(finding !== undefined);
  return suggestionOf(loop, finding);
}

test('a finding with an exact patch can be applied while its loop is not over', () => {
  const patch = linePatch(FILE, TEXT, { line: 2, removed: 1, added: ['TWO'] });
  const loop = reviewed(patch);
  const suggestion = only(loop);
  assert.ok(typeof suggestion === 'object');
  assert.deepEqual(applySuggestionTo(TEXT, suggestion), { text: 'one\nTWO\nthree\n' });
  assert.match(suggestionMessage(suggestion), /^fix: apply the suggestion of finding 29\.1 - /);
  assert.match(JSON.stringify(only(reviewed(null))), /without an exact patch/);
  assert.match(JSON.stringify(only({ ...loop, ending: { state: 'cancelled', why: '' } })), /cancelled/);
  assert.match(
    JSON.stringify(only({ ...loop, landed: { onto: 'main', commit: loop.head?.commit ?? '', at: loop.updatedAt } })),
    /landed on main/,
  );
  assert.match(JSON.stringify(only({ ...loop, pushed: { head: { commit: 'x', tree: 'y' }, descends: false } })), /moved away/);
  assert.match(JSON.stringify(only({ ...loop, head: null })), /no change yet/);
});

test('a patch that does not fit to the letter, or that adds a secret, is not applied', () => {
  const suggestion = only(reviewed(linePatch(FILE, TEXT, { line: 2, removed: 1, added: ['TWO'] })));
  assert.ok(typeof suggestion === 'object');
  assert.match(JSON.stringify(applySuggestionTo('zero\none\ntwo\nthree\n', suggestion)), /not what its patch expects/);
  const elsewhere = { ...suggestion, patch: suggestion.patch.replaceAll(FILE, 'src/b.ts') };
  assert.match(JSON.stringify(applySuggestionTo(TEXT, elsewhere)), /not for this file alone/);
  const secret = `const key = "ghp_${'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC2eF4hJ6'}";`;
  const leaking = { ...suggestion, patch: linePatch(FILE, TEXT, { line: 2, removed: 1, added: [secret] }) ?? '' };
  assert.match(JSON.stringify(applySuggestionTo(TEXT, leaking)), /secret/);
});
