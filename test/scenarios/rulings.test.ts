import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TEST_IDENTITY } from '../support/repository.ts';
import { answers, APPROVED, eventually, issue, makeScenario, rejected, turns } from '../support/scenario.ts';
import type { Scenario, ScriptedAgent } from '../support/scenario.ts';

const CODE = 'export const limit = 10;\nexport const half = limit / 2;\n';
const WRONG = issue('`half` is not an integer for odd limits.', { file: 'src/limit.js', line: 2 });
const AUTHOR = turns({ write: { 'src/limit.js': CODE } });
const NOTE = '`limit` is 10 and never odd: src/limit.js:1';

function disputing(...ids: readonly string[]): ScriptedAgent {
  return turns({ result: { resolutions: ids.map((findingId) => ({ findingId, status: 'disputed', note: NOTE })) } });
}

function ruling(word: 'upheld' | 'refuted', findingId = '1.1'): ScriptedAgent {
  return turns({ result: { rulings: [{ findingId, ruling: word, note: 'I looked at line 1.' }] } });
}

async function withArbiter(
  agents: Readonly<Record<string, ScriptedAgent>>,
  config: Readonly<Record<string, unknown>> = {},
): Promise<Scenario> {
  return await makeScenario({ agents: { author: AUTHOR, ...agents }, config: { roles: { arbiter: 'arbiter' }, ...config } });
}

