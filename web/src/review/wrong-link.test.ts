import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wrongLinks, wrongPlace } from './wrong-link.ts';

const look = { commit: 'c', at: '2026-01-01T00:00:00.000Z' };
const said = (place: Parameters<typeof wrongLinks>[0], seen: typeof look | null = look): string[] =>
  wrongLinks(place, seen).map(({ text }) => text);

test('an address that can be followed says nothing', () => {
  for (const place of [{}, { range: 'seen' }, { range: 'round-1..head' }, { drawer: 'gates:9' }, { drawer: 'artefacts:a:b' }])
    assert.deepEqual(said(place), []);
});

test('what is new since never is the whole change, and that is said', () => {
  assert.deepEqual(said({ range: 'seen' }, null), ['This browser sees this loop for the first time: the whole change is shown.']);
});

test('a range or a drawer that nobody knows is said, and can be taken out', () => {
  assert.deepEqual(wrongLinks({ range: 'garbage', drawer: 'gates:x' }, look), [
    { text: '“garbage” names no part of this loop: the whole change is shown.', without: { range: undefined } },
    { text: 'There is nothing called “gates:x” to open beside the change.', without: { drawer: undefined } },
  ]);
  assert.equal(said({ range: 'a..b..c' }).length, 1);
});

test('a file or a line that is not there is said by its name', () => {
  assert.equal(wrongPlace({ file: 'a.ts' }, null), null);
  assert.equal(wrongPlace({ file: 'nope.ts' }, 'file')?.text, 'nope.ts is no file of the change that is shown.');
  assert.equal(wrongPlace({ file: 'a.ts', line: 9999 }, 'line')?.text, 'a.ts has no line 9999 to show.');
});
