import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { placeIssue } from './anchor.ts';
import type { PlacedIn } from './anchor.ts';
import type { FileStatus, Hunk } from './diff.ts';

function hunk([oldStart, oldCount]: [number, number], [newStart, newCount]: [number, number]): Hunk {
  return { oldStart, oldCount, newStart, newCount, heading: '', lines: [] };
}

function file(
  path: string,
  more: { readonly oldPath?: string; readonly status?: FileStatus; readonly binary?: boolean; readonly submodule?: boolean } = {},
) {
  return {
    path,
    oldPath: more.oldPath ?? null,
    status: more.status ?? 'modified',
    binary: more.binary ?? false,
    submodule: more.submodule ?? false,
  };
}

const HUNKS: Record<string, readonly Hunk[]> = {
  'src/app.ts': [hunk([8, 6], [10, 8]), hunk([40, 2], [44, 0])],
  'src/gone.ts': [hunk([1, 30], [0, 0])],
};

const change: PlacedIn = {
  files: [
    file('src/app.ts'),
    file('src/deep/app.ts'),
    file('README.md'),
    file('src/gone.ts', { status: 'deleted' }),
    file('src/new-name.ts', { oldPath: 'src/old-name.ts', status: 'renamed' }),
    file('logo.png', { binary: true }),
    file('app/[id]/(auth)/page one.tsx'),
    file('__init__.py'),
    file('vendor', { submodule: true }),
    file('lib/index.ts'),
    file('test/index.ts'),
  ],
  hunksOf: (path) => HUNKS[path] ?? [],
  roots: ['/state/checkouts/29'],
};

function place(written: string | null, line: number | null = null, lineEnd: number | null = null) {
  return placeIssue({ file: written, line, lineEnd }, change);
}

describe('a path is found', () => {
  const spellings: Record<string, string> = {
    'src/app.ts': 'src/app.ts',
    './src/app.ts': 'src/app.ts',
    'a/src/app.ts': 'src/app.ts',
    'b/src/app.ts': 'src/app.ts',
    '`src/app.ts`': 'src/app.ts',
    '**`src/app.ts`**': 'src/app.ts',
    '"src/app.ts"': 'src/app.ts',
    'src\\app.ts': 'src/app.ts',
    'C:\\Users\\someone\\repo\\src\\app.ts': 'src/app.ts',
    '/home/someone/repo/src/app.ts': 'src/app.ts',
    '/home/someone/repo/src/deep/app.ts': 'src/deep/app.ts',
    '/home/someone/repo/README.md': 'README.md',
    'repo/src/app.ts': 'src/app.ts',
    'file:///home/someone/repo/src/app.ts': 'src/app.ts',
    'https://forge.invalid/o/r/blob/main/src/app.ts#L12-L14': 'src/app.ts',
    '[app.ts](src/app.ts)': 'src/app.ts',
    'deep/app.ts': 'src/deep/app.ts',
    'new-name.ts': 'src/new-name.ts',
    'src/old-name.ts': 'src/new-name.ts',
    'src/app.ts, README.md': 'src/app.ts',
    'see `src/app.ts` and others': 'src/app.ts',
    'src/app.ts.': 'src/app.ts',
    'app/[id]/(auth)/page one.tsx': 'app/[id]/(auth)/page one.tsx',
    '`app/[id]/(auth)/page one.tsx` line 3': 'app/[id]/(auth)/page one.tsx',
    '__init__.py': '__init__.py',
    '/state/checkouts/29/README.md': 'README.md',
  };
  for (const [written, path] of Object.entries(spellings)) {
    test(`in ${written}`, () => assert.equal(place(written).file, path));
  }
});

describe('lines behind a path are read', () => {
  const spellings: Record<string, readonly [number, number | null]> = {
    'src/app.ts:12': [12, null],
    'src/app.ts:12:5': [12, null],
    'src/app.ts:12-15': [12, 15],
    '`src/app.ts`:12': [12, null],
    '`src/app.ts:12`': [12, null],
    'src/app.ts#L12-L15': [12, 15],
    'src/app.ts#L12': [12, null],
    'src/app.ts (line 12)': [12, null],
    'src/app.ts, lines 12–15': [12, 15],
    'src/app.ts lines 12 to 15': [12, 15],
    'src/app.ts(12,5)': [12, null],
    'src/app.ts:L12-L15': [12, 15],
  };
  for (const [written, [line, lineEnd]] of Object.entries(spellings)) {
    test(`in ${written}`, () => assert.deepEqual(place(written), { file: 'src/app.ts', line, lineEnd, place: 'changed' }));
  }

  test('but the line of the issue itself wins', () => {
    assert.deepEqual(place('src/app.ts:12', 99), { file: 'src/app.ts', line: 99, lineEnd: null, place: 'outside' });
  });
});

describe('the place says how an issue relates to the change', () => {
  test('a line in a hunk is changed, one beside it is outside', () => {
    const places = [9, 10, 17, 18].map((line) => place('src/app.ts', line).place);
    assert.deepEqual(places, ['outside', 'changed', 'changed', 'outside']);
  });

  test('lines beside removed ones are changed', () => {
    const places = [43, 44, 45, 46].map((line) => place('src/app.ts', line).place);
    assert.deepEqual(places, ['outside', 'changed', 'changed', 'outside']);
  });

  test('a range that reaches into a hunk is changed, whichever way round it is written', () => {
    assert.deepEqual(place('src/app.ts', 11, 2), { file: 'src/app.ts', line: 2, lineEnd: 11, place: 'changed' });
  });

  test('the lines of a deleted file are its old ones', () => {
    assert.equal(place('src/gone.ts', 30).place, 'changed');
    assert.equal(place('src/gone.ts', 31).place, 'outside');
  });

  test('a changed file without a line is a file, and so are files without lines', () => {
    assert.equal(place('src/app.ts').place, 'file');
    assert.equal(place('logo.png', 3).place, 'file');
    assert.equal(place('vendor', 3).place, 'file');
  });

  test('a path that did not change is kept as outside', () => {
    assert.deepEqual(place('src/other.ts:7'), { file: 'src/other.ts', line: 7, lineEnd: null, place: 'outside' });
    assert.deepEqual(place('../../etc/passwd').place, 'outside');
    assert.equal(place('/state/checkouts/29/src/other.ts').file, 'src/other.ts');
  });

  test('an ambiguous name is kept as outside', () => {
    assert.deepEqual(place('index.ts', 1), { file: 'index.ts', line: 1, lineEnd: null, place: 'outside' });
  });

  test('a relative path of another folder is not taken for a file at the top', () => {
    assert.deepEqual(place('docs/README.md').file, 'docs/README.md');
  });

  test('words that are no path, and no words, are unplaced', () => {
    assert.deepEqual(place('the whole module', 3), { file: 'the whole module', line: 3, lineEnd: null, place: 'unplaced' });
    assert.equal(place('N/A').place, 'unplaced');
    assert.deepEqual(place(null), { file: null, line: null, lineEnd: null, place: 'unplaced' });
    assert.deepEqual(place('  '), { file: null, line: null, lineEnd: null, place: 'unplaced' });
  });
});

test('whatever is written, an issue keeps its lines and gets a place', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 99 }), (written, line) => {
      const placed = place(written, line);
      assert.equal(placed.line, line);
      assert.equal(placed.file === null, written.trim() === '');
    }),
  );
});
