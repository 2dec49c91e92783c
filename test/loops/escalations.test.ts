import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { answers, APPROVED, eventually, issue, makeScenario, rejected, turns } from '../support/scenario.ts';
import type { Scenario, ScenarioOptions, ScriptedAgent, Turn } from '../support/scenario.ts';
import { writeAgent } from '../support/scripted-agent.ts';

const AUTHOR = turns({ write: { 'a.txt': 'one\n' } });
const FIXER = turns({ run: 'echo more >> a.txt', result: { summary: 'mended' } });
const BAD = rejected(issue('One is not enough.', { file: 'a.txt', line: 1 }));
const ALWAYS = ['fix-manually', 'accept'];

/** Runs the task and gives the loop, which must have come to this escalation. */
async function escalate(scenario: Scenario, reason: string, args: readonly string[] = []): ReturnType<Scenario['loop']> {
  const ran = await scenario.volley(['run', 'Add a', ...args]);
  assert.equal(ran.code, 2, ran.stdout + ran.stderr);
  const loop = await scenario.loop();
  assert.equal(loop.escalation?.reason, reason, ran.stdout);
  assert.equal(loop.state, 'needs_human');
  assert.equal(loop.approval, null);
  return loop;
}

async function decide(scenario: Scenario, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await scenario.volley(['decide', '1', ...args]);
  assert.equal(code, 0, stdout + stderr);
  return stdout;
}

function scenarioWith(agents: Readonly<Record<string, ScriptedAgent>>, config: ScenarioOptions['config'] = {}): Promise<Scenario> {
  return makeScenario({ agents: { author: AUTHOR, reviewer: answers(APPROVED), fixer: FIXER, ...agents }, config });
}

describe('a loop without progress', { concurrency: 3 }, () => {
  test('tells a fixer that changed nothing so, once, and then asks; another agent can take over', async () => {
    await using scenario = await scenarioWith({
      reviewer: answers(BAD, APPROVED),
      fixer: turns({ result: { summary: 'done' } }),
      other: FIXER,
    });
    const loop = await escalate(scenario, 'no-progress');
    assert.deepEqual(
      [loop.finalVerdict, loop.escalation?.choices],
      ['CHANGES_REQUESTED', [...ALWAYS, 'one-more-round', 'reassign', 'cancel']],
    );
    const [first, second, ...more] = await scenario.calls('fixer');
    assert.equal(more.length, 0);
    const told = /left the files exactly as they were/;
    assert.doesNotMatch(first?.prompt ?? '', told);
    assert.match(second?.prompt ?? '', told);
    const missing = await scenario.volley(['decide', '1', 'reassign']);
    assert.deepEqual([missing.code, /needs the name of an agent/.test(missing.stderr)], [1, true]);
    await decide(scenario, 'reassign', '--agent', 'other');
    assert.deepEqual([(await scenario.loop()).state, (await scenario.calls('other')).length], ['approved', 1]);
  });

  test('asks when the author changed nothing twice, and offers nothing to accept', async () => {
    await using scenario = await scenarioWith({ author: turns({ result: { summary: 'done' } }) });
    const loop = await escalate(scenario, 'no-progress');
    assert.deepEqual([loop.finalVerdict, loop.head, loop.rounds], [null, null, []]);
    assert.equal(loop.escalation?.choices.includes('accept'), false);
    assert.equal((await scenario.calls('author')).length, 2);
    const accepted = await scenario.volley(['decide', '1', 'accept']);
    assert.equal(accepted.code, 1);
  });

  test('asks when the fixes of a round come back to the code that it reviewed', async () => {
    const fixer = turns({ write: { 'a.txt': 'broken\n' } }, { write: { 'a.txt': 'one\n' } });
    await using scenario = await scenarioWith(
      { reviewer: answers(BAD), fixer },
      { gates: [{ name: 'sound', run: '! grep -q broken a.txt' }] },
    );
    await escalate(scenario, 'no-progress');
    assert.deepEqual([(await scenario.calls('fixer')).length, (await scenario.calls('reviewer')).length], [2, 1]);
  });

  test('asks when the code is again as it was in an earlier round', async () => {
    const fixer = turns({ write: { 'a.txt': 'two\n' } }, { write: { 'a.txt': 'one\n' } }, { write: { 'a.txt': 'three\n' } });
    await using scenario = await scenarioWith({ reviewer: answers(BAD, BAD, APPROVED), fixer });
    const loop = await escalate(scenario, 'oscillating');
    assert.match(loop.escalation?.why ?? '', /round 1/);
    assert.deepEqual([loop.rounds.length, loop.escalation?.choices], [2, [...ALWAYS, 'one-more-round', 'reassign', 'cancel']]);
    await decide(scenario, 'one-more-round');
    assert.deepEqual([(await scenario.loop()).state, (await scenario.loop()).rounds.length], ['approved', 3]);
  });

  test('asks when the author never says that it is done; to continue gives it as many turns again', async () => {
    const author = turns(...[1, 2, 3, 4].map((n): Turn => ({ write: { 'a.txt': `${n}\n` }, result: { taskComplete: n === 4 } })));
    await using scenario = await scenarioWith({ author }, { policy: { maxAuthorIterations: 2 } });
    const loop = await escalate(scenario, 'not-complete');
    assert.deepEqual(loop.escalation?.choices, [...ALWAYS, 'continue', 'reassign', 'cancel']);
    assert.equal((await scenario.calls('author')).length, 2);
    await decide(scenario, 'continue');
    assert.deepEqual([(await scenario.loop()).state, (await scenario.calls('author')).length], ['approved', 4]);
  });
});

