import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkEnd, checkInvariants, countResults, killGroup, makeStage, PHASES } from '../support/interrupt.ts';
import type { Phase, Stage } from '../support/interrupt.ts';
import { eventually } from '../support/scenario.ts';
import { userState } from '../support/user-state.ts';

/** The state that a loop shows while it is stopped in a phase, first where it was asked to stop, then where it was killed. */
const STOPPED: Readonly<Record<Phase, readonly [string, string]>> = {
  setup: ['implementing', 'implementing'],
  author: ['implementing', 'implementing'],
  gate: ['pending_self_review', 'pending_self_review'],
  reviewer: ['pending_self_review', 'self_reviewing'],
  fixer: ['self_review_failed', 'refining'],
};

/** Set-up, author and fixer ran twice because they were interrupted once; gate and reviewer once more for the second round. */
const STARTS: Readonly<Record<Phase, number>> = { setup: 2, author: 2, gate: 3, reviewer: 3, fixer: 2 };

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} in every phase stops with 130, keeps unfinished work, and the loop goes on to its approval`, async () => {
    await using stage = await makeStage();
    const before = await userState(stage.root);
    let args = ['run', 'Write it'];
    for (const phase of PHASES) {
      const running = await stage.untilHanging(phase, args);
      process.kill(running.pid, signal);
      const ended = await running.ended;
      assert.equal(ended.code, 130, ended.stderr);
      assert.match(ended.stdout, /‖ Task #1 is stopped in \w+; .*\n(?:.*\n)*  next    volley work 1/);
      assert.match(ended.stdout, /Interrupted: stopped by hand/);
      await checkStopped(stage, STOPPED[phase][0]);
      args = ['work', '1'];
    }
    assert.deepEqual(await stage.partials(), { 'refs/volley/1/partial-1': 'wrong', 'refs/volley/1/partial-2': 'right' });
    await checkContinued(stage, before);
  });
}

for (const target of ['process', 'process group'] as const) {
  test(`kill -9 of the ${target} in every phase leaves no process behind, and the loop goes on to its approval`, async () => {
    await using stage = await makeStage();
    const before = await userState(stage.root);
    let args = ['run', 'Write it'];
    for (const phase of PHASES) {
      const running = await stage.untilHanging(phase, args);
      if (target === 'process') process.kill(running.pid, 'SIGKILL');
      else killGroup(running.pid);
      assert.equal((await running.ended).signal, 'SIGKILL');
      await checkStopped(stage, STOPPED[phase][1]);
      args = ['work', '1'];
    }
    await checkContinued(stage, before);
    assert.deepEqual(await stage.partials(), { 'refs/volley/1/partial-1': 'wrong', 'refs/volley/1/partial-2': 'right' });
  });
}

test('a second Ctrl-C does not wait for an agent that refuses to end', async () => {
  await using stage = await makeStage();
  const before = await userState(stage.root);
  const running = await stage.untilHanging('author', ['run', 'Write it'], 'stubborn');
  let presses = 0;
  const pressing = setInterval(() => {
    presses += 1;
    killGroup(running.pid, 'SIGINT');
  }, 100);
  const ended = await running.ended.finally(() => clearInterval(pressing));
  assert.equal(ended.code, 130);
  assert.ok(presses > 1);
  assert.doesNotMatch(ended.stdout, /Interrupted/, 'it ended before the agent did');
  await checkStopped(stage, 'implementing');
  assert.equal((await stage.run(['work', '1']).ended).code, 0);
  await checkEnd(stage, before);
});

test('work on several tasks stops with the one that was interrupted', async () => {
  await using stage = await makeStage();
  const first = await stage.untilHanging('author', ['run', 'Write it']);
  process.kill(first.pid, 'SIGINT');
  await first.ended;
  const second = await stage.untilHanging('author', ['run', 'Write it again']);
  process.kill(second.pid, 'SIGINT');
  await second.ended;
  const both = await stage.untilHanging('author', ['work', '1', '2']);
  process.kill(both.pid, 'SIGINT');
  assert.equal((await both.ended).code, 130);
  assert.equal(await stage.starts('author'), 3, 'the author of task 2 was not started');
  assert.equal((await stage.volley(['work'])).code, 0);
  assert.deepEqual([(await stage.loop(1)).state, (await stage.loop(2)).state], ['approved', 'approved']);
});

/** Nobody drives the loop, nothing runs, and every door says so. */
async function checkStopped(stage: Stage, state: string): Promise<void> {
  await eventually('every process is gone', async () => await Promise.resolve(stage.processes().length === 0));
  const { loop } = await checkInvariants(stage);
  assert.equal(loop.state, state);
  const [status, show] = await Promise.all([stage.volley(['status']), stage.volley(['show', '1'])]);
  assert.match(status.stdout, /‖ 1\. .* in_progress \(cycle \d\/3\) {2}stopped/);
  assert.match(status.stdout, /stopped {4}volley work 1/);
  assert.match(show.stdout, new RegExp(`‖ Task #1 is stopped in ${state};`));
  assert.match(show.stdout, /next {4}volley work 1/);
}

/** The loop goes on to its approval, and no session that stands in the journal ran twice. */
async function checkContinued(stage: Stage, before: Readonly<Record<string, string>>): Promise<void> {
  const ended = await stage.run(['work', '1']).ended;
  assert.equal(ended.code, 0, ended.stdout + ended.stderr);
  const journal = await checkEnd(stage, before);
  assert.deepEqual(countResults(journal), { authored: 1, gated: 2, reviewed: 2, fixed: 1 });
  const starts = await Promise.all(PHASES.map(async (phase) => [phase, await stage.starts(phase)] as const));
  assert.deepEqual(Object.fromEntries(starts), STARTS);
}
