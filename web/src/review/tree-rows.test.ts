import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChangeFile } from '../../../src/core/change-view.ts';
import { findingsByFile, inTreeOrder, treeRows } from './tree-rows.ts';

function file(path: string): ChangeFile {
  return {
    path,
    oldPath: null,
    status: 'modified',
    added: 1,
    removed: 0,
    binary: false,
    submodule: false,
    symlink: false,
    oldMode: '100644',
    newMode: '100644',
    oldBlob: 'a',
    newBlob: 'b',
    generated: null,
  };
}

const files = ['src/b/two.ts', 'README.md', 'src/a/one.ts', 'src/b/one.ts'].map(file);
const names = (rows: ReturnType<typeof treeRows>): string[] => rows.map((row) => (row.kind === 'folder' ? `${row.path}/` : row.name));

test('files stand under their folders, those beside none at the end', () => {
  assert.deepEqual(names(treeRows(files, { filter: '', closed: new Set() })), [
    'src/a/',
    'one.ts',
    'src/b/',
    'one.ts',
    'two.ts',
    'README.md',
  ]);
});

test('a closed folder hides its files and still counts them', () => {
  const rows = treeRows(files, { filter: '', closed: new Set(['src/b']) });
  assert.deepEqual(names(rows), ['src/a/', 'one.ts', 'src/b/', 'README.md']);
  assert.deepEqual(rows[2], { kind: 'folder', path: 'src/b', files: 2, open: false });
});

test('a filter takes words of the path in any order, and opens what is closed', () => {
  assert.deepEqual(names(treeRows(files, { filter: 'ONE b/', closed: new Set(['src/b']) })), ['src/b/', 'one.ts']);
});

test('the diff has the order of the tree', () => {
  assert.deepEqual(
    inTreeOrder(files).map(({ path }) => path),
    ['src/a/one.ts', 'src/b/one.ts', 'src/b/two.ts', 'README.md'],
  );
});

test('two names that look the same leave the order of the others as it is', () => {
  const twins = [file('z/\ufffd.ts'), { ...file('z/\ufffd.ts'), newBlob: 'c' }];
  const ordered = inTreeOrder([...twins, ...files]);
  assert.deepEqual(
    ordered.map(({ path }) => path),
    ['src/a/one.ts', 'src/b/one.ts', 'src/b/two.ts', 'z/\ufffd.ts', 'z/\ufffd.ts', 'README.md'],
  );
  assert.equal(new Set(ordered).size, 6);
});

test('only open findings are counted, the worst first', () => {
  const counts = findingsByFile([
    { file: 'a', severity: 'low', status: 'open' },
    { file: 'a', severity: 'high', status: 'reopened' },
    { file: 'a', severity: 'low', status: 'disputed' },
    { file: 'a', severity: 'critical', status: 'fixed' },
    { file: null, severity: 'high', status: 'open' },
  ]);
  assert.deepEqual(counts.get('a'), [
    { severity: 'high', count: 1 },
    { severity: 'low', count: 2 },
  ]);
  assert.equal(counts.size, 1);
});