describe('red gates', { concurrency: 2 }, () => {
  const gates = [{ name: 'sound', run: '[ ! -e a.txt ] || grep -q sound a.txt' }];

  test('go to a person after the allowed fixes, without a review; they can be accepted in that name', async () => {
    await using scenario = await scenarioWith({}, { gates, policy: { maxGateFixes: 1 } });
    const loop = await escalate(scenario, 'gates-red');
    assert.deepEqual(loop.escalation?.choices, [...ALWAYS, 'retry', 'review-anyway', 'cancel']);
    assert.deepEqual([(await scenario.calls('fixer')).length, (await scenario.calls('reviewer')).length], [1, 0]);
    await decide(scenario, 'review-anyway', '--reason', 'The gate is wrong.');
    const { approval, state } = await scenario.loop();
    assert.equal(state, 'approved');
    const accepted = { name: 'sound', passed: false, redBefore: false, acceptedBy: 'Test Person' };
    assert.deepEqual(approval?.by === 'review' ? approval.proof.gates : null, [accepted]);
  });

  test('are tried again on the word of a person, with all fixes anew', async () => {
    const fixer = turns({ run: 'echo more >> a.txt' }, { run: 'echo sound >> a.txt' });
    await using scenario = await scenarioWith({ fixer }, { gates, policy: { maxGateFixes: 1 } });
    await escalate(scenario, 'gates-red');
    await decide(scenario, 'retry');
    assert.deepEqual([(await scenario.loop()).state, (await scenario.calls('fixer')).length], ['approved', 2]);
  });
});

