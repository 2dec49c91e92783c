import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answers, issue, makeScenario, rejected, turns } from '../support/scenario.ts';

const ESCAPE = '\u001b';
const DOWN = '\u001b[B';

test('on a terminal a loop shows what it does, asks, goes on as it is told, asks again, and is left for later', async () => {
  await using scenario = await makeScenario({
    agents: {
      author: turns({ run: 'echo Looking around; sleep 0.5; echo one > a.txt', result: {} }),
      reviewer: answers(rejected(issue('Not enough.', { file: 'a.txt', line: 1 }))),
      fixer: turns({ run: 'echo more >> a.txt', result: {} }),
    },
  });
  const { code, screen } = await scenario.onTerminal(
    ['run', 'Write it', '--max-rounds', '1'],
    [
      { at: 'e) Decide later', press: 'c' },
      { at: 'Why?', press: 'Try harder.\r' },
      { at: 'e) Decide later', press: `${DOWN}${DOWN}` },
      { at: '●', press: ESCAPE },
    ],
  );
  assert.equal(code, 2, screen);
  assert.match(screen, /→ #1 implementing 1\/1 author \d s {2}Looking around/);
  assert.match(screen, /Max review cycles \(1\) reached without approval/);
  assert.doesNotMatch(screen, /Options:/);
  assert.match(screen, /Task 1: one-more-round, decided by Test Person/);
  assert.match(screen, /After 2 review rounds, issues remain:/);
  assert.match(screen, /Left as it is\. Later: volley decide 1 asks again; volley decide 1 one-more-round answers at once\./);
  const decided = (await scenario.journal()).flatMap(({ event }) => (event.type === 'decided' ? [[event.choice, event.reason]] : []));
  assert.deepEqual(decided, [['one-more-round', 'Try harder.']]);

  const watched = await scenario.onTerminal(['status', '--watch'], [{ at: 'Ctrl-C leaves', press: '\u0003' }]);
  assert.equal(watched.code, 0, watched.screen);
  assert.match(watched.screen, /✓ 1\. implement Write it {4}completed {2}MAX_CYCLES_REACHED \(2 cycles\)/);
  assert.ok(watched.screen.lastIndexOf('\u001b[?25h') > watched.screen.lastIndexOf('\u001b[?25l'), 'the cursor is back');

  const inCi = await scenario.onTerminal(['decide', '1'], [], { CI: '1' });
  assert.equal(inCi.code, 1);
  assert.match(inCi.screen, /A choice is missing\./);
});
