import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { connectStdio } from '../support/mcp-client.ts';
import type { McpClient, ToolAnswer } from '../support/mcp-client.ts';
import { answers, APPROVED, issue, makeScenario, rejected, turns } from '../support/scenario.ts';
import type { Scenario } from '../support/scenario.ts';

// Which change an agent's review is of, and which of its reviews are of the same one.

const WRONG = rejected(issue('The second line is wrong.', { file: 'ev.js', line: 2 }));

async function reviewed(mcp: McpClient, input: Record<string, unknown> = {}): Promise<ToolAnswer> {
  const started = await mcp.call('review_my_change', input);
  assert.ok(!started.isError, started.text);
  return await mcp.waitFor(started.data['loop']);
}

async function reported(mcp: McpClient, loop: number, more: Record<string, unknown> = {}): Promise<ToolAnswer> {
  return await mcp.call('report_fixes', { loop, resolutions: [{ findingId: `${loop}.1`, status: 'fixed', note: 'Done.' }], ...more });
}

async function promptOf(scenario: Scenario, call: number): Promise<string> {
  return (await scenario.calls('reviewer'))[call]?.prompt ?? '';
}

/** A project with a second work tree on a branch of its own, or on none, in which `ev.js` is new. */
async function makeLinked(how: readonly string[] = ['-b', 'work']): Promise<Scenario & { readonly linked: string }> {
  const scenario = await makeScenario({ agents: { reviewer: turns({ result: WRONG }, { result: APPROVED }) } });
  const linked = join(scenario.repository.beside, 'linked');
  await scenario.repository.git('worktree', 'add', '--quiet', ...how, linked);
  await writeFile(join(linked, 'ev.js'), 'one\ntwo\n');
  return { ...scenario, linked };
}

