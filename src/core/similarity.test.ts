import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { similarity } from './similarity.ts';

describe('two texts are equal', () => {
  test('if their words are, whatever their order, case, marks and stop words', () => {
    assert.equal(similarity('The cache is never cleared', 'never cleared, the `CACHE`!'), 1);
    assert.equal(similarity('Missing semicolon', 'Missing semicolon.'), 1);
    assert.equal(similarity('it is', 'it is'), 1);
  });

  test('in any form of their words', () => {
    assert.equal(similarity('The inputs are validated', 'the validation of the input'), 1);
    assert.equal(similarity('unsanitised query', 'sanitized queries'), 1);
  });

  test('although the lines that they name moved', () => {
    assert.equal(similarity('See line 12: the lock is held', 'See lines 14-16: the lock is held'), 1);
    assert.equal(similarity('the lock of src/a.ts:12 is held', 'the lock of src/a.ts:14 is held'), 1);
  });
});

test('a text without words is like no other, itself included', () => {
  for (const [a, b] of [
    ['', ''],
    ['', 'words'],
    ['?!', '?!'],
  ] as const)
    assert.equal(similarity(a, b), 0);
});

test('names count by their parts too', () => {
  assert.ok(similarity('getUserName is slow to read', 'reading the user name is slow') > 0.5);
  assert.ok(similarity('get_user_name is slow to read', 'getUserName is slow to read') > 0.5);
});

test('a shared name weighs more than a shared word', () => {
  const named = similarity('`flush` is called too early and fails', 'flush() runs early: `flush` loses rows');
  const plain = similarity('writing is called too early and fails', 'writing runs early: nobody loses rows');
  assert.ok(named > plain, `${named} ${plain}`);
});

test('a shared name proves little if nothing else is shared', () => {
  assert.ok(similarity('`parseConfig` swallows typos', '`parseConfig` lacks a description') < 0.3);
});

test('one sentence about two names is two statements', () => {
  assert.ok(similarity('Missing null check for `user`.', 'Missing null check for `account`.') < 0.3);
});

describe('other languages than English', () => {
  test('keep all of their words', () => {
    assert.ok(similarity('de lijst is leeg', 'de lijst of boom leeg') < 1);
    assert.ok(similarity('Die Datei wird in der Schleife geöffnet', 'Die Datei wird an der Schleife geöffnet') < 1);
  });

  test('are compared without spaces where they have none', () => {
    const near = similarity('キャッシュが更新されない', 'キャッシュは更新されていない');
    assert.ok(near > 0.4 && near < 1, String(near));
    assert.ok(similarity('用户输入未经验证', '用户输入没有验证') > 0.35);
    assert.ok(similarity('用户输入未经验证', '日志文件过大') < 0.1);
  });

  test('are the same in whatever form their letters are stored', () => {
    assert.equal(similarity('déjà vérifié', 'de\u0301ja\u0300 ve\u0301rifie\u0301'), 1);
  });
});

const sentences = fc
  .array(
    fc.oneof(
      fc.constantFrom('cache', 'caches', 'user', '`user`', 'getUser', 'the', 'is', 'SQL', '検索結果', 'lock', 'line 3', 'ünlock'),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
    ),
    { maxLength: 12 },
  )
  .map((words) => words.join(' '));

test('similarity is a number from 0 to 1, the same in both directions', () => {
  fc.assert(
    fc.property(sentences, sentences, (a, b) => {
      const value = similarity(a, b);
      assert.ok(value >= 0 && value <= 1, String(value));
      assert.equal(similarity(b, a), value);
      assert.ok([0, 1].includes(similarity(a, a)));
    }),
  );
});

test('adding a word that the other text lacks never makes texts of plain words more similar', () => {
  const words = fc.uniqueArray(fc.constantFrom('cache', 'lock', 'user', 'token', 'order', 'price'), { minLength: 1 });
  fc.assert(
    fc.property(words, words, (a, b) => {
      assert.ok(similarity([...a, 'zebra'].join(' '), b.join(' ')) <= similarity(a.join(' '), b.join(' ')));
    }),
  );
});