describe('no verdict', () => {
  const bad: Readonly<Record<string, Turn>> = {
    silent: {},
    garbage: { result: 'lorem ipsum', print: 'dolor sit amet' },
    'broken-json': { result: '{"passed": true, "issues": [' },
    crashed: { result: APPROVED, exit: 1 },
    'text-approval': { print: 'All is well.\n\n**APPROVED**\n' },
    'verdict-by-text': { print: '**Verdict: APPROVED**\n' },
    'echoed-prompt': { run: 'cat "$calls/$call/prompt"; cat "$calls/$call/prompt" > "$VOLLEY_RESULT"' },
    disapproved: { result: '**Verdict: DISAPPROVED**\n' },
    'foreign-nonce': { print: '```json volley-0123456789abcdef\n{"passed": true}\n```\n' },
    'rejection-of-nothing': { result: { passed: false } },
    'unknown-word': { result: { verdict: 'fine by me' } },
  };
  let scenario: Scenario;

  before(async () => {
    const agents = Object.fromEntries(Object.entries(bad).map(([name, turn]) => [name, turns(turn)]));
    scenario = await makeScenario({ agents: { ...agents, good: answers(APPROVED) } });
    await scenario.repository.git('checkout', '--quiet', '-b', 'feature');
    await scenario.repository.commit('feature', { 'a.txt': 'one\n' });
  });
  after(async () => await scenario[Symbol.asyncDispose]());

  for (const name of Object.keys(bad)) {
    test(`comes from a reviewer that is ${name}: it is asked once more, then a person is, and no round is spent`, async () => {
      const ran = await scenario.volley(['review', '--branch', 'feature', '--reviewer', name, '--json']);
      const loop = ran.loop();
      assert.deepEqual(
        [ran.code, loop.escalation?.reason, loop.approval, loop.finalVerdict, loop.rounds],
        [2, 'no-verdict', null, null, []],
      );
      assert.deepEqual(loop.escalation?.choices, [...ALWAYS, 'retry', 'reassign', 'cancel']);
      assert.equal((await scenario.calls(name)).length, 2);
    });
  }

  test('leads to the fallback, whose approval counts', async () => {
    const roles = { reviewer: ['garbage'], fallback: ['silent', 'good'] };
    const agents = { garbage: turns({ result: 'lorem ipsum' }), silent: turns({}), good: answers(APPROVED) };
    await using own = await makeScenario({ agents: { author: AUTHOR, ...agents }, config: { roles } });
    const ran = await own.volley(['run', 'Add a', '--json']);
    const { approval, rounds } = ran.loop();
    assert.deepEqual([ran.code, approval?.by === 'review' ? approval.proof.agent : null, rounds.length], [0, 'good', 1]);
    assert.deepEqual(await Promise.all(['garbage', 'silent', 'good'].map(async (name) => (await own.calls(name)).length)), [2, 1, 1]);
  });

  test('can be tried again, and given to another reviewer', async () => {
    const ran = await scenario.volley(['review', '--branch', 'feature', '--reviewer', 'garbage', '--json']);
    const id = String(ran.loop().id);
    const asked = (await scenario.calls('garbage')).length;
    assert.equal((await scenario.volley(['decide', id, 'retry'])).code, 2);
    assert.equal((await scenario.calls('garbage')).length, asked + 2);
    assert.equal((await scenario.volley(['decide', id, 'reassign', '--agent', 'good'])).code, 0);
    assert.equal((await scenario.loop(Number(id))).state, 'approved');
  });
});

describe('a reviewer that changes what it was given to read', { concurrency: 3 }, () => {
  const commit = 'git -c user.name=R -c user.email=r@example.invalid commit -q';
  const ways: Readonly<Record<string, string>> = {
    'edits a file': 'echo mine >> a.txt',
    'adds a file': 'echo mine > b.txt',
    commits: `echo mine >> a.txt; ${commit} -a -m mine`,
    'commits nothing': `${commit} --allow-empty -m mine`,
    'stages something': 'echo mine > b.txt; git add b.txt',
    'makes a branch': 'git branch mine',
    'changes the config': 'git config core.fsmonitor /bin/true',
  };
  for (const [way, run] of Object.entries(ways)) {
    test(`is not believed and not asked again when it ${way}`, async () => {
      await using scenario = await scenarioWith({ reviewer: turns({ run, result: APPROVED }), other: answers(APPROVED) });
      const loop = await escalate(scenario, 'tampered');
      assert.deepEqual([loop.rounds, loop.finalVerdict], [[], null]);
      assert.deepEqual(loop.escalation?.choices, [...ALWAYS, 'reassign', 'cancel']);
      assert.equal((await scenario.calls('reviewer')).length, 1);
      if (way !== 'edits a file') return;
      await decide(scenario, 'reassign', '--agent', 'other');
      assert.equal((await scenario.loop()).state, 'approved');
    });
  }

  test('may do as it likes in its scratch copy', async () => {
    const run = 'cd "$VOLLEY_SCRATCH" && echo mine >> a.txt && git add -A && git branch mine && test -f README.md';
    await using scenario = await scenarioWith({ reviewer: turns({ run: `(${run}) || exit 9`, result: APPROVED }) });
    const ran = await scenario.volley(['run', 'Add a']);
    assert.equal(ran.code, 0, ran.stdout);
  });
});

