import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { linePatch } from '../../src/core/line-patch.ts';
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

test('whoever applies the suggestion of a finding has committed it, and a decision takes it in', async () => {
  const patch = linePatch('src/limit.js', CODE, { line: 2, removed: 1, added: ['export const half = Math.floor(limit / 2);'] });
  await using scenario = await makeScenario({
    agents: { author: AUTHOR, reviewer: answers(rejected({ ...WRONG, patch }), APPROVED), fixer: disputing() },
    config: { policy: { maxRounds: 1 } },
  });
  assert.equal((await scenario.volley(['run', 'Write it'])).code, 2);
  const applied = await scenario.volley(['finding', '1.1', 'apply', '--reason', 'simply that']);
  assert.match(applied.stdout, new RegExp(`^1\\.1: applied by ${TEST_IDENTITY.name}$`, 'm'));
  const { branch } = await scenario.loop();
  assert.match(await scenario.repository.git('show', `${branch}:src/limit.js`), /Math\.floor/);
  assert.match(
    (await scenario.volley(['log', '1'])).stdout,
    new RegExp(`moved +needs_human +${TEST_IDENTITY.name} applied the suggestion of 1\\.1`),
  );
  assert.match((await scenario.volley(['why', '1'])).stdout, new RegExp(`apply +${TEST_IDENTITY.name} applied the suggestion of 1\\.1`));
  assert.equal((await scenario.volley(['finding', '1.1', 'apply'])).code, 1);
  const end = (await scenario.volley(['retry', '1', '--json'])).loop();
  assert.deepEqual([end.state, end.rounds.length, end.findings[0]?.status], ['approved', 2, 'fixed']);
});

describe('what people do while somebody is at work', () => {
  test('to the last finding that blocks ends a fix that was ordered', async () => {
    await using scenario = await makeScenario({
      agents: {
        author: AUTHOR,
        reviewer: answers(rejected(WRONG)),
        fixer: turns({ write: { 'src/limit.js': 'half done\n' }, run: 'echo working; sleep 60' }),
      },
      config: { policy: { maxRounds: 1 } },
    });
    assert.equal((await scenario.volley(['run', 'Write it', '--json'])).loop().escalation?.reason, 'max-rounds');
    const running = scenario.start(['decide', '1', 'one-more-round', '--json']);
    await eventually('the fixer has begun', async () => (await scenario.calls('fixer')).length > 0);
    const ruled = await scenario.volley(['finding', '1.1', 'refute', '--json']);
    assert.equal(ruled.code, 0, ruled.stderr);
    const ended = await running.ended;
    assert.deepEqual([ended.code, ended.loop().state, ended.loop().approval?.by], [0, 'approved', 'review']);
    assert.equal((await scenario.calls('fixer')).length, 1);
  });

  test('to the branch and take back is forgotten', async () => {
    await using scenario = await makeScenario({
      agents: { author: AUTHOR, reviewer: answers(rejected(WRONG)), fixer: disputing() },
      config: { policy: { maxRounds: 1 } },
    });
    await scenario.volley(['run', 'Write it']);
    const branch = 'volley/1-write-it';
    const git = async (...args: readonly string[]): Promise<string> => (await scenario.repository.git(...args)).trim();
    const ours = await git('rev-parse', branch);
    const emptied = await git('commit-tree', '-m', 'mine', '-p', branch, 'main^{tree}');
    await git('update-ref', `refs/heads/${branch}`, emptied);
    const accept = ['decide', '1', 'accept', '--reason', 'fine', '--json'];
    assert.equal((await scenario.volley(accept)).code, 1, 'there is nothing to accept');
    await git('update-ref', `refs/heads/${branch}`, ours);
    // Any word to the loop takes notice of its branch.
    await scenario.volley(['finding', '1.9', 'refute']);
    const loop = (await scenario.volley(accept)).loop();
    assert.deepEqual([loop.state, loop.head, await git('rev-parse', branch)], ['approved', ours, ours]);
  });
});

test('a branch that was put back is seen by the very next decision', async () => {
  await using scenario = await makeScenario({
    agents: { author: AUTHOR, reviewer: answers(rejected(WRONG)), fixer: disputing() },
    config: { policy: { maxRounds: 1 } },
  });
  await scenario.volley(['run', 'Write it']);
  const git = async (...args: readonly string[]): Promise<string> => (await scenario.repository.git(...args)).trim();
  const ours = await git('rev-parse', 'volley/1-write-it');
  await git('update-ref', 'refs/heads/volley/1-write-it', await git('commit-tree', '-m', 'mine', '-p', ours, 'main^{tree}'));
  assert.equal((await scenario.volley(['decide', '1', 'accept'])).code, 1);
  await git('update-ref', 'refs/heads/volley/1-write-it', ours);
  assert.equal((await scenario.volley(['decide', '1', 'accept'])).code, 0);
});

