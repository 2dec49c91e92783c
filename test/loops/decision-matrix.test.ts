import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { answers, APPROVED, issue, makeScenario, rejected, turns } from '../support/scenario.ts';
import type { Scenario, VolleyResult } from '../support/scenario.ts';
import { filesOf } from '../support/user-state.ts';

const AUTHOR = turns({ write: { 'a.txt': 'one\n' } });
const FIXER = turns({ run: 'echo more >> a.txt', result: { summary: 'mended' } });

/** A review with must-fix findings: one critical, two important (one of them a blocking medium), one minor. */
const MUST_FIX = rejected(
  issue('It loses data.', { severity: 'critical', file: 'a.txt', line: 1 }),
  issue('It is slow.', { severity: 'high', category: 'performance' }),
  issue('A test is missing.', { severity: 'medium', category: 'testing' }),
  issue('The name is odd.', { severity: 'low', category: 'style' }),
);
const ONLY_MINOR = { passed: true, issues: [issue('The name is odd.', { severity: 'low', category: 'style', file: 'a.txt', line: 1 })] };

describe('the decision matrix', { concurrency: 3 }, () => {
  const rows = [
    { clean: 1, reviews: answers(APPROVED) },
    { clean: 2, reviews: answers(MUST_FIX, APPROVED) },
    { clean: 3, reviews: answers(MUST_FIX, MUST_FIX, APPROVED) },
    { clean: 2, reviews: answers(MUST_FIX, ONLY_MINOR) },
  ];
  for (const { clean, reviews } of rows) {
    const minor = reviews.turns.at(-1)?.result === ONLY_MINOR;
    test(`no must-fix finding in round ${clean} ends the loop clean${minor ? ', although a minor one is left' : ''}`, async () => {
      await using scenario = await makeScenario({ agents: { author: AUTHOR, reviewer: reviews, fixer: FIXER } });
      const ran = await scenario.volley(['run', 'Add a']);
      assert.equal(ran.code, 0, ran.stdout + ran.stderr);
      const loop = await scenario.loop();
      assert.deepEqual([loop.state, loop.finalVerdict, loop.escalation], ['approved', 'APPROVED', undefined]);
      assert.deepEqual(
        loop.rounds.map((round) => round.verdict),
        [...Array.from({ length: clean - 1 }, () => 'changes_requested'), 'approved'],
      );
      assert.equal((await scenario.calls('fixer')).length, clean - 1);
      assert.equal((await scenario.calls('reviewer')).length, clean);
      assert.ok(ran.stdout.includes(`✓ Task #1 completed (APPROVED after ${clean} cycle${clean === 1 ? '' : 's'})`), ran.stdout);
      assert.equal(loop.findings.filter((finding) => finding.status === 'open' || finding.status === 'persisting').length, minor ? 1 : 0);
    });
  }

  test('must-fix findings before round 3 go to a fixer who is told all of them', async () => {
    await using scenario = await makeScenario({
      agents: { author: AUTHOR, reviewer: answers(MUST_FIX, MUST_FIX, APPROVED), fixer: FIXER },
    });
    assert.equal((await scenario.volley(['run', 'Add a'])).code, 0);
    const calls = await scenario.calls('fixer');
    assert.deepEqual(
      calls.map((call) => call.env['VOLLEY_ROUND']),
      ['1', '2'],
    );
    for (const { prompt } of calls) {
      for (const id of ['1.1', '1.2', '1.3', '1.4']) assert.ok(prompt.includes(id), `${id} is missing`);
      for (const words of ['It loses data.', 'It is slow.', 'A test is missing.', 'The name is odd.'])
        assert.ok(prompt.includes(words), words);
    }
    const steps = (await scenario.journal()).flatMap(({ event }) => (event.type === 'started' ? [event.action.do] : []));
    assert.deepEqual(steps, ['author', 'review', 'fix', 'review', 'fix', 'review']);
  });

  test('each reviewer sees the code only, never what was said in rounds before', async () => {
    await using scenario = await makeScenario({ agents: { author: AUTHOR, reviewer: answers(MUST_FIX, APPROVED), fixer: FIXER } });
    assert.equal((await scenario.volley(['run', 'Add a'])).code, 0);
    const second = (await scenario.calls('reviewer'))[1]?.prompt ?? '';
    assert.match(second, /\+more/);
    assert.doesNotMatch(second, /loses data|mended|code review round/);
  });

  test('a story is named by its number, and its documents lie where the config says', async () => {
    const config = { artefacts: { path: 'docs/progress/story-{ref}-review-findings-round-{n}.md' } };
    await using scenario = await makeScenario({ agents: { author: AUTHOR, reviewer: answers(MUST_FIX), fixer: FIXER }, config });
    await scenario.repository.write('story.md', '# Story 2.4\n\n- It greets everybody.\n');
    const ran = await scenario.volley(['run', 'Add a', '--story', 'story.md', '--ref', '2.4', '--max-rounds', '1']);
    assert.match(
      ran.stdout,
      /⚠️ Story 2\.4 Review Blocked\n[^]*Findings document: docs\/progress\/story-2\.4-review-findings-round-1\.md\n/,
    );
    const document = await readFile(join(scenario.root, 'docs/progress/story-2.4-review-findings-round-1.md'), 'utf8');
    assert.match(document, /^# Story 2\.4 Code Review Findings - Round 1\n/);
    for (const agent of ['author', 'reviewer']) assert.match((await scenario.calls(agent))[0]?.prompt ?? '', /It greets everybody\./);
  });

  test('a dry run tells the longest path in the words of the seed and touches nothing', async () => {
    const config = { gates: [{ name: 'test', run: 'true' }] };
    await using scenario = await makeScenario({ agents: { author: AUTHOR, reviewer: answers(MUST_FIX), fixer: FIXER }, config });
    const untouched = await filesOf(scenario.repository.beside);
    const ran = await scenario.volley(['run', 'Add a', '--dry-run']);
    assert.deepEqual(
      [ran.code, ran.stdout],
      [
        0,
        `[DRY-RUN] Would spawn author author for task NEW
[DRY-RUN] Would run gate test for task NEW
[DRY-RUN] Would spawn reviewer reviewer for task NEW round 1
[DRY-RUN] Would spawn fixer fixer for task NEW round 1
[DRY-RUN] Would run gate test for task NEW
[DRY-RUN] Would spawn reviewer reviewer for task NEW round 2
[DRY-RUN] Would spawn fixer fixer for task NEW round 2
[DRY-RUN] Would run gate test for task NEW
[DRY-RUN] Would spawn reviewer reviewer for task NEW round 3
[DRY-RUN] Would ask a person (max-rounds) about task NEW
`,
      ],
    );
    assert.deepEqual(await filesOf(scenario.repository.beside), untouched);
    assert.equal(existsSync(join(scenario.root, '.volley')), false);
    assert.deepEqual([await scenario.calls('author'), await scenario.calls('reviewer')], [[], []]);
  });
});

describe('must-fix findings in round 3', () => {
  let scenario: Scenario;
  let ran: VolleyResult;

  before(async () => {
    scenario = await makeScenario({ agents: { author: AUTHOR, reviewer: answers(MUST_FIX), fixer: FIXER } });
    ran = await scenario.volley(['run', 'Add a']);
  });
  after(async () => await scenario[Symbol.asyncDispose]());

  test('hand the loop to a person with the escalation block of the seed', async () => {
    assert.equal(ran.code, 2);
    const block = ran.stdout.slice(ran.stdout.indexOf('⚠️'));
    assert.equal(
      block.replaceAll(/\d{8}-task/g, 'DATE-task'),
      `⚠️ Task 1 Review Blocked

After 3 review rounds, issues remain:
- Critical: 1
- Important: 2
- Minor: 1

1.1, 1.2, 1.3 outlived 2 fixes

Findings document: .volley/reviews/DATE-task-1-review-3.md

Options:
a) Manual review and fix (pauses the loop; hand it back when you are done) [fix-manually]
b) Accept the findings and go on (not recommended) [accept]
c) Continue with 1 more review round [one-more-round]
d) Cancel the loop [cancel]

Your choice: volley decide 1 CHOICE
  branch  volley/1-add-a
  next    volley decide 1 one-more-round
`,
    );
    const document = /Findings document: (\S+)/.exec(block)?.[1] ?? '';
    const text = await readFile(join(scenario.root, document), 'utf8');
    assert.match(text, /^# Task 1 Code Review Findings - Round 3\n/);
    assert.match(
      text,
      /- \*\*Total findings:\*\* 4\n- \*\*Critical:\*\* 1\n- \*\*Important:\*\* 2\n- \*\*Minor:\*\* 1\n- \*\*Recommendation:\*\* Ask a person/,
    );
    assert.match(text, /\*\*Verdict: CHANGES_REQUESTED\*\*\n$/);
  });

  test('leave the loop waiting as MAX_CYCLES_REACHED', async () => {
    const loop = await scenario.loop();
    assert.deepEqual(
      [loop.state, loop.finalVerdict, loop.approval, loop.escalation?.reason, loop.escalation?.choices, loop.next],
      [
        'needs_human',
        'MAX_CYCLES_REACHED',
        null,
        'max-rounds',
        ['fix-manually', 'accept', 'one-more-round', 'cancel'],
        'volley decide 1 one-more-round',
      ],
    );
    const status = await scenario.volley(['status']);
    assert.match(status.stdout, /✓ 1\. implement Add a {4}completed {2}MAX_CYCLES_REACHED \(3 cycles\)/);
    assert.match(status.stdout, /needs you +volley decide 1 one-more-round/);
    assert.deepEqual([(await scenario.calls('fixer')).length, (await scenario.calls('reviewer')).length], [2, 3]);
  });

  test('refuse a choice that is not offered, and name those that are', async () => {
    const wrong = await scenario.volley(['decide', '1', 'retry']);
    assert.equal(wrong.code, 1);
    for (const choice of ['fix-manually', 'accept', 'one-more-round', 'cancel'])
      assert.match(wrong.stderr, new RegExp(`volley decide 1 ${choice} `));
    assert.equal((await scenario.loop()).state, 'needs_human');
  });

  test('allow one more round at a time, up to five in all, after which that choice is gone', async () => {
    for (const round of [4, 5]) {
      const more = await scenario.volley(['decide', '1', 'one-more-round']);
      assert.equal(more.code, 2);
      assert.ok(more.stdout.includes(`After ${round} review rounds, issues remain:`), more.stdout);
      assert.match(more.stdout, /\[\d\/\d\] Improving\.\.\.\n[^]*Running review\.\.\.\n/);
      assert.equal(more.stdout.includes('[one-more-round]'), round < 5);
    }
    const last = await scenario.volley(['decide', '1', 'one-more-round']);
    assert.equal(last.code, 1);
    assert.match(last.stderr, /'one-more-round' is not a choice of task 1 now/);
    const loop = await scenario.loop();
    assert.deepEqual(
      [loop.rounds.length, loop.escalation?.reason, loop.escalation?.choices],
      [5, 'max-rounds', ['fix-manually', 'accept', 'cancel']],
    );
    const retried = await scenario.volley(['retry', '1']);
    assert.equal(retried.code, 1);
    assert.match(retried.stderr, /5 rounds are the hard total/);
    assert.equal((await scenario.calls('reviewer')).length, 5);
  });

  test('(b) are accepted by a person, whose name and reason stay with the approval', async () => {
    const accepted = await scenario.volley(['decide', '1', 'accept', '--reason', 'We ship it today.']);
    assert.equal(accepted.code, 0, accepted.stdout + accepted.stderr);
    assert.match(accepted.stdout, /✓ Task #1 completed \(APPROVED by Test Person, not by a review\)/);
    const loop = await scenario.loop();
    assert.deepEqual(
      [loop.state, loop.finalVerdict, loop.approval],
      ['approved', 'APPROVED', { by: 'person', name: 'Test Person', reason: 'We ship it today.' }],
    );
    const decided = (await scenario.journal()).find(({ event }) => event.type === 'decided' && event.choice === 'accept')?.event;
    assert.deepEqual(decided, {
      type: 'decided',
      choice: 'accept',
      by: 'Test Person',
      reason: 'We ship it today.',
      agent: null,
      ceilingUsd: null,
    });
    const shown = (await scenario.volley(['show', '1'])).stdout;
    assert.match(shown, /APPROVED by Test Person, not by a review/);
    assert.match(shown, /We ship it today\./);
    assert.equal((await scenario.volley(['land', '1'])).code, 0);
  });
});

describe('a loop that a person takes over in round 3', () => {
  let scenario: Scenario;

  before(async () => {
    const reviewer = answers(MUST_FIX, MUST_FIX, MUST_FIX, APPROVED);
    scenario = await makeScenario({ agents: { author: AUTHOR, reviewer, fixer: FIXER } });
    assert.equal((await scenario.volley(['run', 'Add a'])).code, 2);
  });
  after(async () => await scenario[Symbol.asyncDispose]());

  test('(a) is blocked until it is handed back', async () => {
    const taken = await scenario.volley(['decide', '1', 'fix-manually']);
    assert.equal(taken.code, 0);
    assert.match(taken.stdout, /Task #1 is yours \(Test Person took it over\); commit on its branch, then hand it back/);
    const loop = await scenario.loop();
    assert.deepEqual([loop.state, loop.finalVerdict, loop.choices, loop.next], ['blocked', 'MAX_CYCLES_REACHED', [], 'volley handback 1']);
    const worked = await scenario.volley(['work', '1']);
    assert.equal((await scenario.calls('fixer')).length, 2, worked.stdout);
  });

  test('restores what was open if it is handed back without a commit', async () => {
    const back = await scenario.volley(['handback', '1']);
    assert.match(back.stdout, /⚠️ Task 1 Review Blocked/);
    assert.equal((await scenario.loop()).state, 'needs_human');
    assert.equal((await scenario.calls('reviewer')).length, 3);
  });

  test('is reviewed again after a commit of the person on its branch', async () => {
    await scenario.volley(['takeover', '1']);
    const { repository } = scenario;
    await repository.git('checkout', '--quiet', 'volley/1-add-a');
    const mine = await repository.commit('by hand', { 'a.txt': 'as a person writes it\n' });
    await repository.git('checkout', '--quiet', 'main');
    const back = await scenario.volley(['handback', '1']);
    assert.equal(back.code, 0, back.stdout + back.stderr);
    const loop = await scenario.loop();
    assert.deepEqual([loop.state, loop.head, loop.rounds.length], ['approved', mine, 4]);
    assert.equal(loop.approval?.by === 'review' ? loop.approval.proof.head : null, mine);
    assert.match((await scenario.calls('reviewer'))[3]?.prompt ?? '', /\+as a person writes it/);
  });
});
