import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RESULT_TOOLS } from '../core/readers/tool-inputs.ts';
import { Role } from '../core/settings.ts';
import { closeInbox, openInbox } from './inbox.ts';
import type { Inbox, InboxReport, InboxSubject, ToolCall } from './inbox.ts';

const REVIEW = 'set_loop_review_result';
const AGAIN = `Nothing was recorded. Correct this and call ${REVIEW} again.`;

function open(change: Partial<InboxSubject> = {}): Inbox {
  return openInbox({ role: 'reviewer', loopId: 29, round: 2, findingIds: [], ...change });
}

function review(input: unknown, tool = REVIEW): ToolCall {
  return { tool, arguments: input };
}

function refusal(input: unknown, change: Partial<InboxSubject> = {}): string | null {
  return open(change).submit(review(input, RESULT_TOOLS[change.role ?? 'reviewer'].name));
}

function resultOf(report: InboxReport): unknown {
  return report.kind === 'result' ? JSON.parse(report.json) : report.kind;
}

test('an inbox that nobody wrote to says nothing, whatever the stream shows', () => {
  assert.deepEqual(closeInbox(open(), [review({ loopId: '29', passed: true })]), { kind: 'none' });
});

test('an accepted call that the stream shows is the result, as it was written', () => {
  const input = { loopId: '29', taskId: '29', passed: false, issues: [{ description: 'wrong', severity: 'blocker' }], mood: 'good' };
  const inbox = open();
  assert.equal(inbox.submit(review(input)), null);
  assert.deepEqual(resultOf(closeInbox(inbox, [review(input)])), input);
});

test('every role has a tool of its own, and is sent to it when it calls another', () => {
  for (const role of Role.options) {
    for (const other of Role.options) {
      const inbox = open({ role, findingIds: ['29.1'] });
      const answer = inbox.submit(review({ loopId: '29', passed: true, rulings: [] }, RESULT_TOOLS[other].name));
      assert.equal(answer, role === other ? null : `This session is the ${role}'s: call ${RESULT_TOOLS[role].name}.`);
    }
  }
});

test('a result about another loop or task is refused, with the right one', () => {
  assert.equal(
    refusal({ loopId: '28', taskId: 7, passed: true }),
    `loopId: this session is about 29.\ntaskId: this session is about 29.\n${AGAIN}`,
  );
  assert.equal(refusal({ loopId: '29.0', passed: true }), `loopId: this session is about 29.\n${AGAIN}`);
});

test('a result about another round is refused, and one that names no round or this one is not', () => {
  assert.equal(refusal({ loopId: '29', round: 1, passed: true }), `round: this session is about 2.\n${AGAIN}`);
  assert.equal(refusal({ loopId: '29', round: '3', passed: true }), `round: this session is about 2.\n${AGAIN}`);
  for (const round of [2, ' 2 ', null, undefined]) assert.equal(refusal({ loopId: '29', round, passed: true }), null, String(round));
});

test('ids may be numbers, and a null is the same as nothing', () => {
  assert.equal(refusal({ loopId: 29, taskId: 29, passed: true }), null);
  assert.equal(refusal({ loopId: ' 29 ', taskId: null, passed: true, issues: null, verdict: null }), null);
});

test('a malformed call is told all that is wrong with it, one sentence each', () => {
  assert.deepEqual(refusal({ loopId: '28', passed: 'true', verdict: 'maybe', issues: ['x', { file: 'a.ts' }] })?.split('\n'), [
    'passed: Invalid input: expected boolean, received string.',
    'verdict: Invalid input: expected approved, changes_requested or needs_discussion.',
    'issues[0]: Invalid input: expected object, received string.',
    'issues[1].description: Invalid input: expected string, received undefined.',
    'loopId: this session is about 29.',
    AGAIN,
  ]);
});

test('what would change the meaning is refused', () => {
  const wrong = [
    {},
    { passed: null },
    { passed: 1 },
    { passed: true, issues: {} },
    { passed: true, issues: 'none' },
    { passed: true, issues: [{ description: ' ' }] },
    { passed: true, intentSatisfied: 'no' },
  ];
  for (const input of wrong)
    assert.match(refusal({ loopId: '29', ...input }) ?? '', /^(passed|issues|intentSatisfied)\S*: /, JSON.stringify(input));
  for (const input of [null, 'x', [], 3]) assert.match(refusal(input) ?? '', /^arguments: /);
});

test('what does not change the meaning is accepted', () => {
  const fine = [
    { passed: true, verdict: 'PASS', more: { deep: [1] } },
    { passed: false, issues: [{ description: 'x', line: '3', lineEnd: 4, severity: 'blocker', category: 'taste', type: 'new' }] },
    { passed: false, evidence: [{ claim: 'tests pass' }], usage: { costUsd: 0.1 }, head: 'abc' },
  ];
  for (const input of fine) assert.equal(refusal({ loopId: '29', ...input }), null, JSON.stringify(input));
});

test('a long list of problems is cut', () => {
  assert.equal(refusal({ loopId: '29', passed: true, issues: Array(500).fill('x') })?.split('\n').length, 22);
});

test('arguments that are nested too deeply are refused', () => {
  const deep: unknown = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000));
  assert.equal(refusal({ loopId: '29', passed: true, deep }), 'The arguments are nested too deeply.');
});

test('a fixer answers the findings that it was asked about, in the spellings that are read', () => {
  const findingIds = ['29.1', '29.10'];
  const answer = (findingId: unknown): string | null =>
    refusal({ loopId: '29', resolutions: [{ findingId, status: 'fixed' }] }, { role: 'fixer', findingIds });
  for (const id of ['29.1', '#29.10', '[29.1]', '10']) assert.equal(answer(id), null, id);
  assert.match(answer('29.2') ?? '', /^resolutions\[0\]\.findingId: no such finding, expected one of 29\.1, 29\.10\.\n/);
  assert.match(answer(undefined) ?? '', /^resolutions\[0\]\.findingId: /);
});

