import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { answers, APPROVED, issue, makeScenario, rejected, turns } from '../support/scenario.ts';
import type { ScriptedAgent } from '../support/scenario.ts';
import { assertMistake } from '../support/whole-loop.ts';

/** An author and fixer that adds a line to a file of its task. */
const WRITER: ScriptedAgent = turns({ run: 'echo "$VOLLEY_ROLE $VOLLEY_ROUND" >> "task-$VOLLEY_TASK.txt"' });
const CAST = { author: WRITER, reviewer: answers(APPROVED) };

test('documents of a task reach author, reviewer and fixer', async () => {
  const reviewer = answers(rejected(issue('too short', { file: 'task-1.txt', line: 1 })), APPROVED);
  await using scenario = await makeScenario({ agents: { author: WRITER, reviewer, fixer: WRITER } });
  await writeFile(join(scenario.repository.beside, 'story.md'), '# Story 2.4\n\n## Acceptance criteria\n- a line of poetry\n');
  await writeFile(join(scenario.repository.beside, 'plan.md'), 'First the metre, then the rhyme.\n');
  const added = await scenario.volley(['add', 'Write it', '-a', '--story', '../story.md', '--plan', '../plan.md', '--ref', '2.4']);
  assert.equal(added.code, 0, added.stderr);
  assert.match(added.stdout, /^Created task #1: Write it\n/);
  assert.equal((await scenario.volley(['work'])).code, 0);
  assert.equal((await scenario.loop()).state, 'approved');
  for (const agent of ['author', 'reviewer', 'fixer']) {
    const [first] = await scenario.calls(agent);
    for (const words of ['a line of poetry', 'then the rhyme', '2.4']) assert.ok(first?.prompt.includes(words), `${agent}: ${words}`);
  }
});

test('a document of headings is one task each, all of them or none, and work runs them in order', async () => {
  await using scenario = await makeScenario({ agents: CAST });
  const input = '# This week\n\n## One\n\nFirst.\n\n## Two\n\n## Three\n';
  const added = await scenario.volley(['add', '--from', '-', '--auto-review', '--json'], { input });
  assert.deepEqual(
    added.objects().map((one) => [one['type'], one['id'], Object(one['task'])['title']]),
    [
      ['loop', 1, 'One'],
      ['loop', 2, 'Two'],
      ['loop', 3, 'Three'],
    ],
  );
  assert.equal(Object(added.objects()[0]?.['task'])['text'], 'One\n\nFirst.');
  await assertMistake(scenario, ['add', '--from', '-'], { code: 'bad-usage', message: /no heading/, remedy: /heading/ });
  await assertMistake(scenario, ['add', 'x', '--from', 'a.md'], { code: 'bad-usage', message: /both/, remedy: /Leave one/ });
  assert.equal((await scenario.volley(['work'])).code, 0);
  const starts = (await scenario.calls('author')).map(({ env }) => env['VOLLEY_TASK']);
  assert.deepEqual(starts, ['1', '2', '3']);
});

test('a task starts from the work of those that it depends on, of several from their merge, and asks where that cannot be', async () => {
  await using scenario = await makeScenario({
    agents: {
      author: turns({ run: 'echo "$VOLLEY_TASK" > "$(cat name 2>/dev/null || echo task-$VOLLEY_TASK.txt)"' }),
      reviewer: answers(APPROVED),
    },
  });
  for (const words of [
    ['One'],
    ['Two'],
    ['Both', '--depends-on', '1,2'],
    ['After both', '--depends-on', '3'],
    ['Given up'],
    ['Waits for ever', '--depends-on', '5'],
  ])
    assert.equal((await scenario.volley(['add', ...words, '-a'])).code, 0);
  await assertMistake(scenario, ['add', 'x', '--depends-on', '9'], { code: 'unknown-loop', message: /no task 9/, remedy: /status/ });
  await assertMistake(scenario, ['edit', '1', '--depends-on', '3'], { code: 'refused', message: /cannot depend/, remedy: /do not wait/ });
  assert.equal((await scenario.volley(['cancel', '5'])).code, 0);
  await assertMistake(scenario, ['edit', '4', '--depends-on', '5'], {
    code: 'refused',
    message: /Task 5 was cancelled/,
    remedy: /another task/,
  });
  assert.equal((await scenario.volley(['work'])).code, 0);
  const files = await scenario.repository.git('ls-tree', '--name-only', 'volley/4-after-both');
  assert.deepEqual(files.trim().split('\n'), ['README.md', 'task-1.txt', 'task-2.txt', 'task-3.txt', 'task-4.txt', 'volley.yaml']);
  const fourth = await scenario.loop(4);
  assert.deepEqual([fourth.state, fourth.base, fourth.task.dependsOn], ['approved', (await scenario.loop(3)).head, [3]]);
  const sixth = await scenario.loop(6);
  assert.deepEqual([sixth.state, sixth.escalation?.reason, sixth.escalation?.why], ['needs_human', 'dependency', 'task 5 was cancelled']);
  assert.equal((await scenario.volley(['edit', '6', '--depends-on', 'none'])).code, 0);
  assert.equal((await scenario.volley(['work'])).code, 0);
  assert.equal((await scenario.loop(6)).state, 'approved');
  const landed = await scenario.volley(['land', '4']);
  assert.equal(landed.code, 0, landed.stderr);
  assert.equal((await scenario.volley(['verify', '4'])).code, 0);
});

test('work that nobody would land does not come along with what builds on it, and a review waits for its turn only', async () => {
  await using scenario = await makeScenario({ agents: CAST });
  await scenario.repository.git('checkout', '-q', '-b', 'feature');
  await scenario.repository.commit('feature', { 'feature.txt': 'right\n' });
  await scenario.repository.git('checkout', '-q', 'main');
  for (const words of [['One'], ['Two', '--depends-on', '1'], ['-t', 'review', '--branch', 'feature', '--depends-on', '1']])
    assert.equal((await scenario.volley(['add', ...words, '-a'])).code, 0);
  assert.equal((await scenario.volley(['work'])).code, 0);
  assert.deepEqual([(await scenario.loop(2)).state, (await scenario.loop(3)).state], ['approved', 'approved']);
  assert.equal((await scenario.volley(['comment', '1', 'Not like this.', '--request-changes', '--later'])).code, 0);
  await assertMistake(scenario, ['land', '2'], {
    code: 'refused',
    message: /Task 2 builds on task 1, which would come along/,
    remedy: /show 1/,
  });
  assert.equal((await scenario.volley(['cancel', '1'])).code, 0);
  assert.equal((await scenario.volley(['land', '2'])).code, 1);
  await scenario.volley(['add', 'Late', '-a']);
  await scenario.volley(['add', 'After late', '-a', '--depends-on', '4']);
  await scenario.volley(['cancel', '4']);
  const asked = await scenario.volley(['work', '--exit-code']);
  assert.deepEqual([asked.code, /Task 5 Dependency Missing/.test(asked.stdout)], [2, true], asked.stdout);
});

test('each phase by hand: implement, review, improve with guidance, review, approve', async () => {
  const reviewer = answers(rejected(issue('missing input validation', { file: 'task-1.txt', line: 1 })), APPROVED);
  await using scenario = await makeScenario({ agents: { author: WRITER, reviewer, fixer: WRITER } });
  await scenario.volley(['add', 'Write it', '-t', 'implement']);
  assert.equal((await scenario.volley(['work'])).code, 0);
  assert.deepEqual([(await scenario.loop()).state, (await scenario.loop()).next], ['pending_self_review', 'volley review 1']);
  const rejectedOnce = await scenario.volley(['review', '1']);
  assert.equal(rejectedOnce.code, 3);
  assert.deepEqual([(await scenario.loop()).state, (await scenario.calls('fixer')).length], ['self_review_failed', 0]);
  assert.equal((await scenario.volley(['add', '-t', 'improve', '1', 'Mind the metre.'])).code, 0);
  assert.equal((await scenario.calls('fixer')).length, 0);
  assert.equal((await scenario.volley(['work'])).code, 0);
  assert.equal((await scenario.loop()).state, 'pending_self_review');
  assert.match((await scenario.calls('fixer'))[0]?.prompt ?? '', /Mind the metre\./);
  const improved = await scenario.volley(['improve', '1', '-m', 'Once more.', '--review', '--json']);
  assert.deepEqual([improved.code, improved.loop().state, improved.loop().rounds.length], [0, 'approved', 2]);
  for (const call of await scenario.calls('reviewer')) assert.doesNotMatch(call.prompt, /Mind the metre|Once more/);
});

test('people comment, ask for changes and approve from the command line, and who did what stands in show and in the document', async () => {
  await using scenario = await makeScenario({ agents: { author: WRITER, reviewer: answers(APPROVED), fixer: WRITER } });
  await scenario.volley(['run', 'Write it']);
  await assertMistake(scenario, ['comment', '1', 'nope.txt:1', 'x'], {
    code: 'bad-usage',
    message: /no file 'nope\.txt'/,
    remedy: /It changes task-1\.txt/,
  });
  await assertMistake(scenario, ['comment', '1', 'task-1.txt:99', 'x'], { code: 'bad-usage', message: /no line 99/, remedy: /diff 1/ });
  await assertMistake(scenario, ['comment', '1', 'x', '--approve'], { code: 'refused', message: /approved already/, remedy: /show 1/ });
  assert.equal((await scenario.volley(['comment', '1', 'task-1.txt:1', 'Keep the tone.'])).code, 0);
  const asked = await scenario.volley(['comment', '1', 'task-1.txt:1', 'Say it in French.', '--request-changes']);
  assert.equal(asked.code, 0, asked.stderr);
  const [fixing] = await scenario.calls('fixer');
  assert.match(fixing?.prompt ?? '', /Say it in French\./);
  assert.match(fixing?.prompt ?? '', /task-1\.txt:1: Keep the tone\./);
  const loop = await scenario.loop();
  assert.deepEqual(
    loop.findings.map(({ id, source, status }) => [id, source, status]),
    [['1.1', 'person', 'fixed']],
  );
  assert.match(asked.stdout, /1\.1 of Test Person counts as fixed; volley finding 1\.1 reopen/);
  assert.equal((await scenario.volley(['edit', '1', '--verdict', 'CHANGES_REQUESTED', '--reason', 'not yet'])).code, 0);
  assert.equal((await scenario.volley(['edit', '1', '--verdict', 'APPROVED', '--reason', 'seen it'])).code, 0);
  assert.deepEqual((await scenario.loop()).approval, { by: 'person', name: 'Test Person', reason: 'seen it' });
  const shown = (await scenario.volley(['show', '1'])).stdout;
  for (const words of ['comment Test Person on task-1.txt:1: Keep the tone.', 'decided set the verdict APPROVED by Test Person: seen it'])
    assert.ok(shown.includes(words), shown);
  const day = (await scenario.journal())[0]?.at.slice(0, 10).replaceAll('-', '') ?? '';
  const document = await readFile(join(scenario.root, `.volley/reviews/${day}-task-1-review-2.md`), 'utf8');
  assert.match(document, /## People\n\n(?:- .*\n)*- .* Test Person decided: set the verdict APPROVED: seen it\n/);
});

test('what cannot be is refused, and nothing changes', async () => {
  await using scenario = await makeScenario({ agents: CAST });
  await scenario.volley(['add', 'Write it']);
  const before = (await scenario.journal()).length;
  await assertMistake(scenario, ['add'], { code: 'bad-usage', message: /needs words/, remedy: /volley add/ });
  await assertMistake(scenario, ['add', 'x', '-t', 'epic'], {
    code: 'bad-usage',
    message: /'epic'/,
    remedy: /implement, review and improve/,
  });
  await assertMistake(scenario, ['add', 'x', '--branch', 'main'], { code: 'bad-usage', message: /-t review/, remedy: /current commit/ });
  await assertMistake(scenario, ['add', 'x', '--story', 'no.md'], { code: 'bad-usage', message: /no\.md/, remedy: /--story/ });
  await assertMistake(scenario, ['edit', '1'], { code: 'bad-usage', message: /Nothing/, remedy: /help edit/ });
  await assertMistake(scenario, ['edit', '1', '--verdict', 'MAYBE'], { code: 'bad-usage', message: /'MAYBE'/, remedy: /APPROVED/ });
  await assertMistake(scenario, ['edit', '1', '--max-cycles', 'many'], { code: 'bad-usage', message: /'many'/, remedy: /digits/ });
  await assertMistake(scenario, ['review', '1', '--branch', 'x'], { code: 'bad-usage', message: /--branch/, remedy: /help edit/ });
  assert.equal((await scenario.journal()).length, before);
  for (const args of [
    ['improve', '1'],
    ['refine', '1'],
    ['ready', '1'],
    ['skip', '1'],
    ['review', '1'],
    ['handback', '1'],
    ['edit', '1', '--max-cycles', '9'],
  ]) {
    const { code, stderr } = await scenario.volley(args);
    assert.deepEqual(
      [code, /Task 1 does not take that: .+\.\n {2}See volley show 1/.test(stderr)],
      [1, true],
      `${args.join(' ')}: ${stderr}`,
    );
  }
  assert.equal((await scenario.loop()).state, 'queued');
});
