import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { answers, APPROVED, issue, makeScenario, rejected, turns } from '../support/scenario.ts';
import type { Scenario, ScenarioOptions } from '../support/scenario.ts';
import { userState } from '../support/user-state.ts';

const BAD = rejected(issue('One is not enough.', { file: 'a.txt', line: 1 }));
const FIXER = turns({ write: { 'a.txt': 'two\n' }, result: { summary: 'mended' } });
const GATES = [{ name: 'touch', run: 'touch ran-here; exit 1' }];

/** A repository whose branch `feature`, checked out, adds a.txt in two commits. */
async function withFeature(options: ScenarioOptions): Promise<Scenario> {
  const scenario = await makeScenario({ files: { 'README.md': '# Sample\n', 'b.txt': 'b\n' }, ...options });
  await scenario.repository.git('checkout', '--quiet', '-b', 'feature');
  await scenario.repository.commit('half', { 'half.txt': 'half\n' });
  await scenario.repository.commit('whole', { 'a.txt': 'one\n' });
  return scenario;
}

describe('a review without a fixer', { concurrency: 3 }, () => {
  test('of a branch is one round without gates, and leaves everything as it was', async () => {
    await using scenario = await withFeature({ agents: { reviewer: answers(APPROVED) }, config: { gates: GATES } });
    const untouched = await userState(scenario.root);
    const ran = await scenario.volley(['review', '--branch', 'feature', '--json']);
    const loop = ran.loop();
    assert.deepEqual([ran.code, loop.state, loop.task.kind, loop.rounds.length, loop.next], [0, 'approved', 'review', 1, null]);
    assert.equal(loop.head, await scenario.repository.git('rev-parse', 'feature'));
    assert.equal(loop.approval?.by === 'review' ? loop.approval.proof.gates : 'none', null);
    assert.deepEqual(await userState(scenario.root), untouched);
    assert.equal(await scenario.repository.git('branch', '--list', 'volley/*'), '');
    const prompt = (await scenario.calls('reviewer'))[0]?.prompt ?? '';
    for (const line of ['+half', '+one']) assert.ok(prompt.includes(`\n${line}\n`), line);
  });

  test('that blocks rests with exit code 3 and the choices of a person, and asks nobody', async () => {
    await using scenario = await withFeature({ agents: { reviewer: answers(BAD) } });
    const ran = await scenario.volley(['review']);
    assert.equal(ran.code, 3, ran.stdout + ran.stderr);
    assert.match(ran.stdout, /✗ Task #1: CHANGES_REQUESTED \(round 1: 1 blocking finding\)/);
    const loop = await scenario.loop();
    assert.deepEqual(
      [loop.state, loop.finalVerdict, loop.escalation, loop.choices],
      ['self_review_failed', 'CHANGES_REQUESTED', undefined, ['refine', 'accept', 'cancel']],
    );
  });

  test('of a range takes exactly these commits', async () => {
    await using scenario = await withFeature({ agents: { reviewer: answers(APPROVED) } });
    const ran = await scenario.volley(['review', '--range', 'feature~1..feature', '--json']);
    assert.deepEqual([ran.code, ran.loop().base], [0, await scenario.repository.git('rev-parse', 'feature~1')]);
    const prompt = (await scenario.calls('reviewer'))[0]?.prompt ?? '';
    assert.deepEqual([prompt.includes('a.txt'), prompt.includes('half.txt')], [true, false]);
  });

  test('of a branch compares it with the base that is named', async () => {
    await using scenario = await withFeature({ agents: { reviewer: answers(APPROVED) } });
    const ran = await scenario.volley(['review', '--branch', 'feature', '--base', 'feature~1', '--json']);
    assert.equal(ran.loop().base, await scenario.repository.git('rev-parse', 'feature~1'));
    assert.doesNotMatch((await scenario.calls('reviewer'))[0]?.prompt ?? '', /half\.txt/);
  });

  test('of the working tree sees staged, unstaged and new files, not ignored ones, and leaves all of them', async () => {
    await using scenario = await withFeature({
      agents: { reviewer: answers(APPROVED) },
      files: { '.gitignore': 'secret.txt\n', 'b.txt': 'b\n' },
    });
    const { repository } = scenario;
    await repository.write('staged.txt', 'staged\n');
    await repository.git('add', 'staged.txt');
    await repository.write('b.txt', 'unstaged\n');
    await repository.write('new file.txt', 'new\n');
    await repository.write('secret.txt', 'ignored\n');
    const untouched = await userState(scenario.root);
    const ran = await scenario.volley(['review', '--working-tree', '--json']);
    assert.deepEqual([ran.code, ran.loop().base], [0, await repository.git('rev-parse', 'HEAD')]);
    const prompt = (await scenario.calls('reviewer'))[0]?.prompt ?? '';
    for (const line of ['+staged', '+unstaged', '+new']) assert.ok(prompt.includes(`\n${line}\n`), line);
    assert.deepEqual([prompt.includes('ignored'), prompt.includes('half.txt')], [false, false]);
    assert.deepEqual(await userState(scenario.root), untouched);
  });

  test('obeys the configuration and the standards of the base, not those of the change', async () => {
    const agents = { reviewer: answers(BAD), soft: answers(APPROVED) };
    await using scenario = await makeScenario({ agents, files: { '.volley/standards.md': 'Be strict.\n' } });
    const { repository, root } = scenario;
    await repository.git('checkout', '--quiet', '-b', 'feature');
    const softened = (await readFile(join(root, 'volley.yaml'), 'utf8')).replace(
      /"reviewer": \[\s*"reviewer"\s*\]/,
      '"reviewer": ["soft"]',
    );
    assert.match(softened, /\["soft"\]/);
    await repository.commit('soften', { 'volley.yaml': softened, '.volley/standards.md': 'Be soft.\n', 'a.txt': 'one\n' });
    const ran = await scenario.volley(['review']);
    assert.equal(ran.code, 3, ran.stdout + ran.stderr);
    assert.match(ran.stdout, /configuration is read from the base commit, because the change touches volley\.yaml/);
    const prompt = (await scenario.calls('reviewer'))[0]?.prompt ?? '';
    assert.match(prompt, /\nBe strict\.\n/);
    assert.doesNotMatch(prompt, /\nBe soft\.\n/);
    assert.deepEqual(await scenario.calls('soft'), []);
  });

  test('finds nothing to review, says so, and makes no task', async () => {
    await using scenario = await makeScenario({ agents: { reviewer: answers(APPROVED) } });
    for (const args of [['--branch', 'main'], ['--range', 'main..main'], ['--working-tree']]) {
      const ran = await scenario.volley(['review', ...args]);
      assert.deepEqual([ran.code, ran.stdout.startsWith('Nothing to review: ')], [0, true], ran.stdout + ran.stderr);
    }
    assert.deepEqual((await scenario.volley(['review', '--working-tree', '--json'])).objects(), [
      { type: 'nothing', v: 1, message: 'nothing to review' },
    ]);
    assert.match((await scenario.volley(['status'])).stdout, /No tasks yet\./);
    assert.deepEqual(await scenario.calls('reviewer'), []);
  });

  test('blocks from the severity that --fail-on names', async () => {
    const reviewer = answers({ passed: false, issues: [issue('Hardly worth a word.', { severity: 'low', file: 'a.txt', line: 1 })] });
    await using scenario = await withFeature({ agents: { reviewer } });
    const lenient = await scenario.volley(['review', '--json']);
    assert.deepEqual([lenient.code, lenient.loop().findings[0]?.blocking], [0, false]);
    assert.match(lenient.loop().rounds[0]?.why ?? '', /claimed a rejection, but nothing it named blocks/);
    const strict = await scenario.volley(['review', '--fail-on', 'low', '--json']);
    assert.deepEqual([strict.code, strict.loop().findings[0]?.blocking], [3, true]);
    const wrong = await scenario.volley(['review', '--fail-on', 'enormous']);
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /--fail-on must be one of critical, high, medium, low, suggestion/);
  });

  test("can be refined on a person's word: the fixer answers, and the next round follows", async () => {
    await using scenario = await withFeature({ agents: { reviewer: answers(BAD, APPROVED), fixer: FIXER } });
    assert.equal((await scenario.volley(['review'])).code, 3);
    assert.deepEqual((await scenario.loop()).choices, ['refine', 'accept', 'cancel']);
    const refined = await scenario.volley(['decide', '1', 'refine']);
    assert.equal(refined.code, 0, refined.stdout + refined.stderr);
    assert.deepEqual([(await scenario.loop()).state, (await scenario.loop()).rounds.length], ['approved', 2]);
  });
});

