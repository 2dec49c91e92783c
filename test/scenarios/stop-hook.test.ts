import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { DEFECT, MENDED } from '../support/defect.ts';
import { APPROVED, issue, makeScenario, rejected, turns } from '../support/scenario.ts';
import type { Scenario, VolleyOptions } from '../support/scenario.ts';

const Answer = z.strictObject({
  decision: z.literal('block').optional(),
  reason: z.string().optional(),
  systemMessage: z.string().optional(),
});
type Answer = z.infer<typeof Answer>;

type Call = VolleyOptions & {
  readonly said?: Readonly<Record<string, unknown>>;
  readonly verb?: string;
  readonly args?: readonly string[];
};

/** Calls the hook as Claude Code does, and gives what it answered. */
async function callHook(scenario: Scenario, call: Call = {}): Promise<Answer> {
  const { said = {}, verb = 'stop', args = [], ...options } = call;
  const told = { session_id: 'one', cwd: scenario.root, hook_event_name: 'Stop', stop_hook_active: false, ...said };
  const { code, stdout, stderr } = await scenario.volley(['hook', verb, ...args], { input: JSON.stringify(told), ...options });
  assert.deepEqual([code, stderr], [0, '']);
  return Answer.parse(stdout === '' ? {} : JSON.parse(stdout));
}

describe('the Stop hook', { concurrency: 2 }, () => {
  test('looks at the branch where all is committed, and obeys a person who refutes what blocked', async () => {
    await using scenario = await makeScenario();
    assert.deepEqual(await callHook(scenario), {});
    assert.equal(existsSync(join(scenario.root, '.volley')), false);
    await scenario.repository.git('switch', '--quiet', '-c', 'feature');
    await scenario.repository.commit('feature', { 'save.js': DEFECT });
    const held = await callHook(scenario);
    assert.match(held.reason ?? '', /time 1 of 3\..*save\.js.*line 2: forEach does not wait/s);
    assert.equal((await scenario.volley(['finding', '1.1', 'refute', '--reason', 'there is one item'])).code, 0);
    assert.deepEqual(await callHook(scenario), {});
    assert.deepEqual(await callHook(scenario, { said: { session_id: 'two' }, args: ['--fail-on', 'critical'] }), {});
    assert.equal(await scenario.repository.git('status', '--short'), '');
  });

  test('reviews commits and what is not committed together, by a reviewer that the agent did not choose', async () => {
    await using scenario = await makeScenario();
    await scenario.repository.commit('mine', { 'save.js': DEFECT });
    await scenario.repository.git('reset', '--quiet', '--hard', 'HEAD~1');
    assert.deepEqual(await callHook(scenario, { verb: 'session-start' }), {});
    await scenario.repository.git('merge', '--quiet', 'ORIG_HEAD');
    await scenario.repository.write('notes.txt', 'done\n');
    await scenario.repository.write('volley.yaml', 'policy: { blockAt: critical }\n');
    await scenario.repository.git('update-index', '--assume-unchanged', 'volley.yaml');
    const held = await callHook(scenario);
    assert.match(held.reason ?? '', /1 blocking in 2 changed files.*save\.js/s);
    await scenario.repository.commit('all of it');
    assert.match((await callHook(scenario)).reason ?? '', /^Nothing has changed since/);
  });

  test('asks the reviewer that is configured, once for each change, and lets go at the limit', async () => {
    const no = { result: rejected(issue('One is not enough.', { file: 'a.txt', line: 1 })) };
    await using scenario = await makeScenario({
      agents: { reviewer: turns(no, no, { result: APPROVED }) },
      config: { policy: { maxRounds: 1 } },
    });
    const asked = async (): Promise<number> => (await scenario.calls('reviewer')).length;
    await scenario.repository.write('a.txt', 'one\n');
    assert.equal((await callHook(scenario)).decision, 'block');
    const unchanged = await callHook(scenario, { said: { stop_hook_active: true } });
    assert.deepEqual([unchanged.decision, await asked()], [undefined, 1]);
    await scenario.repository.write('a.txt', 'uno\n');
    assert.match(unchanged.systemMessage ?? '', /held the agent back 1 time and now lets it stop.*volley findings 1/);
    assert.equal((await callHook(scenario)).decision, 'block');
    await scenario.repository.write('a.txt', 'two\n');
    assert.deepEqual([await callHook(scenario), await callHook(scenario), await asked()], [{}, {}, 3]);
  });

  test('never keeps an agent by a mistake of its own, and stays out of where it has no business', async () => {
    await using scenario = await makeScenario();
    await scenario.repository.write('save.js', DEFECT);
    assert.deepEqual(await callHook(scenario, { env: { VOLLEY_ROLE: 'author' } }), {});
    assert.deepEqual(await callHook(scenario, { said: { permission_mode: 'plan' } }), {});
    assert.deepEqual(await callHook(scenario, { said: { cwd: scenario.repository.beside } }), {});
    assert.match((await callHook(scenario, { input: 'no JSON' })).systemMessage ?? '', /^Volley did not review this change: /);
    assert.match((await callHook(scenario, { args: ['--reviewer', 'nobody'] })).systemMessage ?? '', /nobody \(reviewer\) is not an agent/);
    await scenario.repository.write('volley.yaml', 'polcy: {}\n');
    await scenario.repository.git('commit', '--quiet', '--message', 'broken', '--', 'volley.yaml');
    assert.match((await callHook(scenario, { said: { session_id: 'two' } })).systemMessage ?? '', /polcy is not a setting/);
    assert.equal((await scenario.volley(['hook', 'stop', '--fail-on', 'bad'], { input: '{}' })).code, 1);
  });

  test('holds nobody to what was there when the session began', async () => {
    await using scenario = await makeScenario();
    await scenario.repository.write('save.js', DEFECT);
    assert.deepEqual(await callHook(scenario, { verb: 'session-start' }), {});
    assert.deepEqual(await callHook(scenario), {});
    await scenario.repository.write('more.js', MENDED.replace('save', 'more'));
    assert.equal((await callHook(scenario)).decision, 'block');
  });
});
