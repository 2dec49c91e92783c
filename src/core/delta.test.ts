import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { canHaveFixed, isTouched, NEAR_LINES } from './delta.ts';
import type { AnsweredFinding, Delta, FileDelta, HunkSpan } from './delta.ts';

function span([oldStart, oldCount]: [number, number], [newStart, newCount]: [number, number]): HunkSpan {
  return { oldStart, oldCount, newStart, newCount };
}

function delta(...files: (Partial<FileDelta> & { readonly path: string })[]): Delta {
  return { from: '1'.repeat(40), files: files.map((file) => ({ oldPath: null, status: 'modified', hunks: [], ...file })) };
}

function at(file: string | null, line: number | null = null, lineEnd: number | null = null) {
  return { file, line, lineEnd };
}

/** Lines 20 and 21 become 30 to 32: ten lines came above. */
const EDIT = delta({ path: 'a.ts', hunks: [span([0, 0], [1, 10]), span([20, 2], [30, 3])] });
const RENAME = delta({ path: 'new.ts', oldPath: 'old.ts', status: 'renamed' });

describe('lines are touched', () => {
  test('by a hunk within three lines of them, on either side', () => {
    const touched = (side: 'old' | 'new') =>
      Array.from({ length: 40 }, (_, index) => index + 1).filter((line) => isTouched(EDIT, at('a.ts', line), side));
    assert.deepEqual(touched('old'), [1, 2, 3, 4, 17, 18, 19, 20, 21, 22, 23, 24]);
    assert.deepEqual(touched('new'), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 27, 28, 29, 30, 31, 32, 33, 34, 35]);
  });

  test('as a range if any of it is near, whichever end was written first', () => {
    assert.equal(isTouched(EDIT, at('a.ts', 10, 17), 'old'), true);
    assert.equal(isTouched(EDIT, at('a.ts', 17, 10), 'old'), true);
    assert.equal(isTouched(EDIT, at('a.ts', 6, 16), 'old'), false);
    assert.equal(isTouched(EDIT, at('a.ts', 6, 90), 'old'), true);
  });

  test('where lines were only removed, by the neighbours of the gap', () => {
    const removal = delta({ path: 'a.ts', hunks: [span([20, 5], [19, 0])] });
    const lines = [15, 16, 19, 20, 23, 24].filter((line) => isTouched(removal, at('a.ts', line), 'new'));
    assert.deepEqual(lines, [16, 19, 20, 23]);
  });

  test('everywhere in a file that came, went or changed in a way nobody knows', () => {
    for (const status of ['added', 'deleted', 'typechanged', 'copied'] as const)
      assert.equal(isTouched(delta({ path: 'a.ts', status }), at('a.ts', 900), 'new'), true, status);
    assert.equal(isTouched(delta({ path: 'a.ts', hunks: null }), at('a.ts', 900), 'old'), true);
  });

  test('never by a rename or a new mode alone, which touch the file', () => {
    assert.equal(isTouched(RENAME, at('old.ts', 1), 'old'), false);
    assert.equal(isTouched(RENAME, at('old.ts'), 'old'), true);
    assert.equal(isTouched(delta({ path: 'a.sh' }), at('a.sh', 1), 'new'), false);
    assert.equal(isTouched(delta({ path: 'a.sh' }), at('a.sh'), 'new'), true);
  });

  test('under the name that the file has on that side', () => {
    const moved = delta({ path: 'new.ts', oldPath: 'old.ts', status: 'renamed', hunks: [span([5, 1], [5, 1])] });
    assert.deepEqual(
      (['old.ts', 'new.ts'] as const).map((file) => [isTouched(moved, at(file, 5), 'old'), isTouched(moved, at(file, 5), 'new')]),
      [
        [true, false],
        [false, true],
      ],
    );
    const copy = delta({ path: 'copy.ts', oldPath: 'old.ts', status: 'copied' });
    assert.equal(isTouched(copy, at('old.ts'), 'old'), false);
  });

  test('in a tree, by any change', () => {
    assert.equal(isTouched(EDIT, at(null), 'old'), true);
    assert.equal(isTouched(delta(), at(null), 'old'), false);
  });

  test('by what is never farther away than the limit', () => {
    const numbers = fc.integer({ min: 1, max: 60 });
    fc.assert(
      fc.property(numbers, numbers, fc.integer({ min: 1, max: 9 }), (line, start, count) => {
        const gap = Math.max(0, start - line, line - (start + count - 1));
        const touched = isTouched(delta({ path: 'a.ts', hunks: [span([start, count], [start, 1])] }), at('a.ts', line), 'old');
        assert.equal(touched, gap <= NEAR_LINES);
      }),
    );
  });
});

