import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Delta, FileDelta, HunkSpan } from './delta.ts';
import { reanchor } from './re-anchor.ts';

function delta(...files: (Partial<FileDelta> & { readonly path: string })[]): Delta {
  return { from: '1'.repeat(40), files: files.map((file) => ({ oldPath: null, status: 'modified', hunks: [], ...file })) };
}

function span([oldStart, oldCount]: [number, number], [newStart, newCount]: [number, number]): HunkSpan {
  return { oldStart, oldCount, newStart, newCount };
}

const EDIT = [span([5, 0], [6, 2]), span([10, 3], [12, 1])];

test('lines in a file that did not change stay where they are', () => {
  const at = { file: 'b.ts', line: 3, lineEnd: 4 };
  assert.deepEqual(reanchor(at, delta({ path: 'a.ts', hunks: EDIT })), { ...at, anchor: 'exact' });
});

test('lines move with what is added and removed above them', () => {
  const change = delta({ path: 'a.ts', hunks: EDIT });
  const place = (line: number, lineEnd: number | null = null) => {
    const now = reanchor({ file: 'a.ts', line, lineEnd }, change);
    return [now.anchor, now.line, now.lineEnd];
  };
  assert.deepEqual(place(5), ['exact', 5, null]);
  assert.deepEqual(place(6, 9), ['moved', 8, 11]);
  assert.deepEqual(place(13), ['exact', 13, null]);
  assert.deepEqual(place(12), ['outdated', 12, null]);
  assert.deepEqual(place(8, 10), ['outdated', 8, 10]);
});

test('a stretch with a line put into it is outdated, one with a line beside it is not', () => {
  const change = delta({ path: 'a.ts', hunks: [span([5, 0], [6, 1])] });
  const anchors = [
    [4, 6],
    [2, 5],
    [6, 8],
  ].map(([line = 0, lineEnd = 0]) => reanchor({ file: 'a.ts', line, lineEnd }, change).anchor);
  assert.deepEqual(anchors, ['outdated', 'exact', 'moved']);
});

test('a rename is followed, by outdated lines too', () => {
  const change = delta({ path: 'new.ts', oldPath: 'old.ts', status: 'renamed', hunks: [span([5, 1], [5, 1])] });
  assert.deepEqual(reanchor({ file: 'old.ts', line: 9, lineEnd: null }, change), {
    file: 'new.ts',
    line: 9,
    lineEnd: null,
    anchor: 'moved',
  });
  assert.deepEqual(reanchor({ file: 'old.ts', line: 5, lineEnd: 6 }, change), { file: 'new.ts', line: 5, lineEnd: 6, anchor: 'outdated' });
  assert.deepEqual(reanchor({ file: 'old.ts', line: null, lineEnd: null }, change).anchor, 'moved');
});

test('the original of a copy stays where it is', () => {
  const at = { file: 'old.ts', line: 5, lineEnd: null };
  assert.deepEqual(reanchor(at, delta({ path: 'new.ts', oldPath: 'old.ts', status: 'copied' })), { ...at, anchor: 'exact' });
});

test('what is deleted or unknown is outdated, a whole file only if it is deleted', () => {
  const lined = { file: 'a.ts', line: 5, lineEnd: null };
  const whole = { file: 'a.ts', line: null, lineEnd: null };
  const anchors = [{ status: 'deleted' as const }, { hunks: null }, { status: 'typechanged' as const }].map((file) => {
    const change = delta({ path: 'a.ts', ...file });
    return [reanchor(lined, change).anchor, reanchor(whole, change).anchor];
  });
  assert.deepEqual(anchors, [
    ['outdated', 'outdated'],
    ['outdated', 'exact'],
    ['outdated', 'exact'],
  ]);
});

test('what has no file has nothing to follow', () => {
  const at = { file: null, line: null, lineEnd: null };
  assert.deepEqual(reanchor(at, delta({ path: 'a.ts', hunks: EDIT })), { ...at, anchor: 'exact' });
});

/** What happens to one line: new ones come before it, and it is kept or not. */
type Step = { readonly keep: boolean; readonly before: number };

/** Texts whose lines are all different, so that it is known which of them survived, and what a diff says about them. */
const texts = fc.array(fc.record({ keep: fc.boolean(), before: fc.nat({ max: 2 }) }), { minLength: 1, maxLength: 40 }).map((steps) => ({
  old: steps.map((_, index) => `line ${index}`),
  now: steps.flatMap(({ keep, before }, index) => [
    ...Array.from({ length: before }, (_, nth) => `new ${index} ${nth}`),
    ...(keep ? [`line ${index}`] : []),
  ]),
  hunks: spansOf(steps),
}));

function spansOf(steps: readonly Step[]): HunkSpan[] {
  const spans: HunkSpan[] = [];
  let [oldLine, newLine, oldCount, newCount] = [1, 1, 0, 0];
  const close = (): void => {
    const [oldStart, newStart] = [oldLine - (oldCount === 0 ? 1 : 0), newLine - (newCount === 0 ? 1 : 0)];
    if (oldCount + newCount > 0) spans.push({ oldStart, oldCount, newStart, newCount });
    [oldLine, newLine, oldCount, newCount] = [oldLine + oldCount, newLine + newCount, 0, 0];
  };
  for (const { keep, before } of steps) {
    newCount += before;
    if (!keep) oldCount++;
    if (!keep) continue;
    close();
    oldLine++;
    newLine++;
  }
  close();
  return spans;
}

test('every line that survived an edit is found again, and every other one is outdated', () => {
  fc.assert(
    fc.property(texts, fc.boolean(), ({ old, now, hunks }, isRenamed) => {
      const rename = isRenamed ? ({ oldPath: 'a.ts', path: 'b.ts', status: 'renamed' } as const) : { path: 'a.ts' };
      const change = delta({ ...rename, hunks });
      for (const [index, text] of old.entries()) {
        const found = reanchor({ file: 'a.ts', line: index + 1, lineEnd: null }, change);
        const survived = now.indexOf(text);
        const anchor = survived < 0 ? 'outdated' : survived === index && !isRenamed ? 'exact' : 'moved';
        assert.deepEqual(found, { file: rename.path, line: survived < 0 ? index + 1 : survived + 1, lineEnd: null, anchor });
      }
    }),
  );
});

test('a stretch is found again as a whole unless something in it changed', () => {
  const cases = texts.chain((text) => fc.tuple(fc.constant(text), fc.nat({ max: text.old.length - 1 }), fc.nat({ max: 6 })));
  fc.assert(
    fc.property(cases, ([{ old, now, hunks }, first, length]) => {
      const stretch = old.slice(first, first + length + 1);
      const start = now.indexOf(stretch[0] ?? '');
      const isWhole = start >= 0 && stretch.every((text, index) => now[start + index] === text);
      const found = reanchor({ file: 'a.ts', line: first + 1, lineEnd: first + stretch.length }, delta({ path: 'a.ts', hunks }));
      if (isWhole) assert.deepEqual([found.line, found.lineEnd, found.anchor === 'outdated'], [start + 1, start + stretch.length, false]);
      else assert.deepEqual([found.line, found.lineEnd, found.anchor], [first + 1, first + stretch.length, 'outdated']);
    }),
  );
});
