import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answers, APPROVED, issue, makeScenario, rejected, turns } from '../support/scenario.ts';
import type { Scenario, ScriptedAgent } from '../support/scenario.ts';

const AUTHOR = turns({ write: { 'a.txt': 'one\n' } });
const SOUND = { name: 'sound', run: 'if [ -e a.txt ]; then echo looking for sound; grep -q sound a.txt; fi' };

type Given = { readonly gates: readonly object[]; readonly agents?: Readonly<Record<string, ScriptedAgent>>; readonly policy?: object };

async function withGates({ gates, agents = {}, policy = {} }: Given): Promise<Scenario> {
  const fixer = turns({ run: 'echo sound >> a.txt', result: { summary: 'make it sound' } });
  return await makeScenario({
    files: { 'README.md': '# Sample\n', 'tracked.txt': 'as committed\n' },
    agents: { author: AUTHOR, reviewer: answers(APPROVED), fixer, ...agents },
    config: { gates, policy },
  });
}

/** The names of the loop's steps, in order. */
async function stepsOf(scenario: Scenario): Promise<readonly string[]> {
  return (await scenario.journal()).flatMap(({ event }) => (event.type === 'started' ? [event.action.do] : []));
}

describe('a gate', { concurrency: 3 }, () => {
  test('that is red goes to the fixer with what it printed, before a reviewer is paid', async () => {
    await using scenario = await withGates({ gates: [SOUND] });
    const ran = await scenario.volley(['run', 'Add a']);
    assert.equal(ran.code, 0, ran.stdout + ran.stderr);
    assert.match(ran.stdout, /Gates: sound FAILED\n.*\[1\/3\] Repairing\.\.\. \(fixer\) sound failed\n/);
    assert.deepEqual(await stepsOf(scenario), ['author', 'gates', 'fix', 'gates', 'review']);
    const call = (await scenario.calls('fixer'))[0];
    assert.equal(call?.env['VOLLEY_ROUND'], '1');
    assert.match(call?.prompt ?? '', /sound[^]*looking for sound/);
    const subjects = await scenario.repository.git('log', '--reverse', '--format=%s', 'main..volley/1-add-a');
    assert.equal(subjects, 'Add a\nfix: make gates pass - make it sound');
    const loop = await scenario.loop();
    assert.deepEqual([loop.rounds.length, loop.gates], [1, [{ name: 'sound', passed: true, redBefore: false, reran: false }]]);
    assert.match((await scenario.calls('reviewer'))[0]?.prompt ?? '', /sound/);
  });

  test('runs after each fix of a review too', async () => {
    const reviewer = answers(rejected(issue('Too short.', { file: 'a.txt', line: 1 })), APPROVED);
    const fixer = turns({ run: 'echo more >> a.txt' }, { run: 'echo sound >> a.txt' });
    const gate = { name: 'sound', run: 'if grep -q more a.txt; then grep -q sound a.txt; fi' };
    await using scenario = await withGates({ gates: [gate], agents: { reviewer, fixer } });
    assert.equal((await scenario.volley(['run', 'Add a'])).code, 0);
    assert.deepEqual(await stepsOf(scenario), ['author', 'gates', 'review', 'fix', 'gates', 'fix', 'gates', 'review']);
    const { rounds } = await scenario.loop();
    assert.equal(rounds.length, 2);
  });

  test('that fails once and then passes is green, and this is said', async () => {
    const flaky = 'n=$(cat "$HOME/count" 2>/dev/null || echo 0); echo $((n + 1)) > "$HOME/count"; [ "$n" -gt 0 ]';
    await using scenario = await withGates({ gates: [{ name: 'flaky', run: flaky }] });
    assert.equal((await scenario.volley(['run', 'Add a'])).code, 0);
    assert.deepEqual(await stepsOf(scenario), ['author', 'gates', 'review']);
    assert.deepEqual((await scenario.loop()).gates, [{ name: 'flaky', passed: true, redBefore: false, reran: true }]);
  });

  test('that was red before the change does not block it, and this is said to people, reviewer and proof', async () => {
    await using scenario = await withGates({ gates: [{ name: 'hopeless', run: 'false' }] });
    const ran = await scenario.volley(['run', 'Add a']);
    assert.equal(ran.code, 0, ran.stdout);
    assert.match(ran.stdout, /Gates: hopeless FAILED, as before the change/);
    const { approval, gates } = await scenario.loop();
    assert.deepEqual(gates, [{ name: 'hopeless', passed: false, redBefore: true, reran: true }]);
    assert.deepEqual(approval?.by === 'review' ? approval.proof.gates : null, [
      { name: 'hopeless', passed: false, redBefore: true, acceptedBy: null },
    ]);
    assert.match((await scenario.calls('reviewer'))[0]?.prompt ?? '', /hopeless[^\n]*before/);
    assert.equal((await scenario.calls('fixer')).length, 0);
  });

  test('that edits tracked files does not change what is reviewed and committed', async () => {
    const edits = {
      name: 'format',
      run: 'echo formatted > tracked.txt; echo formatted >> a.txt; git rm -q --cached README.md 2>/dev/null; true',
    };
    await using scenario = await withGates({
      gates: [edits],
      agents: { reviewer: answers(rejected(issue('More.', { file: 'a.txt', line: 1 })), APPROVED) },
    });
    const ran = await scenario.volley(['run', 'Add a']);
    assert.equal(ran.code, 0, ran.stdout);
    assert.equal(await scenario.repository.git('diff', '--name-only', 'main', 'volley/1-add-a'), 'a.txt');
    assert.equal(await scenario.repository.git('show', 'volley/1-add-a:a.txt'), 'one\nsound');
    for (const { prompt } of await scenario.calls('reviewer')) assert.doesNotMatch(prompt, /formatted/);
  });

  const repairing: Readonly<Record<string, readonly object[]>> = {
    'the gate after it': [{ name: 'format', run: 'if [ -e a.txt ]; then echo sound >> a.txt; fi' }, SOUND],
    'its own second run': [{ name: 'format', run: 'if [ -e a.txt ] && ! grep -q sound a.txt; then echo sound >> a.txt; exit 1; fi' }],
  };
  for (const [whom, gates] of Object.entries(repairing)) {
    test(`that repairs the files makes nothing green for ${whom}`, async () => {
      await using scenario = await withGates({ gates });
      assert.equal((await scenario.volley(['run', 'Add a'])).code, 0);
      assert.deepEqual(await stepsOf(scenario), ['author', 'gates', 'fix', 'gates', 'review']);
    });
  }

  test('runs only if the change touches its paths', async () => {
    const gates = [
      { name: 'docs', run: 'false', paths: ['docs/**', '*.md'] },
      { name: 'text', run: 'true', paths: ['*.txt'] },
    ];
    await using scenario = await withGates({ gates });
    const ran = await scenario.volley(['run', 'Add a']);
    assert.equal(ran.code, 0, ran.stdout);
    assert.deepEqual(
      (await scenario.loop()).gates.map((gate) => gate.name),
      ['text'],
    );
    assert.match(ran.stdout, /Gates: text passed\n/);
  });

  test('that takes too long is red', async () => {
    const gates = [{ name: 'slow', run: 'if [ -e a.txt ] && ! grep -q sound a.txt; then echo waiting; sleep 60; fi' }];
    await using scenario = await withGates({ gates, policy: { timeouts: { gate: '0.5s' } } });
    const ran = await scenario.volley(['run', 'Add a']);
    assert.equal(ran.code, 0, ran.stdout);
    const gated = (await scenario.journal()).flatMap(({ event }) => (event.type === 'gated' ? event.results : []));
    assert.deepEqual(
      gated.map((gate) => [gate.passed, gate.timedOut, gate.reran]),
      [
        [false, true, true],
        [true, false, false],
      ],
    );
    assert.match((await scenario.calls('fixer'))[0]?.prompt ?? '', /waiting\n\[stopped: out of time\]/);
  });

  test('given on the command line is run as well', async () => {
    await using scenario = await withGates({ gates: [] });
    const ran = await scenario.volley(['run', 'Add a', '--gate', 'test -f a.txt', '--gate', 'true']);
    assert.equal(ran.code, 0, ran.stdout);
    assert.deepEqual(
      (await scenario.loop()).gates.map((gate) => [gate.name, gate.passed]),
      [
        ['test -f a.txt', true],
        ['true', true],
      ],
    );
  });
});
