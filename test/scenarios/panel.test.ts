import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { answers, APPROVED, eventually, issue, makeScenario, rejected, turns } from '../support/scenario.ts';
import type { Scenario, ScriptedAgent } from '../support/scenario.ts';

const AUTHOR = turns({ write: { 'src/sum.js': 'export const sum = (a, b) => a - b;\n' } });
const FIXER = turns({ write: { 'src/sum.js': 'export const sum = (a, b) => a + b;\n' } });
const BUG = (words: string, more: object = {}): object => issue(words, { file: 'src/sum.js', line: 1, ...more });

async function withPanel(
  agents: Readonly<Record<string, ScriptedAgent>>,
  config: Readonly<Record<string, unknown>> = {},
): Promise<Scenario> {
  const reviewer = Object.keys(agents).filter((name) => !['author', 'fixer', 'arbiter', 'spare'].includes(name));
  const { roles = {}, ...rest } = config;
  return await makeScenario({
    agents: { author: AUTHOR, fixer: FIXER, ...agents },
    config: { roles: { reviewer, ...Object(roles) }, ...rest },
  });
}

/** Shell code that ends well only if the other one is at work at the same time. */
function meeting(own: string, other: string): string {
  return `touch "$HOME/${own}"; n=0; until [ -e "$HOME/${other}" ]; do n=$((n+1)); [ $n -lt 300 ] || exit 1; sleep 0.1; done`;
}

describe('a panel', () => {
  test('reviews in parallel, and what several raise is one finding with all their names and the worst that any said', async () => {
    await using scenario = await withPanel({
      alpha: turns({ run: meeting('alpha', 'beta'), result: APPROVED }),
      beta: turns(
        { run: meeting('beta', 'alpha'), result: rejected(BUG('`sum` subtracts b instead of adding it.', { severity: 'medium' })) },
        { result: APPROVED },
      ),
      gamma: answers(rejected(BUG('`sum` subtracts `b`, it does not add it.', { severity: 'critical' })), APPROVED),
    });
    const loop = (await scenario.volley(['run', 'Write it', '--json'])).loop();
    assert.deepEqual([loop.state, loop.rounds[0]?.reviewers, loop.rounds[0]?.findings], ['approved', ['alpha', 'beta', 'gamma'], 1]);
    assert.deepEqual([loop.findings[0]?.severity, loop.findings[0]?.raisedBy.toSorted()], ['critical', ['beta', 'gamma']]);
    assert.ok(loop.approval?.by === 'review' && loop.approval.proofs.length === 3);
    assert.deepEqual([(await scenario.calls('alpha')).length, (await scenario.calls('beta')).length], [2, 2], 'they met at once');
    const document = await readFile(
      join(scenario.root, '.volley/reviews', `${new Date().toISOString().slice(0, 10).replaceAll('-', '')}-task-1-review-1.md`),
      'utf8',
    );
    assert.match(document, /## Panel\n\n- alpha: nothing of its own blocks, 0 findings\n- beta: asks for changes, 1 finding/);
  });

  test('that was killed in the middle asks only those again who had not answered', async () => {
    await using scenario = await withPanel({
      quick: turns({ result: APPROVED }),
      slow: turns({ run: 'echo begun; sleep 60', result: APPROVED }, { result: APPROVED }),
    });
    const running = scenario.start(['run', 'Write it', '--json']);
    await eventually('the quick one is journalled', async () => {
      const entries = await scenario.journal().catch(() => []);
      return entries.some(({ event }) => event.type === 'reviewed' && event.member === 'quick');
    });
    running.process.kill('SIGKILL');
    await running.ended;
    const loop = (await scenario.volley(['work', '1', '--json'])).loop();
    assert.deepEqual([loop.state, loop.rounds[0]?.reviewers], ['approved', ['quick', 'slow']]);
    assert.deepEqual([(await scenario.calls('quick')).length, (await scenario.calls('slow')).length], [1, 2]);
  });

  test('without a quorum asks a person, who may go on without the lost member', async () => {
    await using scenario = await withPanel({ here: answers(APPROVED), gone: turns({ exit: 3 }) });
    const asked = await scenario.volley(['run', 'Write it', '--json']);
    assert.deepEqual([asked.code, asked.loop().escalation?.reason], [2, 'no-verdict']);
    assert.ok(asked.loop().choices.includes('continue-without'));
    const went = await scenario.volley(['decide', '1', 'continue-without', '--json']);
    assert.deepEqual([went.code, went.loop().state, went.loop().rounds[0]?.reviewers], [0, 'approved', ['here']]);
    assert.equal((await scenario.calls('here')).length, 1, 'an answer that counts is kept');
  });

  test('does not count static analysis beside others, but takes its findings', async () => {
    await using scenario = await withPanel(
      { author: turns({ write: { 'src/run.js': 'export const run = (text) => eval(text);\n' } }), model: answers(APPROVED) },
      { roles: { reviewer: ['builtin', 'model'] }, policy: { maxRounds: 1, quorum: 'any' } },
    );
    const loop = (await scenario.volley(['run', 'Write it', '--json'])).loop();
    assert.deepEqual([loop.escalation?.reason, loop.findings[0]?.raisedBy], ['max-rounds', ['builtin']]);
  });

  test('whose every answer is refused for its size asks a person and starts nobody', async () => {
    await using scenario = await withPanel({ small: answers(APPROVED) }, { agents: { small: { maxPromptChars: 200 } } });
    const asked = await scenario.volley(['run', 'Write it', '--json']);
    assert.equal(asked.loop().escalation?.reason, 'no-verdict');
    assert.match(asked.loop().escalation?.why ?? '', /what it would have to read has \d+ characters, and it takes 200/);
    assert.equal((await scenario.calls('small')).length, 0);
    assert.equal(asked.loop().next, 'volley decide 1 reassign --agent NAME');
  });
});