describe('a question', { concurrency: 3 }, () => {
  const asks = { verdict: 'needs_discussion', summary: 'Which of the two is meant?' };

  test('of the reviewer stops the loop; the answer reaches it and spends no round', async () => {
    await using scenario = await scenarioWith({ reviewer: turns({ result: asks }, { result: APPROVED }) });
    const loop = await escalate(scenario, 'needs-discussion');
    assert.deepEqual([loop.finalVerdict, loop.escalation?.why], ['NEEDS_DISCUSSION', 'Which of the two is meant?']);
    assert.deepEqual(loop.escalation?.choices, [...ALWAYS, 'answer', 'cancel']);
    const wordless = await scenario.volley(['decide', '1', 'answer']);
    assert.deepEqual([wordless.code, /an answer needs words/.test(wordless.stderr)], [1, true]);
    await decide(scenario, 'answer', '--reason', 'The second one is meant.');
    const { state, rounds } = await scenario.loop();
    assert.deepEqual([state, rounds.map((round) => [round.round, round.verdict])], ['approved', [[1, 'approved']]]);
    assert.match((await scenario.calls('reviewer'))[1]?.prompt ?? '', /The second one is meant\./);
    assert.equal((await scenario.calls('fixer')).length, 0);
  });

  test('beside a blocking finding goes to the fixer with the answer', async () => {
    await using scenario = await scenarioWith({ reviewer: answers({ ...asks, issues: [issue('One is not enough.')] }, APPROVED) });
    await escalate(scenario, 'needs-discussion');
    await decide(scenario, 'answer', '--reason', 'The second one is meant.');
    assert.deepEqual([(await scenario.loop()).state, (await scenario.loop()).rounds.length], ['approved', 2]);
    assert.match((await scenario.calls('fixer'))[0]?.prompt ?? '', /The second one is meant\./);
  });

  test('of the fixer waits for a person after its commit', async () => {
    const note = 'This needs a new table.';
    const fixer = turns(
      { run: 'echo more >> a.txt', result: { resolutions: [{ findingId: '1.1', status: 'needs_person', note }] } },
      ...FIXER.turns,
    );
    await using scenario = await scenarioWith({ reviewer: answers(BAD, APPROVED), fixer });
    const loop = await escalate(scenario, 'needs-discussion');
    assert.match(loop.escalation?.why ?? '', /This needs a new table\./);
    assert.equal((await scenario.calls('reviewer')).length, 1);
    await decide(scenario, 'answer', '--reason', 'Make the table.');
    assert.equal((await scenario.loop()).state, 'approved');
  });
});

describe('a dispute of a security finding', { concurrency: 2 }, () => {
  const unsafe = rejected(issue('It can be injected.', { category: 'security', file: 'a.txt', line: 1 }));
  const disputes = turns(
    { result: { resolutions: [{ findingId: '1.1', status: 'disputed', note: 'It is escaped: see a.txt:1.' }] } },
    ...FIXER.turns,
  );

  test('is settled by a person who refutes it: the same code is approved without another review', async () => {
    await using scenario = await scenarioWith({ reviewer: answers(unsafe), fixer: disputes });
    const loop = await escalate(scenario, 'disputed');
    assert.match(loop.escalation?.why ?? '', /1\.1, which is about security: It is escaped/);
    assert.deepEqual(loop.escalation?.choices, [...ALWAYS, 'uphold', 'refute', 'cancel']);
    await decide(scenario, 'refute', '--reason', 'It is escaped indeed.');
    const { state, findings, approval } = await scenario.loop();
    assert.deepEqual([state, findings.map((one) => one.status), approval?.by], ['approved', ['refuted'], 'review']);
    assert.equal((await scenario.calls('reviewer')).length, 1);
  });

  test('is settled by a person who upholds it: the fixer has to answer it', async () => {
    await using scenario = await scenarioWith({ reviewer: answers(unsafe, APPROVED), fixer: disputes });
    await escalate(scenario, 'disputed');
    await decide(scenario, 'uphold', '--reason', 'Escape it anyway.');
    const { state, findings } = await scenario.loop();
    assert.deepEqual([state, findings.map((one) => one.status)], ['approved', ['fixed']]);
    assert.match((await scenario.calls('fixer'))[1]?.prompt ?? '', /Escape it anyway\./);
  });
});