describe('a review with a fixer', { concurrency: 3 }, () => {
  test('of a branch goes on until it is approved, on a branch of its own, and lands on the reviewed one', async () => {
    const gates = [{ name: 'whole', run: 'test -f a.txt' }];
    await using scenario = await withFeature({ agents: { reviewer: answers(BAD, APPROVED), fixer: FIXER }, config: { gates } });
    const { repository } = scenario;
    await repository.git('checkout', '--quiet', 'main');
    const untouched = await userState(scenario.root);
    const ran = await scenario.volley(['review', '--branch', 'feature', '--fix', '--json']);
    const loop = ran.loop();
    assert.deepEqual([ran.code, loop.state, loop.rounds.length, loop.next], [0, 'approved', 2, 'volley land 1']);
    const steps = ran
      .objects()
      .flatMap((one) => (one['event'] instanceof Object && 'action' in one['event'] ? [Object(one['event'].action)['do']] : []));
    assert.deepEqual(steps, ['gates', 'review', 'fix', 'gates', 'review']);
    assert.deepEqual(await userState(scenario.root), untouched);
    assert.equal(await repository.git('log', '--format=%s', `feature..${loop.branch}`), 'fix: address code review round 1 - mended');
    const landed = await scenario.volley(['land', '1']);
    assert.match(landed.stdout, /✓ Task 1 is on feature \(fast-forward/);
    assert.equal(await repository.git('rev-parse', 'feature'), loop.head);
    assert.equal(await repository.git('symbolic-ref', '--short', 'HEAD'), 'main');
  });

  test('of a range fixes on top of its end', async () => {
    await using scenario = await withFeature({ agents: { reviewer: answers(BAD, APPROVED), fixer: FIXER } });
    const ran = await scenario.volley(['review', '--range', 'feature~1..feature', '--fix', '--json']);
    const { head, branch } = ran.loop();
    assert.equal(ran.code, 0);
    assert.equal(await scenario.repository.git('rev-parse', `${branch}~1`), await scenario.repository.git('rev-parse', 'feature'));
    assert.equal(await scenario.repository.git('show', `${head}:a.txt`), 'two');
  });

  test('gives up after its rounds and asks', async () => {
    await using scenario = await withFeature({ agents: { reviewer: answers(BAD), fixer: turns({ run: 'echo more >> a.txt' }) } });
    const ran = await scenario.volley(['review', '--fix', '--max-rounds', '2', '--json']);
    assert.deepEqual([ran.code, ran.loop().escalation?.reason, ran.loop().rounds.length], [2, 'max-rounds', 2]);
  });

  test('of the working tree lands as a patch on the files, which stay uncommitted', async () => {
    await using scenario = await withFeature({
      agents: { reviewer: answers(BAD, APPROVED), fixer: turns({ write: { 'a.txt': 'three\n', 'c.txt': 'c\n' } }) },
    });
    const { repository, root } = scenario;
    await repository.write('a.txt', 'one and a half\n');
    await repository.write('b.txt', 'mine\n');
    await repository.git('add', 'b.txt');
    const untouched = await userState(root);
    const ran = await scenario.volley(['review', '--working-tree', '--fix']);
    assert.equal(ran.code, 0, ran.stdout + ran.stderr);
    assert.deepEqual(await userState(root), untouched);
    const head = await repository.git('rev-parse', 'HEAD');

    await writeFile(join(root, 'a.txt'), 'changed meanwhile\n');
    const differs = await scenario.volley(['land', '1']);
    assert.equal(differs.code, 1);
    assert.match(differs.stderr, /no longer as they were reviewed: a\.txt/);
    assert.deepEqual([await readFile(join(root, 'a.txt'), 'utf8'), existsSync(join(root, 'c.txt'))], ['changed meanwhile\n', false]);

    await writeFile(join(root, 'a.txt'), 'one and a half\n');
    const landed = await scenario.volley(['land', '1']);
    assert.equal(landed.code, 0, landed.stderr);
    assert.match(landed.stdout, /The fixes of task 1 are in your working tree: a\.txt, c\.txt/);
    assert.deepEqual(await Promise.all(['a.txt', 'b.txt', 'c.txt'].map(async (name) => await readFile(join(root, name), 'utf8'))), [
      'three\n',
      'mine\n',
      'c\n',
    ]);
    assert.equal(await repository.git('status', '--porcelain'), ' M a.txt\nM  b.txt\n?? c.txt');
    assert.equal(await repository.git('rev-parse', 'HEAD'), head);
  });

  test('is answered by the built-in fixer where no other is named, which asks a person about what has no exact fix', async () => {
    await using scenario = await withFeature({ agents: { reviewer: answers(BAD) } });
    const ran = await scenario.volley(['review', '--fix', '--json']);
    assert.deepEqual([ran.code, ran.loop().escalation?.reason], [2, 'needs-discussion']);
  });
});
