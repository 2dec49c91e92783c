import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BenchScenario, benchText, benchTurn } from './bench-scenario.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'examples', 'loop-benchmark', 'scenarios');
const SAMPLE = {
  name: 'sample',
  theme: 'approval',
  about: 'What happens.',
  why: 'Why it is right.',
  task: 'Do it',
  files: { 'a.js': ['one', 'two'] },
  change: { 'a.js': 'three\n' },
  agents: { reviewer: [{ print: 'first' }, { print: 'last' }] },
  expect: { ending: 'approved' },
};

function refusals(changes: object): readonly string[] {
  return BenchScenario.safeParse({ ...SAMPLE, ...changes }).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? [];
}

test('every scenario that ships is one, has the name of its file, and is the only one of its kind', () => {
  const files = readdirSync(FOLDER).toSorted();
  const scenarios = files.map((file) => BenchScenario.parse(JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))));
  assert.deepEqual(
    scenarios.map(({ name }) => `${name}.json`),
    files,
  );
  assert.equal(new Set(scenarios.map(({ about }) => about)).size, files.length);
  assert.ok(files.length >= 34);
});

test('every name that a scenario uses is that of an agent of it', () => {
  for (const file of readdirSync(FOLDER)) {
    const {
      agents,
      panel = ['reviewer'],
      fallback = [],
      expect,
    } = BenchScenario.parse(JSON.parse(readFileSync(join(FOLDER, file), 'utf8')));
    const used = [...panel, ...fallback, ...Object.keys(expect.calls ?? {})];
    assert.deepEqual(
      used.filter((name) => !(name in agents)),
      [],
      file,
    );
  }
});

test('a key that nobody knows is refused, wherever it stands', () => {
  assert.equal(refusals({}).length, 0);
  assert.equal(refusals({ aproved: true }).length, 1);
  assert.equal(refusals({ expect: { ending: 'approved', round: 1 } }).length, 1);
  assert.equal(refusals({ agents: { reviewer: [{ prints: 'x' }] } }).length, 1);
});

test('a scenario needs a change or an author, and not both', () => {
  assert.equal(refusals({ change: undefined }).length, 1);
  assert.equal(refusals({ agents: { author: [{}], reviewer: [{}] } }).length, 1);
  assert.equal(refusals({ change: undefined, agents: { author: [{}], reviewer: [{}] } }).length, 0);
});

test('the last turn of an agent repeats', () => {
  const scenario = BenchScenario.parse(SAMPLE);
  const printed = [1, 2, 3].map((call) => benchTurn(scenario, 'reviewer', call).print);
  assert.deepEqual(printed, ['first', 'last', 'last']);
});

test('a text may be written as its lines', () => {
  assert.deepEqual([benchText(['one', '', 'two']), benchText('as it is'), benchText([])], ['one\n\ntwo\n', 'as it is', '']);
});
