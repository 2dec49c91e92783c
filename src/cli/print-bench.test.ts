import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BenchRun } from '../app-bench.ts';
import type { BenchOutcome } from '../core/bench-outcome.ts';
import { BenchScenario } from '../core/bench-scenario.ts';
import type { Io } from './command.ts';
import { benchObject, printBench, totalsObject } from './print-bench.ts';

const SCENARIO = BenchScenario.parse({
  name: 'two-rounds',
  theme: 'convergence',
  about: 'What happens.',
  why: 'A person is asked.',
  task: 'Do it',
  files: {},
  change: {},
  agents: { reviewer: [{}] },
  expect: { ending: 'escalated', reason: 'max-rounds' },
});
const OUTCOME: BenchOutcome = {
  ending: 'escalated',
  reason: 'max-rounds',
  why: 'needs_human: no round is left',
  rounds: 2,
  calls: { reviewer: 2, fixer: 1 },
  noVerdict: [],
  channel: null,
  findings: [],
  followUps: 0,
  inputTokens: 900,
  outputTokens: 100,
  spendUsd: 1.5,
  estimated: false,
  approvalProblem: null,
};
const RIGHT: BenchRun = { scenario: SCENARIO, run: 1, outcome: OUTCOME, problems: [], durationMs: 400 };
const approved: BenchOutcome = { ...OUTCOME, ending: 'approved', reason: null, why: 'approved: nothing blocks' };
const WRONG: BenchRun = { ...RIGHT, run: 2, outcome: approved, problems: ['expected escalated, but it is approved'] };
const BROKEN: BenchRun = { ...RIGHT, run: 3, outcome: null, problems: ['no loop: the disk is full'] };

function printed(runs: readonly BenchRun[]): readonly string[] {
  const lines: string[] = [];
  const out = (line: string): void => void lines.push(line);
  const io: Io = { cwd: '/', json: false, color: false, interactive: false, width: 100, out, err: out, object: () => undefined };
  printBench([SCENARIO], { runs, durationMs: 2000 }, io);
  return lines;
}

test('a right run is one row, and the totals follow', () => {
  assert.deepEqual(printed([RIGHT]), [
    'scenario    ending                 right  rounds  calls  tokens  cost',
    'two-rounds  needs you: max-rounds  ✓      2       3      1000    $1.50',
    '',
    '1 of 1 right, 3 calls, 1000 tokens, $1.50, 2.0 s',
  ]);
});

test('of several runs the wrong one is shown, with what would have been right', () => {
  const lines = printed([RIGHT, WRONG]);
  assert.match(lines[1] ?? '', /^two-rounds +approved +✗ 1\/2 /);
  assert.match(lines.join('\n'), /^1 of 2 right, /m);
  assert.deepEqual(lines.slice(-3), [
    '✗ two-rounds (run 2): needs you: max-rounds would be right. A person is asked.',
    '    expected escalated, but it is approved',
    '    it is approved: nothing blocks',
  ]);
});

test('a scenario that could not be played is wrong and hides no other', () => {
  const lines = printed([BROKEN]);
  assert.match(lines[1] ?? '', /^two-rounds +no loop +✗ /);
  assert.equal(lines.at(-1), '    no loop: the disk is full');
});

test('programs get every run, and the totals last', () => {
  assert.deepEqual(
    [RIGHT, WRONG, BROKEN].map((run) =>
      Object.entries(benchObject(run)).filter(([key]) => ['type', 'run', 'right', 'ending'].includes(key)),
    ),
    [
      [
        ['type', 'bench'],
        ['run', 1],
        ['right', true],
        ['ending', 'escalated'],
      ],
      [
        ['type', 'bench'],
        ['run', 2],
        ['right', false],
        ['ending', 'approved'],
      ],
      [
        ['type', 'bench'],
        ['run', 3],
        ['right', false],
        ['ending', null],
      ],
    ],
  );
  const totals = { played: 3, right: 1, wrong: 2, rounds: 4, calls: 6, tokens: 2000, spendUsd: 3 };
  assert.deepEqual(totalsObject([RIGHT, WRONG, BROKEN], 7), { type: 'bench', v: 1, scenario: null, ...totals, durationMs: 7 });
});