test('a status or ruling that nobody knows is refused', () => {
  const findingIds = ['29.1'];
  assert.match(
    refusal({ loopId: 29, resolutions: [{ findingId: '29.1', status: 'maybe' }] }, { role: 'fixer', findingIds }) ?? '',
    /status: /,
  );
  assert.match(
    refusal({ loopId: 29, rulings: [{ findingId: '29.1', ruling: 'maybe' }] }, { role: 'arbiter', findingIds }) ?? '',
    /ruling: /,
  );
  assert.match(
    refusal({ loopId: 29, rulings: [{ findingId: '29.2', ruling: 'upheld' }] }, { role: 'arbiter', findingIds }) ?? '',
    /no such finding/,
  );
  assert.equal(refusal({ loopId: 29, rulings: [{ findingId: '29.1', ruling: 'refuted' }] }, { role: 'arbiter', findingIds }), null);
});

test('a malformed call can be corrected, and the corrected one is the result', () => {
  const calls = [review({ loopId: '29', passed: 'yes' }), review({ loopId: '29', passed: true })];
  const inbox = open();
  assert.notEqual(inbox.submit(calls[0] ?? review(null)), null);
  assert.equal(inbox.submit(calls[1] ?? review(null)), null);
  assert.deepEqual(
    inbox.calls.map(({ accepted }) => accepted),
    [false, true],
  );
  assert.deepEqual(resultOf(closeInbox(inbox, calls)), { loopId: '29', passed: true });
});

test('an approval that another result of the same session contradicts counts for nothing', () => {
  const yes = review({ loopId: '29', passed: true });
  for (const second of [review({ loopId: '29', passed: false }), review({ loopId: '29', passed: true, summary: 'other words' })]) {
    const inbox = open();
    for (const call of [yes, second]) inbox.submit(call);
    assert.equal(closeInbox(inbox, [yes, second]).kind, 'foreign');
  }
  const again = open();
  for (const call of [yes, yes]) again.submit(call);
  assert.deepEqual(resultOf(closeInbox(again, [yes, yes])), { loopId: '29', passed: true });
});

test('a second result does not change a rejection', () => {
  const calls = [review({ loopId: '29', passed: false }), review({ loopId: '29', passed: true })];
  const inbox = open();
  const answers = calls.map((call) => inbox.submit(call));
  assert.deepEqual(answers, [null, 'The result of this session is final.']);
  assert.deepEqual(resultOf(closeInbox(inbox, calls)), { loopId: '29', passed: false });
});

test('a call that the stream does not show is foreign, be it accepted or refused', () => {
  const own = review({ loopId: '29', passed: false });
  for (const other of [review({ loopId: '29', passed: true }), review({}, 'tools'), review({ loopId: '30', passed: false })]) {
    for (const order of [
      [own, other],
      [other, own],
    ]) {
      const inbox = open();
      for (const call of order) inbox.submit(call);
      assert.equal(closeInbox(inbox, [own]).kind, 'foreign');
    }
  }
});

test('the same call made by two is foreign, unless it was shown twice', () => {
  const call = review({ loopId: '29', passed: true });
  const inbox = open();
  inbox.submit(call);
  inbox.submit(call);
  assert.equal(closeInbox(inbox, [call]).kind, 'foreign');
  assert.equal(closeInbox(inbox, [call, call]).kind, 'result');
});

test('the stream may name the server before the tool, but no other server', () => {
  const input = { loopId: '29', passed: true };
  const inbox = open();
  inbox.submit(review(input));
  for (const name of ['mcp__volley__', 'volley_', 'volley.', 'mcp_volley_', 'volley/', ''])
    assert.equal(closeInbox(inbox, [review(input, name + REVIEW)]).kind, 'result', name);
  for (const name of ['mcp__other__', 'x', 'volley', 'notvolley_', 'volley__other__'])
    assert.equal(closeInbox(inbox, [review(input, name + REVIEW)]).kind, 'foreign', name);
});

test('arguments are compared as JSON values, whatever the order of their keys', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 4 }), (one, other) => {
      const same = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
      const inbox = open();
      inbox.submit(review({ a: one }));
      assert.equal(closeInbox(inbox, [review({ a: other })]).kind, same ? 'none' : 'foreign');
      assert.equal(closeInbox(inbox, [review({ a: reversed(one) })]).kind, 'none');
    }),
    {
      examples: [
        [{ a: 1 }, { a: '1' }],
        [[], {}],
        [
          [1, 2],
          [2, 1],
        ],
        [null, {}],
      ],
    },
  );
});

test('a flood of calls is refused and voids the result', () => {
  const inbox = open();
  const calls = Array.from({ length: 150 }, (_, index) => review({ index }));
  for (const call of [review({ loopId: '29', passed: true }), ...calls]) inbox.submit(call);
  assert.equal(inbox.calls.length, 101);
  assert.equal(closeInbox(inbox, [review({ loopId: '29', passed: true }), ...calls]).kind, 'foreign');
});

function sorted(value: unknown): unknown {
  return rebuilt(value, (keys) => keys.toSorted());
}

function reversed(value: unknown): unknown {
  return rebuilt(value, (keys) => keys.toReversed());
}

function rebuilt(value: unknown, order: (keys: readonly string[]) => readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => rebuilt(item, order));
  if (typeof value !== 'object' || value === null) return value;
  const entries = new Map<string, unknown>(Object.entries(value));
  return Object.fromEntries(order([...entries.keys()]).map((key) => [key, rebuilt(entries.get(key), order)]));
}
