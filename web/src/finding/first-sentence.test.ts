import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstSentence, inlineParts } from './first-sentence.ts';

test('the first sentence is the heading, without its full stop, and the rest stays as it was written', () => {
  assert.deepEqual(firstSentence('A crash locks this key. By line 24 the money has *moved*.'), {
    first: 'A crash locks this key',
    rest: 'By line 24 the money has *moved*.',
  });
  assert.deepEqual(firstSentence('Only this one.'), { first: 'Only this one', rest: '' });
  assert.deepEqual(firstSentence('Why not? Because.'), { first: 'Why not?', rest: 'Because.' });
});

test('points in code, in numbers and in abbreviations end nothing', () => {
  assert.equal(firstSentence('`psp.charge. then` fails. Later too.').first, '`psp.charge. then` fails');
  assert.equal(
    firstSentence('Node 24.1 and deps.db.run differ, e.g. in time. More.').first,
    'Node 24.1 and deps.db.run differ, e.g. in time',
  );
});

test('a line that stands by itself is the heading, whatever Markdown makes of it', () => {
  assert.deepEqual(firstSentence('## The key is reused\n\n- one\n- two'), { first: 'The key is reused', rest: '- one\n- two' });
  assert.deepEqual(firstSentence('**SQL injection:** the name goes in as it is.'), {
    first: 'SQL injection: the name goes in as it is',
    rest: '',
  });
  assert.deepEqual(firstSentence('**Bold title.** And then.'), { first: 'Bold title', rest: 'And then.' });
});

test('what is stressed loses its stars, and what is multiplied keeps them', () => {
  assert.equal(firstSentence('The *word* is here.').first, 'The word is here');
  assert.equal(firstSentence('`a*b*c` is 2 * 3 * 4, and a*b').first, '`a*b*c` is 2 * 3 * 4, and a*b');
});

test('a sentence without an end is cut at a word and goes on below', () => {
  const { first, rest } = firstSentence('word '.repeat(200_000));
  assert.ok(first.length <= 221 && first.endsWith('word…'));
  assert.ok(rest.startsWith('…word') && rest.length > 900_000);
  assert.equal(firstSentence('x'.repeat(1000)).first.length, 221);
});

test('code in a heading is told from its words', () => {
  assert.deepEqual(inlineParts('`complete()` writes ``a`b`` twice'), [
    { text: 'complete()', code: true },
    { text: ' writes ', code: false },
    { text: 'a`b', code: true },
    { text: ' twice', code: false },
  ]);
  assert.deepEqual(inlineParts('a ` alone'), [{ text: 'a ` alone', code: false }]);
});
