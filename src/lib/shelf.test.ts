import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shelf } from './shelf.ts';

test('what was used last stays while there is room for it', () => {
  const texts = shelf<string>(6, (text) => text.length);
  texts.put('a', 'aa');
  texts.put('b', 'bb');
  texts.put('c', 'cc');
  assert.equal(texts.get('a'), 'aa');
  texts.put('d', 'ddd');
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((name) => texts.get(name)),
    ['aa', undefined, undefined, 'ddd'],
  );
});

test('what is put again takes its room once, and what is too large is not kept', () => {
  const texts = shelf<string>(4, (text) => text.length);
  for (let turn = 0; turn < 5; turn += 1) texts.put('a', 'aaaa');
  assert.equal(texts.get('a'), 'aaaa');
  texts.put('b', 'bbbbb');
  assert.deepEqual([texts.get('a'), texts.get('b')], [undefined, undefined]);
  texts.put('c', 'cccc');
  assert.equal(texts.get('c'), 'cccc');
});