describe('a dispute', () => {
  test('that the arbiter finds right closes the finding, and the same head is approved without another review', async () => {
    await using scenario = await withArbiter({
      reviewer: answers(rejected(WRONG)),
      fixer: disputing('1.1'),
      arbiter: ruling('refuted'),
    });
    const loop = (await scenario.volley(['run', 'Write it', '--json'])).loop();
    assert.deepEqual([loop.state, loop.rounds.length, loop.findings[0]?.status], ['approved', 1, 'refuted']);
    assert.equal((await scenario.calls('reviewer')).length, 1);
    const asked = (await scenario.calls('arbiter'))[0]?.prompt ?? '';
    assert.ok(asked.includes(NOTE) && asked.includes('1.1'), 'the arbiter reads both sides');
  });

  test('that the arbiter upholds goes back to the fixer in the same round, with the ruling', async () => {
    await using scenario = await withArbiter({
      reviewer: answers(rejected(WRONG), APPROVED),
      fixer: turns(
        { result: { resolutions: [{ findingId: '1.1', status: 'disputed', note: NOTE }] } },
        { write: { 'src/limit.js': CODE.replace('limit / 2', 'Math.floor(limit / 2)') } },
      ),
      arbiter: ruling('upheld'),
    });
    const loop = (await scenario.volley(['run', 'Write it', '--json'])).loop();
    assert.deepEqual([loop.state, loop.rounds.length, loop.findings[0]?.status], ['approved', 2, 'fixed']);
    assert.match((await scenario.calls('fixer'))[1]?.prompt ?? '', /## Rulings[\s\S]*1\.1: upheld[\s\S]*I looked at line 1/);
  });

  test('about security goes to no arbiter but to a person, whose word settles it at once', async () => {
    await using scenario = await withArbiter({
      reviewer: answers(rejected({ ...WRONG, category: 'security' })),
      fixer: disputing('1.1'),
      arbiter: ruling('refuted'),
    });
    const asked = (await scenario.volley(['run', 'Write it', '--json'])).loop();
    assert.deepEqual([asked.escalation?.reason, (await scenario.calls('arbiter')).length], ['disputed', 0]);
    const settled = await scenario.volley(['finding', '1.1', 'refute', '--reason', 'It cannot be odd.', '--json']);
    assert.deepEqual([settled.code, settled.loop().state, settled.loop().findings[0]?.ruling?.by], [0, 'approved', TEST_IDENTITY.name]);
  });
});

describe("a person's word about a finding", () => {
  test('ends a fix that has nothing left to fix, whose tree is kept, and approves what was reviewed', async () => {
    await using scenario = await makeScenario({
      agents: {
        author: AUTHOR,
        reviewer: answers(rejected(WRONG)),
        fixer: turns({ write: { 'src/limit.js': 'half done\n' }, run: 'echo working; sleep 60' }),
      },
    });
    const running = scenario.start(['run', 'Write it', '--json']);
    await eventually('the fixer has begun', async () => (await scenario.calls('fixer')).length > 0);
    await eventually('its file is written', async () => (await scenario.loop()).state === 'refining');
    const ruled = await scenario.volley(['finding', '1.1', 'accept', '--reason', 'good enough', '--json']);
    assert.equal(ruled.code, 0, ruled.stderr);
    const ended = await running.ended;
    assert.deepEqual([ended.code, ended.loop().state, ended.loop().findings[0]?.status], [0, 'approved', 'accepted']);
    const head = (await scenario.loop()).approval;
    assert.ok(head?.by === 'review' && head.proof.head === ended.loop().head);
  });

  test('reopens what was approved, and the loop offers to refine it', async () => {
    await using scenario = await makeScenario({
      agents: {
        author: AUTHOR,
        reviewer: answers(rejected(WRONG), APPROVED),
        fixer: turns({ write: { 'src/limit.js': CODE.replace('/ 2', '>> 1') } }),
      },
    });
    await scenario.volley(['run', 'Write it']);
    const reopened = await scenario.volley(['finding', '1.1', 'reopen', '--reason', 'Still wrong for 11.', '--json']);
    const loop = reopened.loop();
    assert.deepEqual(
      [loop.state, loop.approval, loop.findings[0]?.status, loop.choices],
      ['self_review_failed', null, 'reopened', ['refine', 'accept', 'cancel']],
    );
    const refused = await scenario.volley(['finding', '1.1', 'reopen']);
    assert.deepEqual([refused.code, refused.stderr.split('\n')[0]], [1, 'error: Task 1 does not take that: 1.1 is open.']);
  });

  test('closes the question of the last round once nothing blocks any more', async () => {
    await using scenario = await makeScenario({
      agents: { author: AUTHOR, reviewer: answers(rejected(WRONG, issue('No tests.', { severity: 'medium' }))), fixer: disputing() },
      config: { policy: { maxRounds: 1 } },
    });
    const asked = await scenario.volley(['run', 'Write it', '--json']);
    assert.deepEqual([asked.code, asked.loop().escalation?.reason], [2, 'max-rounds']);
    const first = await scenario.volley(['finding', '1.1', 'refute', '--json']);
    assert.equal(first.loop().escalation?.reason, 'max-rounds', 'one of two still blocks');
    const second = await scenario.volley(['finding', '1.2', 'accept', '--json']);
    assert.deepEqual([second.code, second.loop().state], [0, 'approved']);
  });
});

describe('what was refuted', () => {
  test('stays closed in other tasks while its code is what it was, until it is forgotten', async () => {
    await using scenario = await makeScenario({
      files: { 'src/limit.js': '', 'README.md': '# Sample\n' },
      agents: { author: AUTHOR, reviewer: answers(rejected(WRONG)), fixer: disputing() },
      config: { policy: { maxRounds: 1 } },
    });
    assert.match((await scenario.volley(['memory'])).stdout, /^Nothing is remembered\./);
    await scenario.volley(['run', 'Write it']);
    await scenario.volley(['finding', '1.1', 'refute', '--reason', 'The limit is even.']);
    assert.match(
      (await scenario.volley(['memory'])).stdout,
      /1\.1 {2}logic {2}src\/limit\.js:2 .*refuted by Test Person .*The limit is even\./,
    );
    const again = (await scenario.volley(['run', 'Write it again', '--json'])).loop();
    assert.deepEqual([again.state, again.findings[0]?.status, again.findings[0]?.ruling?.from], ['approved', 'refuted', '1.1']);
    assert.match(again.rounds[0]?.notes[0] ?? '', /was refuted before and its code has not changed/);
    assert.equal((await scenario.volley(['memory', 'forget', '1.1'])).stdout, '1.1 is forgotten; a review may raise it again.\n');
    const third = (await scenario.volley(['run', 'Write it once more', '--json'])).loop();
    assert.deepEqual([third.escalation?.reason, third.findings[0]?.status], ['max-rounds', 'open']);
    const nothing = await scenario.volley(['memory', 'forget', '1.1']);
    assert.equal(nothing.stderr.split('\n')[0], 'error: Task 1 does not take that: nothing is remembered of 1.1.');
  });
});
