import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linePatch } from '../../src/core/line-patch.ts';
import { checkEnd, checkInvariants, countResults, makeStage } from '../support/interrupt.ts';
import type { Ended, Stage } from '../support/interrupt.ts';
import { answers, APPROVED, eventually, issue, makeScenario, turns } from '../support/scenario.ts';
import { userState } from '../support/user-state.ts';

const RESULTS = { authored: 1, gated: 2, reviewed: 2, fixed: 1 };

/** Every failpoint that a loop comes to, in that order; those of a driver that takes over come after the first action has begun. */
async function findFailpoints(): Promise<readonly string[]> {
  await using stage = await makeStage();
  const { code, stderr } = await stage.run(['run', 'Write it'], { VOLLEY_FAILPOINT: 'list:*' }).ended;
  assert.equal(code, 0, stderr);
  const reached = [...new Set([...stderr.matchAll(/^failpoint (.+)$/gm)].map(([, name = '']) => name))];
  const at = reached.indexOf('after started') + 1;
  return reached.toSpliced(at, 0, 'before interrupted', 'write interrupted', 'after interrupted');
}

const failpoints = await findFailpoints();

test('a loop whose driver is killed at every failpoint, one after the other, ends approved with every step journalled once', async () => {
  await using stage = await makeStage();
  const before = await userState(stage.root);
  let args = ['run', 'Write it'];
  for (const name of failpoints) {
    const ended = await stage.run(args, { VOLLEY_FAILPOINT: `kill:${name}` }).ended;
    assert.equal(ended.signal, 'SIGKILL', `the loop did not come to "${name}": ${ended.stdout}${ended.stderr}`);
    await eventually('every process is gone', async () => await Promise.resolve(stage.processes().length === 0));
    await checkInvariants(stage);
    args = ['work', '1'];
  }
  await finish(stage, before);
});

test('a loop that is broken by an error at every failpoint says so each time and ends approved', async () => {
  await using stage = await makeStage();
  const before = await userState(stage.root);
  let args = ['run', 'Write it'];
  // An error while folders are removed does not hold the loop up; the next test has that one.
  for (const name of failpoints.filter((one) => !one.endsWith('interrupted') && one !== 'put away')) {
    const ended = await stage.run(args, { VOLLEY_FAILPOINT: `throw:${name}` }).ended;
    assert.equal(ended.code, 1, `the loop did not come to "${name}": ${ended.stdout}${ended.stderr}`);
    assert.match(ended.stdout + ended.stderr, new RegExp(`failpoint ${name}`));
    const { loop } = await checkInvariants(stage);
    args = [loop.state === 'failed' ? 'retry' : 'work', '1'];
  }
  await finish(stage, before);
});

test('a disk that is full at any failpoint pauses the loop and marks nothing as failed', async () => {
  await using stage = await makeStage();
  const before = await userState(stage.root);
  let args = ['run', 'Write it'];
  for (const name of [
    'before started',
    'checked out',
    'committed author',
    'write authored',
    'publish',
    'gate ran',
    'between documents',
    'before finished',
  ]) {
    const ended = await stage.run(args, { VOLLEY_FAILPOINT: `full:${name}` }).ended;
    assert.equal(ended.code, 1, `the loop did not come to "${name}": ${ended.stdout}${ended.stderr}`);
    assert.match(
      ended.stderr,
      /^error: The disk is full\.\n  Free some space, then run the same command again; nothing was lost\.\n$/,
      name,
    );
    const { state, waiting } = (await checkInvariants(stage)).loop;
    assert.notEqual(state, 'failed', name);
    assert.equal(waiting?.for, 'disk', name);
    args = ['work', '1'];
  }
  await finish(stage, before);
});

test('a loop that is delayed at every failpoint ends as any other', async () => {
  await using stage = await makeStage();
  const before = await userState(stage.root);
  const ended = await stage.run(['run', 'Write it'], { VOLLEY_FAILPOINT: 'delay:*' }).ended;
  assert.equal(ended.code, 0, ended.stderr);
  assert.deepEqual(countResults(await checkEnd(stage, before)), RESULTS);
});

test('a loop is approved although its folders cannot be removed', async () => {
  await using stage = await makeStage();
  const ended = await stage.run(['run', 'Write it'], { VOLLEY_FAILPOINT: 'throw:put away' }).ended;
  assert.equal(ended.code, 0, ended.stderr);
  assert.equal((await checkInvariants(stage)).loop.state, 'approved');
});

test('a branch that was not published when the driver was killed is published although nothing else is left to do', async () => {
  await using scenario = await makeScenario({
    agents: { author: turns({ write: { 'code.txt': 'right\n' }, result: {} }), reviewer: answers(APPROVED) },
    config: { review: { enabled: false } },
  });
  await scenario.volley(['run', 'Write it'], { env: { VOLLEY_FAILPOINT: 'kill:publish' } });
  assert.equal((await scenario.volley(['work', '1'])).code, 0);
  const { state, branch, head } = await scenario.loop();
  assert.equal(state, 'ready_for_human_review');
  assert.equal(await scenario.repository.git('rev-parse', branch), head);
});

test('a branch that cannot be published does not tear down the action that runs meanwhile', async () => {
  await using stage = await makeStage();
  const before = await userState(stage.root);
  const ended = await stage.run(['run', 'Write it'], { VOLLEY_FAILPOINT: 'throw:publish' }).ended;
  assert.equal(ended.code, 1);
  assert.deepEqual(countResults((await checkInvariants(stage)).journal), { authored: 1, gated: 1, reviewed: 0, fixed: 0 });
  await finish(stage, before);
});

test('a suggestion that was committed when its process was killed is followed like every commit of a person', async () => {
  const patch = linePatch('code.txt', 'left\n', { line: 1, removed: 1, added: ['right'] });
  const nit = issue('It is the wrong side.', { file: 'code.txt', line: 1, severity: 'suggestion', patch });
  await using scenario = await makeScenario({
    agents: { author: turns({ write: { 'code.txt': 'left\n' }, result: {} }), reviewer: answers({ ...APPROVED, issues: [nit] }, APPROVED) },
  });
  assert.equal((await scenario.volley(['run', 'Write it'])).code, 0);
  await scenario.volley(['finding', '1.1', 'apply'], { env: { VOLLEY_FAILPOINT: 'kill:applied' } });
  const { branch } = await scenario.loop();
  assert.equal(await scenario.repository.git('show', `${branch}:code.txt`), 'right');
  assert.equal((await scenario.volley(['takeover', '1'])).code, 0);
  const end = (await scenario.volley(['handback', '1', '--json'])).loop();
  assert.deepEqual([end.state, end.rounds.length, end.head], ['approved', 2, await scenario.repository.git('rev-parse', branch)]);
});

async function finish(stage: Stage, before: Readonly<Record<string, string>>): Promise<void> {
  const ended: Ended = await stage.run(['work', '1']).ended;
  assert.equal(ended.code, 0, ended.stdout + ended.stderr);
  assert.deepEqual(countResults(await checkEnd(stage, before)), RESULTS);
}