describe('the answer to a review', () => {
  test('is about the work tree that was reviewed, which nobody has to name again', async () => {
    await using scenario = await makeLinked();
    const { linked } = scenario;
    await scenario.repository.write('README.md', '# Other\n');
    await using mcp = await connectStdio(scenario);
    await reviewed(mcp, { workTree: linked });
    assert.equal((await reported(mcp, 1)).data['reviewStarted'], false, 'nothing changed there');
    await writeFile(join(linked, 'ev.js'), 'one\nmended\n');
    const next = await reported(mcp, 1);
    assert.match(next.text, new RegExp(`Task 2 reviews the change in ${linked} as it is now: review 2 of at most 3`));
    await mcp.waitFor(2);
    assert.match(await promptOf(scenario, 1), /ev\.js/);
    assert.doesNotMatch(await promptOf(scenario, 1), /README\.md \(/);
  });

  test('is refused where another branch is checked out meanwhile, or another work tree is named', async () => {
    await using scenario = await makeLinked();
    const { linked } = scenario;
    await using mcp = await connectStdio(scenario);
    await reviewed(mcp, { workTree: linked });
    await scenario.repository.write('README.md', '# Other\n');
    const elsewhere = await reported(mcp, 1, { workTree: scenario.root });
    assert.ok(elsewhere.isError);
    assert.match(elsewhere.text, /^Task 1 reviewed what lay on work, and in .* main is now\.\nNothing is written\. Check out work there/);
    await scenario.repository.git('-C', linked, 'stash', '--include-untracked', '--quiet');
    await scenario.repository.git('-C', linked, 'checkout', '--quiet', '-b', 'other');
    await writeFile(join(linked, 'README.md'), '# Mine\n');
    assert.match((await reported(mcp, 1)).text, /^Task 1 reviewed what lay on work, and in .*linked other is now\./);
    await scenario.repository.git('worktree', 'remove', '--force', linked);
    assert.match(
      (await reported(mcp, 1)).text,
      /^Task 1 reviewed the change in .*linked, which is no work tree of this project any more\./,
    );
    assert.deepEqual((await scenario.loop(1)).comments, []);
    assert.equal((await scenario.calls('reviewer')).length, 1);
  });

  test('is refused without a branch where nothing is shared with what was reviewed', async () => {
    await using scenario = await makeLinked(['--detach']);
    const { linked } = scenario;
    await using mcp = await connectStdio(scenario);
    await reviewed(mcp, { workTree: linked });
    assert.match((await reported(mcp, 1, { workTree: scenario.root })).text, /they share no file/);
    await scenario.repository.write('README.md', '# Other\n');
    const { isError, text: said } = await reported(mcp, 1, { workTree: scenario.root });
    assert.ok(isError);
    assert.match(said, /^Nothing says that the change in .* is the one that task 1 reviewed: they share no file\.\nNothing is written\./);
    await writeFile(join(linked, 'ev.js'), 'one\nmended\n');
    assert.equal((await reported(mcp, 1)).data['loop'], 2);
  });

  test('may be that what was wrong is no part of the change any more', async () => {
    await using scenario = await makeLinked();
    const { linked } = scenario;
    await using mcp = await connectStdio(scenario);
    await reviewed(mcp, { workTree: linked });
    await rm(join(linked, 'ev.js'));
    const gone = await reported(mcp, 1);
    assert.partialDeepStrictEqual(gone.data, { loop: 1, reviewStarted: false });
    assert.match(gone.text, /Nothing is left of the change: the code is as its base has it\. So there is nothing to review\./);
    await writeFile(join(linked, 'README.md'), '# Mine\n');
    const { text: said, data } = await reported(mcp, 1);
    assert.equal(data['loop'], 2);
    assert.match(said, /No file that task 1 reviewed differs from the base any more\./);
    assert.equal((await scenario.loop(1)).comments.length, 2);
  });

  test('goes to those who are configured where the reviewer of then is so no more, and says so', async () => {
    await using scenario = await makeScenario({ agents: { reviewer: answers(WRONG), second: answers(APPROVED) } });
    await scenario.repository.write('ev.js', 'one\ntwo\n');
    {
      await using mcp = await connectStdio(scenario);
      await reviewed(mcp);
    }
    const { agents } = JSON.parse(await scenario.repository.git('show', 'HEAD:volley.yaml'));
    const config = { agents: { second: agents.second }, roles: { reviewer: ['second'] } };
    await scenario.repository.commit('another reviewer', { 'volley.yaml': JSON.stringify(config), 'ev.js': 'one\nmended\n' });
    await using mcp = await connectStdio(scenario);
    const { text: said, data } = await reported(mcp, 1);
    assert.equal(data['loop'], 2, said);
    assert.match(said, /"reviewer" is not among those who may review here any more, so those review that are configured now\./);
    assert.equal((await mcp.waitFor(2)).data['state'], 'approved');
  });

  for (const range of ['main..HEAD', 'main..', 'main..work'])
    test(`has what is not committed where the range ended at what is checked out: ${range}`, async () => {
      await using scenario = await makeScenario({ agents: { reviewer: answers(WRONG) } });
      const { repository } = scenario;
      await repository.git('checkout', '--quiet', '-b', 'work');
      await repository.commit('mine', { 'ev.js': 'one\ntwo\n' });
      await using mcp = await connectStdio(scenario);
      await reviewed(mcp, { range });
      await repository.write('ev.js', 'one\nmended\n');
      assert.equal((await reported(mcp, 1)).data['loop'], 2);
      await mcp.waitFor(2);
      assert.match(await promptOf(scenario, 1), /mended/);
    });

  test('says to commit first what is fixed where the change is not checked out', async () => {
    await using scenario = await makeScenario({ agents: { reviewer: answers(WRONG) } });
    const { repository } = scenario;
    await repository.git('checkout', '--quiet', '-b', 'work');
    await repository.commit('mine', { 'ev.js': 'one\ntwo\n' });
    await repository.git('checkout', '--quiet', 'main');
    await using mcp = await connectStdio(scenario);
    await reviewed(mcp, { range: 'main..work' });
    await repository.write('ev.js', 'one\nmended\n');
    const { text: said, data } = await reported(mcp, 1);
    assert.equal(data['reviewStarted'], false);
    assert.match(said, /It is reviewed as work has it, which is not checked out here: commit your fixes to it first/);
  });
});

describe('the change of an agent', () => {
  test('is all that its branch has beyond the default branch, and a commit does not end the limit', async () => {
    await using scenario = await makeScenario({ agents: { reviewer: answers(WRONG) }, config: { policy: { maxRounds: 2 } } });
    const { repository } = scenario;
    await repository.git('checkout', '--quiet', '-b', 'work');
    await repository.commit('mine', { 'first.js': 'one\n' });
    await using mcp = await connectStdio(scenario);
    await repository.write('ev.js', 'one\ntwo\n');
    assert.match((await mcp.call('review_my_change')).text, /It is about all that "work" has beyond \w{12}, committed or not\./);
    await mcp.waitFor(1);
    assert.match(await promptOf(scenario, 0), /first\.js/);
    await repository.commit('wrong all the same');
    await repository.write('README.md', '# Mine\n');
    await reviewed(mcp);
    assert.match(await promptOf(scenario, 1), /ev\.js/);
    await repository.commit('more');
    await repository.write('ev.js', 'one\nthree\n');
    for (const input of [{}, { range: 'HEAD~2..HEAD' }, { change: 'working-tree' }])
      assert.match((await mcp.call('review_my_change', input)).text, /^This change was reviewed 2 times/, JSON.stringify(input));
  });

  test('is what is not committed on the default branch, which the reply says, and a commit does not end the limit', async () => {
    await using scenario = await makeScenario({ agents: { reviewer: answers(WRONG) }, config: { policy: { maxRounds: 2 } } });
    await using mcp = await connectStdio(scenario);
    await scenario.repository.write('ev.js', 'one\ntwo\n');
    const { text: said } = await mcp.call('review_my_change');
    assert.match(said, /It is about what is not committed on "main"; what is committed there is no part of it\./);
    await mcp.waitFor(1);
    await scenario.repository.commit('wrong all the same', { 'ev.js': 'one\nstill\n' });
    await scenario.repository.write('ev.js', 'one\nagain\n');
    await reviewed(mcp);
    await scenario.repository.commit('and again', { 'ev.js': 'one\nonce more\n' });
    await scenario.repository.write('ev.js', 'one\nat last\n');
    assert.match((await mcp.call('review_my_change')).text, /^This change was reviewed 2 times/);
    await scenario.repository.git('checkout', '--quiet', '--', 'ev.js');
    await scenario.repository.write('z.js', 'one\n');
    assert.equal((await mcp.call('review_my_change')).data['loop'], 3, 'another file is another change');
  });

  test('is not approved by the approval of a part of it, but by one that a person asked for', async () => {
    const reviewer = turns({ result: WRONG }, { result: WRONG }, { result: APPROVED }, { result: APPROVED }, { result: WRONG });
    await using scenario = await makeScenario({ agents: { reviewer }, config: { policy: { maxRounds: 2 } } });
    const { repository } = scenario;
    await repository.git('checkout', '--quiet', '-b', 'work');
    await using mcp = await connectStdio(scenario);
    for (const line of ['two', 'three']) {
      await repository.write('ev.js', `one\n${line}\n`);
      await reviewed(mcp);
    }
    await repository.commit('wrong all the same');
    await repository.write('z.js', 'one\n');
    assert.equal((await reviewed(mcp, { change: 'working-tree' })).data['state'], 'approved');
    await repository.commit('more');
    assert.match((await mcp.call('review_my_change')).text, /^This change was reviewed 2 times/);
    assert.equal((await scenario.volley(['review', '--base', 'main'])).code, 0);
    await repository.write('ev.js', 'one\nfour\n');
    assert.equal((await reviewed(mcp)).data['state'], 'self_review_failed');
  });

  test('can be reviewed where the commits of an older review are gone', async () => {
    await using scenario = await makeScenario({ agents: { reviewer: answers(WRONG) } });
    await scenario.repository.write('ev.js', 'one\ntwo\n');
    {
      await using mcp = await connectStdio(scenario);
      await reviewed(mcp);
    }
    await rm(scenario.state, { recursive: true });
    await scenario.repository.write('ev.js', 'one\nmended\n');
    await using mcp = await connectStdio(scenario);
    for (const tool of ['review_my_change', 'start_agent_review']) {
      const { isError, text: said } = await mcp.call(tool);
      assert.ok(!isError, said);
    }
    const answered = await reported(mcp, 1);
    assert.ok(!answered.isError, answered.text);
  });
});
