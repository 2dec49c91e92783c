import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traceDrawing } from './trace-geometry.ts';

test('a trace goes up where it is asked, down where it is answered, and rests on the net', () => {
  const { line, net, width } = traceDrawing(['asked', 'answered', 'settled', 'asked', 'you']);
  assert.equal(line, 'M6 3L17 13L28 8L39 3L50 8');
  assert.equal(net, 'M1 8H64');
  assert.equal(width, 65);
});

test('one beat is a mark without a line', () => {
  assert.deepEqual(traceDrawing(['asked']), { width: 32, net: 'M1 8H31', line: '', marks: [{ beat: 'asked', x: 6, y: 3 }] });
});

test('a long life keeps its beginning and its end', () => {
  const { marks, width } = traceDrawing(['asked', ...Array.from({ length: 40 }, () => 'answered' as const), 'you']);
  assert.equal(marks.length, 10);
  assert.equal(marks[0]?.beat, 'asked');
  assert.equal(marks.at(-1)?.beat, 'you');
  assert.equal(width, 120);
});
