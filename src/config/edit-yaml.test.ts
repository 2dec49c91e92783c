import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parse } from 'yaml';
import { editYaml } from './edit-yaml.ts';

const FILE = `# How we review.
agents:
  # mine: { driver: command }  # any program

gates:
  - npm run lint   # quick
  - npm test

policy:
  maxRounds: 3               # reviews
  ceiling: { loop: 2.50 }    # dollars
  # quorum: any
commit: { sign: off }
`;

/** What becomes of the file: the lines that go and those that come, as a difference shows them. */
function difference(path: string, value: unknown, text = FILE): string[] {
  const changed = editYaml(text, { path: path.split('.'), value }) ?? 'impossible';
  const [before, after] = [text.split('\n'), changed.split('\n')];
  return [
    ...before.filter((line) => !after.includes(line)).map((line) => `-${line}`),
    ...after.filter((line) => !before.includes(line)).map((line) => `+${line}`),
  ];
}

const EDITS: readonly (readonly [what: string, path: string, value: unknown, lines: readonly string[]])[] = [
  [
    'a value is replaced, and the remark behind it stays where it is',
    'policy.maxRounds',
    5,
    ['-  maxRounds: 3               # reviews', '+  maxRounds: 5               # reviews'],
  ],
  [
    'a value in a group on one line',
    'policy.ceiling.loop',
    'none',
    ['-  ceiling: { loop: 2.50 }    # dollars', '+  ceiling: { loop: none }    # dollars'],
  ],
  [
    'a further value in a group on one line',
    'policy.ceiling.day',
    9,
    ['-  ceiling: { loop: 2.50 }    # dollars', '+  ceiling: { loop: 2.50, day: 9 }    # dollars'],
  ],
  ['a further value in a group of lines comes behind the last one', 'policy.quorum', 'any', ['+  quorum: any']],
  ['groups that are missing are made', 'policy.timeouts.fix', '5m', ['+  timeouts:', '+    fix: 5m']],
  ['a new section comes at the end', 'notify.onReady', false, ['+notify:', '+  onReady: false']],
  ['an empty section keeps its comments', 'agents.mine.run', ['bash', 'a b.sh'], ['+  mine:', '+    run: [bash, a b.sh]']],
  [
    'a list of lines becomes one line',
    'gates',
    ['make', 'a: b'],
    ['-gates:', '-  - npm run lint   # quick', '-  - npm test', '+gates: [make, "a: b"]'],
  ],
  ['a value is taken out with its line', 'policy.maxRounds', undefined, ['-  maxRounds: 3               # reviews']],
  ['a list is taken out with its lines', 'gates', undefined, ['-gates:', '-  - npm run lint   # quick', '-  - npm test']],
  ['the last value of a group is taken out with the group', 'commit.sign', undefined, ['-commit: { sign: off }']],
  ['so is that of a group in a group', 'policy.ceiling.loop', undefined, ['-  ceiling: { loop: 2.50 }    # dollars']],
  ['what is not there need not be taken out', 'policy.quorum', undefined, []],
  ['text that looks like something else is quoted', 'commit.sign', '5', ['-commit: { sign: off }', '+commit: { sign: "5" }']],
];

for (const [what, path, value, lines] of EDITS) {
  test(`${what}: ${path}`, () => {
    assert.deepEqual(difference(path, value), lines);
  });
}

test('a file that is empty, or only comments, gets its first setting', () => {
  assert.equal(editYaml('', { path: ['policy', 'maxRounds'], value: 2 }), 'policy:\n  maxRounds: 2\n');
  assert.equal(editYaml('# mine\n', { path: ['gates'], value: [] }), '# mine\ngates: []\n');
});

test('a group whose last value is taken out goes with all groups that were around it alone, but never with a remark in it', () => {
  const taken = (text: string): string | null => editYaml(text, { path: ['policy', 'ceiling', 'loop'], value: undefined });
  assert.equal(taken('gates: []\npolicy:\n  ceiling:\n    loop: 2\n'), 'gates: []\n');
  assert.equal(taken('policy: { ceiling: { loop: 2 }, quorum: any }\n'), 'policy: { quorum: any }\n');
  assert.equal(taken('policy:\n  ceiling: { loop: 2, day: 3 }\n'), 'policy:\n  ceiling: { day: 3 }\n');
  assert.equal(taken('policy:\n  # ours\n  ceiling:\n    # per task\n    loop: 2\n'), 'policy:\n  # ours\n  ceiling:\n    # per task\n');
  assert.equal(taken('{ "policy": { "ceiling": { "loop": 2 } } }\n'), '{ }\n');
});

test('a file in the form of JSON stays one group', () => {
  const text = '{\n  "policy": {\n    "maxRounds": 2\n  }\n}\n';
  assert.equal(editYaml(text, { path: ['policy', 'quorum'], value: 'any' }), text.replace('2\n', '2, quorum: any\n'));
});

test('lines of Windows stay lines of Windows', () => {
  const text = 'policy:\r\n  maxRounds: 2\r\n';
  assert.equal(editYaml(text, { path: ['policy', 'quorum'], value: 'any' }), 'policy:\r\n  maxRounds: 2\r\n  quorum: any\r\n');
});

test('a group that several places share is left alone rather than changed in all of them', () => {
  const text = 'agents:\n  a: &one { trustText: true }\n  b: *one\n';
  const changed = editYaml(text, { path: ['agents', 'a', 'trustText'], value: false });
  assert.equal(changed, null);
});

test('what is no group of settings cannot be edited', () => {
  assert.equal(editYaml('- a\n', { path: ['gates'], value: [] }), null);
});

const PATHS = [
  'gates',
  'policy.maxRounds',
  'policy.ceiling.loop',
  'policy.timeouts.fix',
  'agents.mine.run',
  'commit.sign',
  'notify.onReady',
];
const values = fc.constantFrom<unknown[]>(undefined, 1, true, 'plain', 'a: b # c', '- x', '', ['a', 'b, c'], [{ run: 'x' }], { x: 1 });

test('whatever is written one after the other, the file says exactly that', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...PATHS), values), { maxLength: 6 }), (edits) => {
      let text = FILE;
      for (const [path, value] of edits) {
        const changed = editYaml(text, { path: path.split('.'), value });
        assert.ok(changed !== null);
        const found = path.split('.').reduce<unknown>((at, step) => Reflect.get(Object(at), step), parse(changed));
        assert.deepEqual(found ?? undefined, value);
        assert.match(changed, /^# How we review\.\n/);
        text = changed;
      }
    }),
    { numRuns: 300 },
  );
});
