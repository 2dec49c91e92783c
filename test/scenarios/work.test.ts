import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answers, APPROVED, issue, makeScenario, rejected, turns } from '../support/scenario.ts';
import type { Scenario } from '../support/scenario.ts';

/** Tasks that nobody has driven yet. */
async function addTasks(scenario: Scenario, ...titles: readonly string[]): Promise<void> {
  for (const title of titles) await scenario.start(['run', title], { env: { VOLLEY_FAILPOINT: 'kill:after created' } }).ended;
}

test("seed 004's example workflow gives its lines, its rows and its documents", async () => {
  await using scenario = await makeScenario({
    agents: {
      author: turns({ write: { 'auth.txt': 'one\n' }, result: {} }),
      reviewer: answers(
        rejected(issue('missing input validation', { file: 'auth.txt', line: 1 })),
        rejected(issue('add rate limiting', { file: 'auth.txt', line: 2, category: 'security' })),
        APPROVED,
      ),
      fixer: turns({ write: { 'auth.txt': 'valid\ntwo\n' }, result: {} }, { write: { 'auth.txt': 'valid\nslow\n' }, result: {} }),
    },
  });
  await addTasks(scenario, 'Add user authentication');
  const worked = await scenario.volley(['work']);
  assert.equal(worked.code, 0, worked.stderr);
  const lines = `Running task #1: Add user authentication
  [1/3] Implementing...
  [1/3] Implementation complete
  [1/3] Running review...
  [1/3] Review: CHANGES_REQUESTED - missing input validation
  [2/3] Improving...
  [2/3] Running review...
  [2/3] Review: CHANGES_REQUESTED - add rate limiting
  [3/3] Improving...
  [3/3] Running review...
  [3/3] Review: APPROVED
✓ Task #1 completed (APPROVED after 3 cycles)
`;
  assert.equal(worked.stdout.slice(0, lines.length), lines);
  assert.match(worked.stdout.slice(lines.length), /^ {2}branch .*\n {2}review .*-task-1-review-3\.md\n {2}next {4}volley land 1\n$/);
  const status = await scenario.volley(['status']);
  assert.equal(status.stdout, '  ✓ 1. implement Add user authentication    completed  APPROVED (3 cycles)\n');
  const log = await scenario.volley(['log', '1']);
  assert.match(log.stdout, /Implementing\.\.\. \(author\)[^]*Running review\.\.\. \(reviewer\)/);
});

test('several tasks: one breaks, one asks, the others are done, summed up, shown at a glance and landed together', async () => {
  await using scenario = await makeScenario({
    agents: {
      author: turns({ run: 'echo "$VOLLEY_TASK" > same.txt; echo "$VOLLEY_TASK" > "only-$VOLLEY_TASK.txt"', result: {} }),
      reviewer: turns({ run: 'if [ "$VOLLEY_TASK" = 2 ]; then exit 3; fi', result: APPROVED }),
    },
  });
  await addTasks(scenario, 'One', 'Two', 'Three');
  const watching = scenario.start(['status', '--watch']);
  const ran = await scenario.volley(['work', '--parallel', '2']);
  assert.equal(ran.code, 0, ran.stderr);
  assert.match(ran.stdout, /^Running task #1: One$/m);
  assert.match(ran.stdout, /^ {2}#3 \[1\/3\] Review: APPROVED$/m);
  assert.match(ran.stdout, /^⚠ Task #2 needs you: no-verdict, /m);
  assert.match(ran.stdout, /\n\n3 tasks: 2 approved, 1 needs you\n {2}volley land 1 3\n {2}volley decide 2 retry {2}.*\n$/);

  watching.process.kill('SIGINT');
  const watched = await watching.ended;
  assert.equal(watched.code, 0, watched.stderr);
  assert.match(watched.stdout, /^ {2}· 1\. implement One {4}pending$/m);

  const glance = await scenario.volley([]);
  assert.match(
    glance.stdout,
    /^⚠ 1 task needs you\n {2}2\. Two {2}no-verdict: .*\n {5}volley decide 2 retry\n\n✓ 2 ready to land {2}volley land 1 3/,
  );

  const landed = await scenario.volley(['land', '--all']);
  assert.equal(landed.code, 1);
  assert.match(
    landed.stdout,
    /^✓ Task 1 is on main .*\n✗ Task 3 was not landed: Task 3 and main conflict in same\.txt; nothing was changed\.\n/,
  );
  assert.match(landed.stdout, /\n1 of 2 tasks could not be landed:\n {2}3 {2}Task 3 and main conflict/);
  assert.match((await scenario.volley(['status'])).stdout, /✓ 1\. .* landed$/m);

  const refused = await scenario.volley(['work', '--parallel', '0']);
  assert.deepEqual([refused.code, refused.stderr.split('\n')[0]], [1, "error: '0' is not a number of tasks."]);
  assert.equal((await scenario.volley(['work', '--group', 'none'])).stdout, 'Nothing is pending in group none.\n');
});

test('a task that cannot be driven stops no other one, and is reported with exit code 1', async () => {
  await using scenario = await makeScenario({
    agents: { author: turns({ run: 'echo x > "$VOLLEY_TASK.txt"', result: {} }), reviewer: answers(APPROVED) },
  });
  await scenario.start(['run', 'One', '--require-sandbox'], { env: { VOLLEY_FAILPOINT: 'kill:after created', VOLLEY_CONFINE: 'os' } })
    .ended;
  await addTasks(scenario, 'Two');
  const worked = await scenario.volley(['work']);
  assert.equal(worked.code, 1);
  assert.match(worked.stderr, /^error: Task 1: .*\n {2}/);
  assert.match(
    worked.stdout,
    /✓ Task #2 completed \(APPROVED after 1 cycle\)\n\n2 tasks: 1 approved, 1 with an error\n {2}volley land 2\n$/,
  );
});