function finding(changes: Partial<AnsweredFinding> = {}): AnsweredFinding {
  return { file: 'a.ts', line: 10, lineEnd: null, place: 'changed', resolution: null, ...changes };
}

function naming(file: string, line: number | null): Partial<AnsweredFinding> {
  return { resolution: { findingId: '1.1', status: 'fixed', note: '', places: [{ file, line }] } };
}

describe('a finding can have been fixed', () => {
  test('by a hunk near its lines, not by one elsewhere in its file', () => {
    assert.equal(canHaveFixed(finding({ line: 17 }), EDIT), true);
    assert.equal(canHaveFixed(finding({ line: 10 }), EDIT), false);
    assert.equal(canHaveFixed(finding(), delta({ path: 'b.ts', hunks: [span([10, 1], [10, 1])] })), false);
  });

  test('by a hunk near a place that the resolution names, in the lines of the newer head', () => {
    assert.equal(canHaveFixed(finding({ ...naming('a.ts', 30) }), EDIT), true);
    assert.equal(canHaveFixed(finding({ ...naming('a.ts', 20) }), EDIT), false);
    const elsewhere = delta({ path: 'b.ts', hunks: [span([50, 1], [50, 1])] });
    assert.equal(canHaveFixed(finding({ ...naming('b.ts', 53) }), elsewhere), true);
    assert.equal(canHaveFixed(finding({ ...naming('b.ts', 54) }), elsewhere), false);
    assert.equal(canHaveFixed(finding({ ...naming('b.ts', null) }), elsewhere), true);
    assert.equal(canHaveFixed(finding({ ...naming('c.ts', 50) }), elsewhere), false);
  });

  test('at a place whose path is written oddly, if it can mean one file only', () => {
    const change = delta({ path: 'src/b.ts', hunks: [span([50, 1], [50, 1])] }, { path: 'src/x/i.ts' }, { path: 'src/y/i.ts' });
    for (const path of ['./src/b.ts', 'b/src/b.ts', 'a/src/b.ts', '/home/me/project/src/b.ts', '`src/b.ts`', 'b.ts'])
      assert.equal(canHaveFixed(finding({ ...naming(path, 50) }), change), true, path);
    assert.equal(canHaveFixed(finding({ ...naming('src/b.ts:50', null) }), change), true);
    assert.equal(canHaveFixed(finding({ ...naming('src/b.ts:90', null) }), change), false);
    assert.equal(canHaveFixed(finding({ ...naming('i.ts', null) }), change), false);
  });

  test('not at a place whose path is that of its own file', () => {
    const change = delta({ path: 'src/a.ts', hunks: [span([50, 1], [50, 1])] });
    assert.equal(canHaveFixed(finding({ ...naming('a.ts', 50) }), change), false);
  });

  test('on a whole file, by any change of it', () => {
    const whole = finding({ file: 'old.ts', line: null, place: 'file' });
    assert.equal(canHaveFixed(whole, RENAME), true);
    assert.equal(canHaveFixed(whole, delta({ path: 'old.ts', status: 'deleted', hunks: [span([1, 9], [0, 0])] })), true);
    assert.equal(canHaveFixed(whole, delta({ path: 'old.ts', hunks: null })), true);
    assert.equal(canHaveFixed(whole, EDIT), false);
    assert.equal(canHaveFixed({ ...whole, line: 700 }, delta({ path: 'old.ts', hunks: [span([1, 1], [1, 1])] })), true);
  });

  test('without a place, by any change of the tree', () => {
    for (const unplaced of [finding({ file: null, place: 'unplaced' }), finding({ file: 'the login page', place: 'unplaced' })]) {
      assert.equal(canHaveFixed(unplaced, EDIT), true);
      assert.equal(canHaveFixed(unplaced, delta()), false);
    }
  });

  test('by a pure rename only if the resolution names the new path', () => {
    const lined = finding({ file: 'old.ts' });
    assert.equal(canHaveFixed(lined, RENAME), false);
    assert.equal(canHaveFixed({ ...lined, ...naming('old.ts', null) }, RENAME), false);
    assert.equal(canHaveFixed({ ...lined, ...naming('new.ts', null) }, RENAME), true);
    assert.equal(canHaveFixed({ ...lined, ...naming('./new.ts', 10) }, RENAME), true);
    assert.equal(canHaveFixed({ ...lined, file: 'other.ts', ...naming('new.ts', 10) }, RENAME), false);
    const edited = delta({ path: 'new.ts', oldPath: 'old.ts', status: 'renamed', hunks: [span([50, 1], [50, 1])] });
    assert.equal(canHaveFixed({ ...lined, ...naming('new.ts', 10) }, edited), false);
    assert.equal(canHaveFixed({ ...lined, ...naming('new.ts', 48) }, edited), true);
  });
});
