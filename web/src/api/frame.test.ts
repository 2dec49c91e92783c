import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFrame } from './frame.ts';

test('what the server says is read as it is', () => {
  const hello = { type: 'hello', v: 1, seq: 7 };
  assert.deepEqual(readFrame(JSON.stringify(hello)), hello);
  assert.equal(readFrame('{"type":"snapshot","seq":1,"loops":null}').type, 'snapshot');
});

test('a frame of a newer server is not guessed at', () => {
  for (const text of ['{"type":"hello","v":2,"seq":7}', '{"type":"shout"}', '{"type":"event","seq":1}', '[]', 'null', '7'])
    assert.throws(() => readFrame(text), text);
});