describe('an agent that ends badly', { concurrency: 3 }, () => {
  test('is started once more; then a person may go on with what it left', async () => {
    const author = turns(
      { write: { 'half.txt': 'half\n' }, exit: 3 },
      { write: { 'half.txt': 'half\n' }, exit: 3 },
      { run: 'cp half.txt a.txt' },
    );
    await using scenario = await scenarioWith({ author });
    const loop = await escalate(scenario, 'agent-failed');
    assert.match(loop.escalation?.why ?? '', /exit code 3/);
    assert.deepEqual(loop.escalation?.choices, ['fix-manually', 'continue', 'reassign', 'cancel']);
    assert.equal(await scenario.repository.git('branch', '--list', 'volley/*'), '');
    await decide(scenario, 'continue');
    assert.equal(await scenario.repository.git('show', 'volley/1-add-a:a.txt'), 'half');
  });

  test('is followed by its fallback', async () => {
    const config = { roles: { fallback: ['other'] } };
    await using scenario = await scenarioWith({ reviewer: answers(BAD, APPROVED), fixer: turns({ exit: 1 }), other: FIXER }, config);
    assert.equal((await scenario.volley(['run', 'Add a'])).code, 0);
    assert.deepEqual([(await scenario.calls('fixer')).length, (await scenario.calls('other')).length], [2, 1]);
  });

  test('for lack of time is killed; its half-done work is kept, not reviewed, and can be gone on with', async () => {
    const slow = { write: { 'half.txt': 'half\n' }, run: 'sleep 60' };
    const author = turns(slow, slow, { run: 'test -f half.txt && echo whole > a.txt' });
    await using scenario = await scenarioWith({ author }, { policy: { timeouts: { author: '0.4s' } } });
    const loop = await escalate(scenario, 'timed-out');
    assert.deepEqual([loop.head, loop.escalation?.choices], [null, ['fix-manually', 'continue', 'reassign', 'cancel']]);
    await decide(scenario, 'continue');
    const tree = await scenario.repository.git('diff', '--name-only', 'main', 'volley/1-add-a');
    assert.equal(tree, 'a.txt\nhalf.txt');
  });

  test('for lack of time as a reviewer gives no verdict', async () => {
    const reviewer = turns({ run: 'sleep 60', result: APPROVED });
    await using scenario = await scenarioWith({ reviewer }, { policy: { timeouts: { review: '0.4s' } } });
    await escalate(scenario, 'no-verdict');
    assert.equal((await scenario.calls('reviewer')).length, 2);
  });
});

describe('a ceiling', () => {
  test('stops the loop before the next paid session until a person raises it', async () => {
    const author = turns({ write: { 'a.txt': 'one\n' }, result: { usage: { costUsd: 1.5 } } });
    const reviewer = answers({ ...APPROVED, usage: { costUsd: 0.25, inputTokens: 10, outputTokens: 5 } });
    const config = { agents: { author: { model: 'large' }, reviewer: { model: 'small' } }, policy: { ceiling: { loop: 1 } } };
    await using scenario = await scenarioWith({ author, reviewer }, config);
    const loop = await escalate(scenario, 'ceiling');
    assert.deepEqual([loop.spend.usd, loop.spend.ceilingUsd, loop.escalation?.choices], [1.5, 1, [...ALWAYS, 'raise-ceiling', 'cancel']]);
    assert.equal((await scenario.calls('reviewer')).length, 0);
    const low = await scenario.volley(['decide', '1', 'raise-ceiling', '--ceiling', '1.2']);
    assert.deepEqual([low.code, /above \$1\.50/.test(low.stderr)], [1, true]);
    assert.match(await decide(scenario, 'raise-ceiling', '--ceiling', '2'), /\$1\.75 of \$2\.00/);
    const { state, spend, rounds } = await scenario.loop();
    assert.deepEqual([state, spend.usd, rounds[0]?.spendUsd], ['approved', 1.75, 0.25]);
  });
});

