import assert from 'node:assert/strict';
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { checkEnd, checkInvariants, countResults, makeStage, thaw } from '../support/interrupt.ts';
import type { Stage } from '../support/interrupt.ts';
import { answers, APPROVED, eventually, makeScenario, turns } from '../support/scenario.ts';
import { userState } from '../support/user-state.ts';

test('a loop has one driver; a second one is told who that is, and goes away', async () => {
  await using stage = await makeStage();
  const driver = await stage.untilHanging('author', ['run', 'Write it']);
  const second = await stage.volley(['work', '1']);
  assert.equal(second.code, 1);
  assert.match(second.stderr, new RegExp(`Task 1 is driven by process ${driver.pid}\\.`));
  const asProgram = await stage.volley(['work', '1', '--json']);
  assert.deepEqual([asProgram.code, asProgram.objects().at(-1)?.['code']], [1, 'busy']);
  const all = await stage.volley(['work']);
  assert.deepEqual([all.code, all.stdout], [0, `Task 1 is driven by process ${driver.pid} already.\n`]);
  assert.equal(await stage.starts('author'), 1);
});

test('other processes see that a loop is driven, and read all of it meanwhile', async () => {
  await using stage = await makeStage();
  await stage.untilHanging('reviewer', ['run', 'Write it']);
  const [status, show, asProgram, log, why, diff] = await Promise.all(
    [['status'], ['show', '1'], ['show', '1', '--json'], ['log', '1'], ['why', '1'], ['diff', '1']].map(
      async (args) => await stage.volley(args),
    ),
  );
  assert.match(status?.stdout ?? '', /→ 1\. .* in_progress \(cycle 1\/3\)/);
  assert.doesNotMatch(status?.stdout ?? '', /stopped/);
  assert.match(show?.stdout ?? '', /→ Task #1 is self_reviewing; a process drives it\n(?:.*\n)*  next    volley log 1/);
  assert.deepEqual([asProgram?.loop().state, asProgram?.loop().next], ['self_reviewing', null]);
  assert.match(log?.stdout ?? '', /started +self_reviewing +Running review/);
  assert.match(why?.stdout ?? '', /review 1, reviewer/);
  assert.match(diff?.stdout ?? '', /^\+wrong$/m);
});

test('a decision that nobody asked for is refused while a loop runs, and disturbs nothing', async () => {
  await using stage = await makeStage();
  await stage.untilHanging('author', ['run', 'Write it']);
  const { code, stderr } = await stage.volley(['decide', '1', 'accept']);
  assert.equal(code, 1);
  assert.match(stderr, /Task 1 asks nothing\./);
  assert.equal((await stage.loop()).state, 'implementing');
});

test('cancel ends the agent that another process runs, keeps its work and leaves nothing behind', async () => {
  await using stage = await makeStage();
  const before = await userState(stage.root);
  const driver = await stage.untilHanging('author', ['run', 'Write it']);
  const cancelled = await stage.volley(['cancel', '1', '--reason', 'not needed']);
  assert.equal(cancelled.code, 0, cancelled.stderr);
  const ended = await driver.ended;
  assert.equal(ended.code, 3, ended.stderr);
  assert.match(ended.stdout, /Task #1 is cancelled/);
  await checkPutAway(stage, before);
  assert.deepEqual(await stage.partials(), { 'refs/volley/1/partial-1': 'wrong' });
});

test('cancel puts away what a driver left that was killed', async () => {
  await using stage = await makeStage();
  const before = await userState(stage.root);
  const driver = await stage.untilHanging('author', ['run', 'Write it']);
  process.kill(driver.pid, 'SIGKILL');
  await driver.ended;
  assert.notDeepEqual(stage.leftovers(), []);
  assert.equal((await stage.volley(['cancel', '1'])).code, 0);
  await checkPutAway(stage, before);
  assert.deepEqual(await stage.partials(), { 'refs/volley/1/partial-1': 'wrong' });
});

test('a retry from another process makes the driver begin the step again', async () => {
  await using stage = await makeStage();
  const before = await userState(stage.root);
  const driver = await stage.untilHanging('fixer', ['run', 'Write it']);
  const retried = await stage.volley(['retry', '1']);
  assert.equal(retried.code, 0, retried.stderr);
  assert.match(retried.stdout, /a process drives it/);
  assert.equal((await driver.ended).code, 0);
  assert.equal(await stage.starts('fixer'), 2);
  assert.deepEqual(countResults(await checkEnd(stage, before)), { authored: 1, gated: 2, reviewed: 2, fixed: 1 });
});

test('a loop that is taken over in mid-work rests, and goes on when it is handed back', async () => {
  await using stage = await makeStage();
  const before = await userState(stage.root);
  const driver = await stage.untilHanging('reviewer', ['run', 'Write it']);
  assert.equal((await stage.volley(['takeover', '1'])).code, 0);
  assert.equal((await driver.ended).code, 3);
  assert.equal((await checkInvariants(stage)).loop.state, 'blocked');
  const handedBack = await stage.volley(['handback', '1']);
  assert.equal(handedBack.code, 0, handedBack.stdout + handedBack.stderr);
  await checkEnd(stage, before);
});

test('a result that comes after the loop was cancelled is refused, even an approval', async () => {
  await using stage = await makeStage();
  const before = await userState(stage.root);
  await stage.run(['run', 'Write it'], { VOLLEY_FAILPOINT: 'kill:after fixed' }).ended;
  const driver = await stage.untilFrozen('before reviewed', ['work', '1', '--exit-code']);
  assert.doesNotMatch((await stage.volley(['status'])).stdout, /stopped/, 'a driver that stands still is not a dead one');
  assert.equal((await stage.volley(['cancel', '1'])).code, 0);
  assert.equal((await thaw(driver)).code, 3);
  const { loop, journal } = await checkInvariants(stage);
  assert.equal(loop.approval, null);
  assert.deepEqual(
    journal.slice(-2).map(({ event }) => event.type),
    ['overridden', 'refused'],
  );
  await checkPutAway(stage, before);
});

test('the work of a session that was superseded is refused, its session is booked, and the step is done again', async () => {
  await using stage = await makeStage();
  const before = await userState(stage.root);
  const driver = await stage.untilFrozen('before authored', ['run', 'Write it']);
  assert.equal((await stage.volley(['retry', '1', '--later'])).code, 0);
  assert.equal((await thaw(driver)).code, 0);
  const journal = await checkEnd(stage, before);
  const refused = journal.flatMap(({ event }) => (event.type === 'refused' ? [[event.event, event.session?.role]] : []));
  assert.deepEqual(refused, [['authored', 'author']]);
  assert.deepEqual(countResults(journal), { authored: 1, gated: 2, reviewed: 2, fixed: 1 });
  assert.equal(await stage.starts('author'), 2);
});

test('an answer that is given while the driver is about to leave is not left lying', async () => {
  await using stage = await makeStage();
  const before = await userState(stage.root);
  const driver = await stage.untilFrozen('after escalated', ['run', 'Write it', '--max-rounds', '1']);
  const decided = await stage.volley(['decide', '1', 'one-more-round']);
  assert.equal(decided.code, 0, decided.stderr);
  assert.match(decided.stdout, /a process drives it/);
  assert.equal((await thaw(driver)).code, 0);
  await checkEnd(stage, before);
});

test('people add, comment and edit while another process drives, which takes that into account and drives nothing else', async () => {
  await using stage = await makeStage();
  const driver = await stage.untilHanging('author', ['run', 'Write it']);
  const words = await Promise.all([
    stage.volley(['add', 'Write more', '-a', '--depends-on', '1']),
    stage.volley(['comment', '1', 'Mind the metre.']),
    stage.volley(['edit', '1', '--max-cycles', '4']),
  ]);
  assert.deepEqual(
    words.map(({ code }) => code),
    [0, 0, 0],
    words.map(({ stderr }) => stderr).join('\n'),
  );
  assert.equal((await stage.volley(['retry', '1'])).code, 0);
  assert.equal((await driver.ended).code, 0);
  const prompts = (await stage.calls('author')).map(({ prompt }) => prompt.includes('Mind the metre.'));
  assert.deepEqual(prompts, [false, true]);
  const { loop } = await checkInvariants(stage);
  assert.deepEqual([loop.state, loop.maxRounds], ['approved', 4]);
  assert.equal((await stage.loop(2)).waiting?.for, 'dependency');
  assert.equal((await stage.volley(['work'])).code, 0);
  const second = await checkInvariants(stage, 2);
  assert.deepEqual([second.journal[1]?.event.type, second.loop.start.commit], ['released', loop.head?.commit]);
});

test('two processes drive two loops of one project at the same time', async () => {
  const meeting = mkdtempSync(join(tmpdir(), 'volley-meeting-'));
  // Each author waits for the other one, so neither would end if they ran one after the other.
  const meet = `touch ${meeting}/$VOLLEY_TASK; while [ ! -e ${meeting}/1 ] || [ ! -e ${meeting}/2 ]; do sleep 0.02; done`;
  await using scenario = await makeScenario({
    agents: { author: turns({ run: `${meet}; echo $VOLLEY_TASK > code.txt`, result: {} }), reviewer: answers(APPROVED) },
  });
  const ends = await Promise.all(['One', 'Another'].map(async (task) => await scenario.volley(['run', task, '--json'])));
  rmSync(meeting, { recursive: true });
  assert.deepEqual(
    ends.map((end) => [end.code, end.loop().state]),
    [
      [0, 'approved'],
      [0, 'approved'],
    ],
  );
  for (const end of ends) {
    const { branch, id } = end.loop();
    assert.equal(await scenario.repository.git('show', `${branch}:code.txt`), String(id));
  }
});

test('eight processes that start loops in a new project at once get eight numbers', async () => {
  await using scenario = await makeScenario({ agents: { reviewer: answers(APPROVED) } });
  await scenario.repository.commit('second', { 'code.txt': 'right\n' });
  const ends = await Promise.all(
    Array.from({ length: 8 }, async () => await scenario.volley(['review', '--range', 'HEAD~1..HEAD', '--json'])),
  );
  assert.deepEqual(
    ends.map((end) => end.code),
    Array.from({ length: 8 }, () => 0),
    ends.map((end) => end.stdout.slice(-300) + end.stderr).join('\n'),
  );
  assert.deepEqual(
    ends.map((end) => end.loop().id).toSorted((one, other) => one - other),
    [1, 2, 3, 4, 5, 6, 7, 8],
  );
});

test('two processes share what is pending, and nothing is done twice', async () => {
  await using stage = await makeStage();
  for (const title of ['One', 'Two', 'Three']) await stage.run(['run', title], { VOLLEY_FAILPOINT: 'kill:after created' }).ended;
  const ends = await Promise.all([stage.run(['work']).ended, stage.run(['work']).ended]);
  assert.deepEqual(
    ends.map((end) => end.code),
    [0, 0],
    ends.map((end) => end.stderr).join('\n'),
  );
  for (const id of [1, 2, 3]) {
    const { loop, journal } = await checkInvariants(stage, id);
    assert.equal(loop.state, 'approved');
    assert.deepEqual(countResults(journal), { authored: 1, gated: 2, reviewed: 2, fixed: 1 });
  }
  assert.equal(await stage.starts('author'), 3);
});

test('the pid of a dead driver that another program got by now does not hold the loop', async () => {
  await using stage = await makeStage();
  const before = await userState(stage.root);
  await stage.run(['run', 'Write it'], { VOLLEY_FAILPOINT: 'kill:after started' }).ended;
  writeOwner(stage, { pid: process.pid, startedAt: 'another boot/1', host: hostname() });
  assert.match((await stage.volley(['status'])).stdout, /in_progress \(cycle 1\/3\) {2}stopped/);
  assert.equal((await stage.volley(['work', '1'])).code, 0);
  await checkEnd(stage, before);
});

test('a driver on another machine is not taken for dead', async () => {
  await using stage = await makeStage();
  await stage.run(['run', 'Write it'], { VOLLEY_FAILPOINT: 'kill:after started' }).ended;
  writeOwner(stage, { pid: 1, startedAt: 'another boot/1', host: 'another-machine' });
  const { code, stderr } = await stage.volley(['work', '1']);
  assert.equal(code, 1);
  assert.match(stderr, /Task 1 is driven by process 1/);
});

for (const [damage, damaged] of Object.entries({ 'cut off': cutOff, 'overwritten in the middle': overwrite })) {
  test(`a write-ahead log that is ${damage} costs at most the newest steps, and the loop goes on`, async () => {
    await using stage = await makeStage();
    const before = await userState(stage.root);
    const driver = await stage.untilHanging('author', ['run', 'Write it']);
    process.kill(driver.pid, 'SIGKILL');
    await driver.ended;
    damaged(join(stage.root, '.volley', 'volley.db-wal'));
    assert.equal((await stage.volley(['status'])).code, 0);
    await checkInvariants(stage);
    assert.equal((await stage.volley(['work', '1'])).code, 0);
    await checkEnd(stage, before);
  });
}

function cutOff(file: string): void {
  const fd = openSync(file, 'r+');
  ftruncateSync(fd, statSync(file).size - 100);
  closeSync(fd);
}

function overwrite(file: string): void {
  const fd = openSync(file, 'r+');
  writeSync(fd, Buffer.alloc(5000, 0xa5), 0, 5000, statSync(file).size - 9000);
  closeSync(fd);
}

function writeOwner(stage: Stage, owner: { readonly pid: number; readonly startedAt: string; readonly host: string }): void {
  const db = new DatabaseSync(join(stage.root, '.volley', 'volley.db'));
  db.prepare('UPDATE jobs SET owner_pid = ?, owner_started_at = ?, owner_host = ?').run(owner.pid, owner.startedAt, owner.host);
  db.close();
}

/** A cancelled loop leaves its journal, its branch and its unfinished work, and nothing else. */
async function checkPutAway(stage: Stage, before: Readonly<Record<string, string>>): Promise<void> {
  const { loop } = await checkInvariants(stage);
  assert.equal(loop.state, 'cancelled');
  await eventually('every process is gone', async () => await Promise.resolve(stage.processes().length === 0));
  assert.deepEqual(stage.leftovers(), []);
  assert.deepEqual(await userState(stage.root), before);
}
