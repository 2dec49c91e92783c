import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldedWords, kindWords, pathParts, whyNoLines } from './diff-file.ts';
import type { DiffFile } from './diff-file.ts';

const FILE: DiffFile = {
  path: 'src/a.ts',
  oldPath: null,
  status: 'modified',
  added: 2,
  removed: 1,
  binary: false,
  submodule: false,
  symlink: false,
  oldMode: '100644',
  newMode: '100644',
  oldBlob: '1',
  newBlob: '2',
  generated: null,
};

test('a file of which some lines changed needs no words', () => {
  assert.deepEqual(kindWords(FILE), []);
  assert.equal(whyNoLines(FILE), null);
});

test('a file without lines says why', () => {
  const bare = { ...FILE, added: 0, removed: 0 };
  assert.equal(whyNoLines({ ...bare, binary: true }), 'binary, not shown as text');
  assert.equal(whyNoLines({ ...bare, status: 'added' }), 'empty');
  assert.equal(whyNoLines(bare), 'only whitespace differs, hidden');
  assert.deepEqual(kindWords({ ...bare, newBlob: '1', newMode: '100755' }), ['made executable', 'no line changed']);
  assert.deepEqual(kindWords({ ...bare, newBlob: '1', status: 'renamed', oldPath: 'b.ts' }), ['renamed from b.ts', 'no line changed']);
});

test('links and submodules are named, and what a link was before', () => {
  assert.deepEqual(kindWords({ ...FILE, submodule: true, added: 0, removed: 0 }), ['submodule']);
  assert.deepEqual(kindWords({ ...FILE, symlink: true, status: 'typechanged', newMode: '120000' }), ['now a symbolic link']);
});

test('what is folded is counted, and that nothing is missing is said', () => {
  assert.equal(foldedWords([FILE]), null);
  assert.deepEqual(foldedWords([FILE, { ...FILE, path: 'package-lock.json', added: 1200, generated: 'a lockfile' }]), {
    lead: '2 files, +1,202 −2.',
    rest: '1 generated file starts folded; nothing is left out.',
  });
});

test('a path is divided before its name', () => {
  assert.deepEqual(pathParts('a/b/c.ts'), ['a/b/', 'c.ts']);
  assert.deepEqual(pathParts('c.ts'), ['', 'c.ts']);
});