describe('a branch that somebody else moves', { concurrency: 2 }, () => {
  test('to something that is not built on ours goes to a person; to continue takes it and keeps ours', async () => {
    await using scenario = await scenarioWith({});
    // The branch is published while the reviewer starts.
    const published = 'until git -C "$ROOT" rev-parse --quiet --verify volley/1-add-a > /dev/null; do sleep 0.05; done';
    const moveOnce = `if [ "$call" = 1 ]; then ${published}; git -C "$ROOT" branch -q -f volley/1-add-a other; fi`;
    await rewriteReviewer(scenario, { run: moveOnce, result: APPROVED });
    await scenario.repository.git('checkout', '--quiet', '-b', 'other');
    const other = await scenario.repository.commit('other', { 'b.txt': 'by somebody\n' });
    await scenario.repository.git('checkout', '--quiet', 'main');
    const loop = await escalate(scenario, 'branch-moved');
    assert.deepEqual([loop.rounds, loop.escalation?.choices], [[], [...ALWAYS, 'continue', 'cancel']]);
    assert.equal(await scenario.repository.git('rev-parse', 'volley/1-add-a'), other);
    await decide(scenario, 'continue');
    const { state, head } = await scenario.loop();
    assert.deepEqual([state, head], ['approved', other]);
    const mirror = join(scenario.state, 'volley', (await readdir(join(scenario.state, 'volley')))[0] ?? '', 'repo.git');
    assert.equal(await scenario.repository.git('--git-dir', mirror, 'rev-parse', 'refs/volley/1/ours-1'), loop.head);
  });

  test('forward while an agent runs supersedes it; the new head is reviewed, and fixes follow it', async () => {
    await using scenario = await scenarioWith({});
    const commitOnce = [
      'if [ "$call" = 1 ]; then',
      // The branch is published while the reviewer starts.
      '  until git -C "$ROOT" rev-parse --quiet --verify volley/1-add-a > /dev/null; do sleep 0.05; done',
      '  tree=$(git -C "$ROOT" rev-parse "volley/1-add-a^{tree}")',
      '  commit=$(git -C "$ROOT" -c user.name=P -c user.email=p@example.invalid commit-tree -p volley/1-add-a -m by-hand "$tree")',
      '  git -C "$ROOT" branch -q -f volley/1-add-a "$commit"',
      'fi',
    ].join('\n');
    await rewriteReviewer(scenario, { run: commitOnce, result: APPROVED }, { result: BAD }, { result: APPROVED });
    const ran = await scenario.volley(['run', 'Add a']);
    assert.equal(ran.code, 0, ran.stdout + ran.stderr);
    const { head, approval, rounds } = await scenario.loop();
    assert.equal(await scenario.repository.git('rev-parse', 'volley/1-add-a'), head);
    const subjects = await scenario.repository.git('log', '--reverse', '--format=%s', 'main..volley/1-add-a');
    assert.equal(subjects, 'Add a\nby-hand\nfix: address code review round 1 - mended');
    assert.deepEqual([approval?.by === 'review' ? approval.proof.head : null, rounds.length], [head, 2]);
    assert.equal((await scenario.calls('reviewer')).length, 3);
  });
});

describe('a person', { concurrency: 2 }, () => {
  test('cancels a loop from another process: its agent is killed and the driver goes home', async () => {
    await using scenario = await scenarioWith({
      author: turns({ run: 'echo $$ > "$calls/pid.tmp"; mv "$calls/pid.tmp" "$calls/../pid"; sleep 60' }),
    });
    const running = scenario.start(['run', 'Add a', '--json']);
    const pidFile = join(scenario.repository.beside, 'agents/author/pid');
    const pid = Number(await eventually('the author runs', async () => existsSync(pidFile) && (await readFile(pidFile, 'utf8'))));
    const cancelled = await scenario.volley(['cancel', '1', '--reason', 'Not needed.']);
    assert.equal(cancelled.code, 0, cancelled.stderr);
    assert.match(cancelled.stdout, /Task #1 is cancelled \(cancelled by Test Person: Not needed\.\)/);
    const ran = await running.ended;
    assert.deepEqual([ran.code, ran.loop().state, ran.loop().next], [3, 'cancelled', null]);
    await eventually('the author is gone', async () => !isAlive(pid));
    const again = await scenario.volley(['retry', '1']);
    assert.deepEqual([again.code, /was cancelled/.test(again.stderr)], [1, true]);
  });

  test('asks for another review of the same code, which is a round of its own', async () => {
    await using scenario = await scenarioWith({ reviewer: turns({ result: BAD }, { result: APPROVED }) });
    const loop = await escalate(scenario, 'max-rounds', ['--max-rounds', '1']);
    const retried = await scenario.volley(['retry', '1', '--json']);
    const end = retried.loop();
    assert.deepEqual([loop.rounds.length, end.rounds.length, (await scenario.calls('fixer')).length], [1, 2, 0]);
    // The finding was not raised again, but nothing changed that could have fixed it: silence closes nothing.
    assert.deepEqual([retried.code, end.escalation?.reason, end.findings.map((one) => one.status)], [2, 'max-rounds', ['persisting']]);
  });
});

/** Gives the reviewer turns that know where the user's repository lies. */
async function rewriteReviewer(scenario: Scenario, ...list: readonly Turn[]): Promise<void> {
  const knowing = list.map((turn) => ({ ...turn, run: `ROOT='${scenario.root}'\n${turn.run ?? ''}` }));
  await writeAgent(join(scenario.repository.beside, 'agents/reviewer'), turns(...knowing));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
