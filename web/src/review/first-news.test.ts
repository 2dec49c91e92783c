import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aFinding } from './example.ts';
import { firstNews } from './first-news.ts';

const comment = { at: '', by: 'me', text: 'hm', file: 'b.ts', line: 4, lineEnd: null, findingId: null };
const known = { head: 'c1', findings: [aFinding({ id: '1.1', file: 'a.ts' })], comments: [comment] };
const paths = ['a.ts', 'b.ts'];
const nowhere = { finding: undefined, file: undefined, line: undefined, side: undefined };

test('the first that is new in the order of the diff is led to', () => {
  const found = aFinding({ id: '1.2', file: 'b.ts', line: 9 });
  const said = { ...comment, line: 7 };
  const newest = { ...known, findings: [...known.findings, found], comments: [comment, said] };
  assert.deepEqual(firstNews(known, newest, paths), { ...nowhere, file: 'b.ts', line: 7, side: 'new' });
  assert.deepEqual(firstNews(known, { ...newest, comments: [comment] }, paths), { ...nowhere, finding: 2 });
});

test('words about the whole change, or about another file, stand above all', () => {
  for (const file of [null, 'gone.ts'])
    assert.deepEqual(firstNews(known, { ...known, comments: [comment, { ...comment, file }] }, paths), nowhere);
});

test('a commit alone leads nowhere', () => {
  assert.equal(firstNews(known, { ...known, head: 'c2' }, paths), null);
});