test('a fallback that disputes in the place of the fixer is not asked to rule on that', async () => {
  await using scenario = await makeScenario({
    agents: { author: AUTHOR, reviewer: answers(rejected(WRONG)), fixer: turns({ exit: 1 }), helper: disputing('1.1') },
    config: { roles: { fallback: ['helper'] } },
  });
  const loop = (await scenario.volley(['run', 'Write it', '--json'])).loop();
  assert.notEqual(loop.state, 'approved');
  assert.deepEqual(
    (await scenario.calls('helper')).map(({ env }) => env['VOLLEY_ROLE']),
    ['fixer'],
  );
  const roles = (await scenario.calls('author')).map(({ env }) => env['VOLLEY_ROLE']);
  assert.ok(roles.includes('arbiter'), 'somebody else rules');
});

describe('after a ruling', () => {
  /** A branch whose review has two findings that block, and all that is told about it. */
  async function reviewed(): Promise<Scenario & { told(): Promise<string> }> {
    const scenario = await makeScenario({ agents: { reviewer: answers(rejected(WRONG, issue('No tests.', { severity: 'medium' }))) } });
    await scenario.repository.git('checkout', '--quiet', '-b', 'feature');
    await scenario.repository.commit('a feature', { 'src/limit.js': CODE });
    await scenario.volley(['review']);
    const folder = join(scenario.root, '.volley', 'reviews');
    const told = async (): Promise<string> => {
      const [name = ''] = (await readdir(folder)).filter((one) => one.endsWith('.md'));
      return (await scenario.volley(['show', '1'])).stdout + (await readFile(join(folder, name), 'utf8'));
    };
    return { ...scenario, told };
  }

  test('that leaves nothing blocking, and after one that takes it back, the ending and the document tell what blocks', async () => {
    await using scenario = await reviewed();
    assert.match(await scenario.told(), /2 blocking findings/);
    await scenario.volley(['finding', '1.1', 'refute']);
    await scenario.volley(['finding', '1.2', 'accept']);
    const approved = await scenario.told();
    assert.match(approved, /Why: what blocked was refuted or accepted/);
    assert.doesNotMatch(approved, /blocking finding/);
    await scenario.volley(['finding', '1.2', 'reopen']);
    const reopened = await scenario.told();
    assert.match(reopened, /Why: 1 blocking finding\n/);
    assert.doesNotMatch(reopened, /what blocked was refuted/);
  });

  test('that leaves one of two blocking, the ending and the document tell of one', async () => {
    await using scenario = await reviewed();
    await scenario.volley(['finding', '1.1', 'refute']);
    assert.doesNotMatch(await scenario.told(), /2 blocking findings/);
  });
});

describe('what was refuted', () => {
  test('at one place says nothing about the same words and the same code at another', async () => {
    const code = (count: number): string =>
      Array.from({ length: count }, (_, line) => (line === 9 || line === 44 ? '  return null;' : `export const v${line} = ${line};`)).join(
        '\n',
      );
    const swallowed = (line: number): object => issue('The error is swallowed here.', { file: 'src/limit.js', line });
    const untested = issue('Tests are missing for the parser.', { severity: 'critical', file: 'src/parser.js', line: 1 });
    await using scenario = await withArbiter({
      author: turns({ write: { 'src/limit.js': code(40), 'src/parser.js': 'one\n' } }),
      reviewer: answers(rejected(untested, swallowed(10)), rejected(swallowed(45))),
      fixer: turns({
        write: { 'src/limit.js': code(60), 'src/parser.js': 'two\n' },
        result: { resolutions: [{ findingId: '1.2', status: 'disputed', note: 'Line 10 has no error to swallow.' }] },
      }),
      arbiter: ruling('refuted', '1.2'),
    });
    const loop = (await scenario.volley(['run', 'Write it', '--max-rounds', '2', '--json'])).loop();
    assert.deepEqual(
      loop.findings.map(({ line, status, blocking }) => [line, status, blocking]),
      [
        [1, 'fixed', false],
        [10, 'refuted', false],
        [45, 'open', true],
      ],
    );
    const [, one, other] = (await scenario.journal()).flatMap(({ event }) =>
      event.type === 'reviewed' && event.outcome.kind === 'review' ? event.outcome.raised.map(({ codeHash }) => codeHash) : [],
    );
    assert.notEqual(one, other, 'the hash knows which of two equal lines is meant');
  });

  test('is told to programs, with an object at the end also where there is nothing', async () => {
    await using scenario = await makeScenario({
      agents: { author: AUTHOR, reviewer: answers(rejected(WRONG)), fixer: disputing() },
      config: { policy: { maxRounds: 1 } },
    });
    const told = async (...words: readonly string[]): Promise<readonly unknown[]> =>
      (await scenario.volley(['memory', ...words, '--json']))
        .objects()
        .map(({ type, v, count, findingId }) => [type, v, count ?? findingId]);
    assert.deepEqual(await told(), [['memories', 1, 0]]);
    await scenario.volley(['run', 'Write it']);
    await scenario.volley(['finding', '1.1', 'refute']);
    assert.deepEqual(await told(), [
      ['memory', 1, '1.1'],
      ['memories', 1, 1],
    ]);
    assert.deepEqual(await told('forget', '1.1'), [['forgotten', 1, '1.1']]);
  });

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
