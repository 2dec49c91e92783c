import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readAuthor, readFix, readRulings } from './read-work.ts';

const IDS = ['29.1', '29.4', '29.10'];
const fromFile = (value: unknown): { result: string; output: string; nonce: string } => ({
  result: JSON.stringify(value),
  output: '',
  nonce: 'k3y',
});
const resolutions = (list: unknown): readonly unknown[] =>
  readFix(fromFile({ resolutions: list }), IDS).resolutions.map(({ findingId, status }) => [findingId, status]);

test('an author that hands nothing back has completed its task', () => {
  assert.deepEqual(readAuthor({ result: null, output: 'bla', nonce: 'k3y' }), { summary: null, taskComplete: true, usage: null });
  assert.equal(readAuthor({ result: 'Added greet().', output: '', nonce: 'k3y' }).summary, 'Added greet().');
});

test('an author that says it is not done, or says it unclearly, is not', () => {
  assert.equal(readAuthor(fromFile({ taskComplete: true })).taskComplete, true);
  assert.equal(readAuthor(fromFile({ taskComplete: false })).taskComplete, false);
  assert.equal(readAuthor(fromFile({ taskComplete: 'almost' })).taskComplete, false);
});

test('the block with the nonce counts where there is no result file', () => {
  const output = '```json volley-k3y\n{"summary":"s","taskComplete":false}\n```';
  assert.deepEqual(readAuthor({ result: null, output, nonce: 'k3y' }), { summary: 's', taskComplete: false, usage: null });
  assert.equal(readAuthor({ result: null, output, nonce: 'other' }).taskComplete, true);
});

test('a fixer is read with its resolutions, places and commits', () => {
  const fix = readFix(
    fromFile({
      summary: 'trims',
      resolutions: [{ findingId: '29.1', status: 'fixed', note: 'trim()', places: [{ file: 'a.ts', line: 3 }, 'b.ts:4', 7] }],
      commits: [{ summary: 'trim', paths: ['a.ts'] }, { summary: 'no paths' }, 'x'],
      usage: { costUsd: 0.2 },
    }),
    IDS,
  );
  assert.deepEqual(fix, {
    summary: 'trims',
    resolutions: [
      {
        findingId: '29.1',
        status: 'fixed',
        note: 'trim()',
        places: [
          { file: 'a.ts', line: 3 },
          { file: 'b.ts', line: 4 },
        ],
      },
    ],
    commits: [{ summary: 'trim', paths: ['a.ts'] }],
    usage: { inputTokens: null, outputTokens: null, costUsd: 0.2, cachedTokens: null, cacheWriteTokens: null, reasoningTokens: null },
  });
});

test('ids are understood where only one can be meant', () => {
  assert.deepEqual(
    resolutions([
      { findingId: '#29.4' },
      { findingId: '4' },
      { findingId: 29.4 },
      { findingId: 29.1 },
      { findingId: 'x' },
      { note: 'none' },
    ]),
    [
      ['29.4', 'fixed'],
      ['29.4', 'fixed'],
      ['29.4', 'fixed'],
      ['x', 'fixed'],
    ],
  );
});

test('an unknown status goes to a person', () => {
  assert.deepEqual(
    resolutions([
      { findingId: '29.1', status: 'False positive' },
      { findingId: '29.4', status: 'meh' },
    ]),
    [
      ['29.1', 'disputed'],
      ['29.4', 'needs_person'],
    ],
  );
});

test('an arbiter that is not clear upholds', () => {
  assert.deepEqual(
    readRulings(
      fromFile({ rulings: [{ findingId: '29.1', ruling: 'refuted', note: 'n' }, { findingId: '29.4', ruling: 'perhaps' }, 3] }),
      IDS,
    ),
    [
      { findingId: '29.1', ruling: 'refuted', note: 'n' },
      { findingId: '29.4', ruling: 'upheld', note: "(ruling 'perhaps' is unknown, taken as upheld)" },
    ],
  );
  assert.deepEqual(readRulings({ result: 'all refuted', output: '', nonce: 'k3y' }, IDS), []);
});

test('nothing makes them throw', () => {
  fc.assert(
    fc.property(fc.option(fc.oneof(fc.string(), fc.json())), fc.string(), (result, output) => {
      const answer = { result, output, nonce: 'k3y' };
      assert.ok(
        readAuthor(answer).taskComplete !== undefined &&
          Array.isArray(readFix(answer, IDS).resolutions) &&
          Array.isArray(readRulings(answer, IDS)),
      );
    }),
  );
});
