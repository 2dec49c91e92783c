import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPlace, readPlace } from './place.ts';

for (const [text, file, line, lineEnd] of [
  ['path/to/file.ts:42', 'path/to/file.ts', 42, null],
  ['`src/a.ts:10-20`', 'src/a.ts', 10, 20],
  ['/home/me/p/src/a.ts (line 42)', '/home/me/p/src/a.ts', 42, null],
  ['/home/me/p/src/a.ts, lines 10-20', '/home/me/p/src/a.ts', 10, 20],
  ['**src/a.ts** lines 3–9', 'src/a.ts', 3, 9],
  ['[src/a.py](/w/src/a.py:74)', 'src/a.py', 74, null],
  ['src/a.ts#L10-L20', 'src/a.ts', 10, 20],
  ['src/a.ts:10:5', 'src/a.ts', 10, null],
  ['C:\\repo\\src\\a.ts:12', 'C:\\repo\\src\\a.ts', 12, null],
  ['C:\\repo\\src\\a.ts line 12', 'C:\\repo\\src\\a.ts', 12, null],
  ['"my \\"file\\".ts":3', 'my "file".ts', 3, null],
  ['my file.ts:3', 'my file.ts', 3, null],
  ['`Dockerfile` (line 3)', 'Dockerfile', 3, null],
  ['src/app/(group)/[id].tsx:3', 'src/app/(group)/[id].tsx', 3, null],
  ['(src/a.ts:5)', 'src/a.ts', 5, null],
  ['src/über.ts at line 9', 'src/über.ts', 9, null],
  ['N/A', null, null, null],
] as const) {
  test(`the place ${text} is read`, () => {
    assert.deepEqual(readPlace(text), { file, line, lineEnd, more: 0 });
  });
}

test('of several files the first one counts, and the others are counted', () => {
  assert.deepEqual(readPlace('`src/a.ts:10`, `src/b.ts` and src/c.ts:3'), { file: 'src/a.ts', line: 10, lineEnd: null, more: 2 });
});

test('in prose only what is clearly a path is one', () => {
  assert.equal(findPlace('use e.g. Node.js and/or call runner.run() at https://x.y/a.html').file, null);
  assert.deepEqual(findPlace('In src/core/x.ts, line 9: off by one'), { file: 'src/core/x.ts', line: 9, lineEnd: null, more: 0 });
});
