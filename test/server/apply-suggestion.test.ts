import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { AgentEvent, AgentInput } from '../../src/agents/agent.ts';
import { fakeEnded } from '../../src/agents/fake.ts';
import { linePatch } from '../../src/core/line-patch.ts';
import { LoopOutput } from '../../src/core/output.ts';
import { plainTask } from '../../src/core/task.ts';
import { decideLoop, overrideLoop } from '../../src/engine/commands.ts';
import { eventually } from '../support/scenario.ts';
import { TEST_IDENTITY } from '../support/repository.ts';
import { serveScenario } from '../support/served.ts';
import type { Play, ServedProject } from '../support/served.ts';

const LINES = Array.from({ length: 30 }, (_, n) => `line ${n + 1}`);
const TEXT = `${LINES.join('\n')}\n`;
const NEVER = new AbortController().signal;

/** A finding whose exact patch writes another line in the place of one. */
function suggestion(line: number, severity: string, more: object = {}): object {
  const patch = linePatch('app.ts', TEXT, { line, removed: 1, added: [`better ${line}`] });
  return { file: 'app.ts', line, severity, description: `Line ${line} could be better.`, patch, ...more };
}

function answer(given: object): readonly AgentEvent[] {
  return [fakeEnded(JSON.stringify(given))];
}

const author: Play = async function* ({ cwd }) {
  await writeFile(join(cwd, 'app.ts'), TEXT);
  yield fakeEnded('{}');
};

type Answer = {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly loop: LoopOutput | null;
  readonly commit: string;
};

async function apply(project: ServedProject, finding: string, body: object = {}): Promise<Answer> {
  const [id, number] = finding.split('.');
  const answered = await project.ask('POST', `/api/loops/${id}/findings/${number}/apply`, { body });
  const { code = '', message = '', remedy = '', loop, commit = '' } = Object(answered.body);
  return {
    status: answered.status,
    code,
    message: `${message} ${remedy}`,
    loop: loop === undefined ? null : LoopOutput.parse(loop),
    commit,
  };
}

/** Serves a project with one loop that was driven until it rests. */
async function withLoop(plays: Readonly<Record<string, Play>>, given: { readonly autoReview?: boolean } = {}): Promise<ServedProject> {
  const project = await serveScenario({ author, ...plays });
  await project.app.start({
    change: { kind: 'authored', base: null },
    task: plainTask({ kind: 'implement', title: 'Write it', source: { kind: 'authored' } }),
    flags: {},
    autoReview: given.autoReview ?? true,
  });
  return project;
}

async function rest(project: ServedProject): Promise<ServedProject> {
  await project.app.drive([1], NEVER);
  return project;
}

const APPROVES: Play = () => answer({ passed: true, issues: [suggestion(3, 'suggestion'), suggestion(20, 'suggestion')] });

test('a suggestion on an approved loop is a commit of the person that waits to be looked at', async () => {
  await using project = await rest(await withLoop({ reviewer: APPROVES }));
  const { repository } = project.scenario;
  const before = await project.app.load(1);
  assert.equal(before.state, 'approved');
  const { status, loop, commit } = await apply(project, '1.1', { reason: 'it reads better, sk_live_4eC39HqLyjWDarjtT1zdp7dcAA' });
  assert.equal(status, 200);
  assert.equal(await repository.git('rev-parse', before.branch, `${before.branch}^`), `${commit}\n${before.head?.commit}`);
  assert.equal(
    await repository.git('log', '-1', '--format=%an %ae %s', commit),
    `${TEST_IDENTITY.name} ${TEST_IDENTITY.email} fix: apply the suggestion of finding 1.1 - Line 3 could be better.`,
  );
  assert.equal(await repository.git('show', `${commit}:app.ts`), TEXT.replace('line 3\n', 'better 3\n').trimEnd());
  assert.equal(await repository.git('diff', '--name-only', `${commit}^`, commit), 'app.ts');
  assert.deepEqual([loop?.state, loop?.next], ['approved', 'volley takeover 1']);
  const [decision] = loop?.decisions ?? [];
  assert.deepEqual([decision?.by, decision?.what], [TEST_IDENTITY.name, 'apply the suggestion of 1.1']);
  assert.match(decision?.reason ?? '', /^it reads better, /);
  assert.doesNotMatch(JSON.stringify(await project.app.engine.store.journal(1)), /sk_live_4eC/);
  // A second one goes on top; the same one again does not.
  const second = await apply(project, '1.2');
  assert.equal(await repository.git('rev-parse', `${second.commit}^`), commit);
  const again = await apply(project, '1.1');
  assert.deepEqual([again.status, again.code], [409, 'conflict']);
  assert.match(again.message, /does not apply any more: its lines are not what its patch expects\. /);
  // Handed back, it is reviewed as a round of its own.
  await overrideLoop(project.app.engine, 1, { override: 'takeover', by: 'Ada', reason: null });
  await overrideLoop(project.app.engine, 1, { override: 'handback', by: 'Ada', reason: null });
  await project.app.drive([1], NEVER);
  const end = await project.app.load(1);
  assert.deepEqual([end.state, end.rounds.length, end.rounds.at(-1)?.head.commit], ['approved', 2, second.commit]);
});

test('suggestions that are applied at the same time go one on top of the other', async () => {
  await using project = await rest(await withLoop({ reviewer: APPROVES }));
  const answers = await Promise.all([apply(project, '1.1'), apply(project, '1.2'), apply(project, '1.1')]);
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 200, 409],
  );
  const { branch } = await project.app.load(1);
  const text = await project.scenario.repository.git('show', `${branch}:app.ts`);
  assert.match(text, /better 3\n[^]*better 20/);
  const moves = (await project.app.engine.store.journal(1)).flatMap(({ event }) =>
    event.type === 'moved' ? [event.applied?.findingId] : [],
  );
  assert.deepEqual(new Set(moves), new Set(['1.1', '1.2']));
  assert.equal(moves.length, 2);
});

test('a branch that a person put back to an older commit stays where they put it', async () => {
  await using project = await rest(await withLoop({ reviewer: APPROVES }));
  const { repository } = project.scenario;
  const { branch, head, seq } = await project.app.load(1);
  await repository.git('branch', '--force', branch, 'main');
  const refused = await apply(project, '1.1');
  assert.deepEqual([refused.status, refused.code], [409, 'conflict']);
  assert.match(refused.message, /does not stand where task 1 left it.* brings it back to the work\./);
  assert.equal(await repository.git('rev-parse', branch), await repository.git('rev-parse', 'main'));
  assert.equal((await project.app.load(1)).seq, seq);
  await repository.git('branch', '--force', branch, head?.commit ?? '');
  assert.equal((await apply(project, '1.1')).status, 200);
});

test('a suggestion supersedes what runs, and the loop goes on with it', async () => {
  let fixes = 0;
  const reviewer: Play = ({ round }) =>
    round === 1
      ? answer({
          passed: false,
          issues: [
            { file: 'app.ts', line: 25, severity: 'high', description: 'It loses data.' },
            suggestion(3, 'high'),
            suggestion(20, 'suggestion'),
          ],
        })
      : answer({ passed: true });
  const fixer: Play = async function* ({ cwd }: AgentInput) {
    fixes += 1;
    // The first one is still at it when the person has enough.
    if (fixes === 1)
      for (;;)
        yield await new Promise<AgentEvent>((resolve) => setTimeout(() => resolve({ type: 'text', stream: 'stdout', text: '.' }), 20));
    const text = TEXT.replace('line 3\n', 'better 3\n').replace('line 25\n', 'kept 25\n');
    await writeFile(join(cwd, 'app.ts'), text);
    yield fakeEnded('{}');
  };
  await using project = await withLoop({ reviewer, fixer });
  const driving = project.app.drive([1], NEVER);
  await eventually('a fixer at work', async () => await Promise.resolve(fixes === 1));
  // What blocks nothing is not worth the fix that it would throw away.
  const { seq } = await project.app.load(1);
  const waits = await apply(project, '1.3');
  assert.deepEqual([waits.status, waits.code], [409, 'refused']);
  assert.match(waits.message, /A fix of task 1 is under way.* 1\.3 does not block\. Wait for the fix .* volley takeover 1\./);
  assert.equal((await project.app.load(1)).seq, seq);
  const { status, commit, message } = await apply(project, '1.1');
  assert.equal(status, 200, message);
  await driving;
  const loop = await project.app.load(1);
  assert.equal(loop.state, 'approved', JSON.stringify(loop.escalation));
  assert.ok(loop.commits.includes(commit) && loop.rounds.some((round) => round.head.commit === commit));
  const { repository } = project.scenario;
  const log = await repository.git('log', '--format=%s', loop.branch);
  assert.match(log, /^fix: apply the suggestion of finding 1\.1 - /m);
  assert.match(await repository.git('show', `${loop.branch}:app.ts`), /^better 3$[^]*^kept 25$/m);
  assert.deepEqual(
    loop.decisions.map(({ what }) => what),
    ['apply the suggestion of 1.1'],
  );
});

test('while a question is open, or a person has it, a suggestion is only recorded until they decide', async () => {
  const reviewer: Play = ({ round }) =>
    answer(
      round === 1
        ? { passed: false, verdict: 'needs_discussion', summary: 'Which one?', issues: [suggestion(3, 'low'), suggestion(9, 'low')] }
        : { passed: true },
    );
  await using project = await rest(await withLoop({ reviewer }));
  const first = await apply(project, '1.1');
  assert.deepEqual([first.status, first.loop?.state, first.loop?.escalation?.reason], [200, 'needs_human', 'needs-discussion']);
  assert.equal((await project.app.load(1)).pushed?.head.commit, first.commit);
  await overrideLoop(project.app.engine, 1, { override: 'takeover', by: 'Ada', reason: null });
  const second = await apply(project, '1.2');
  assert.deepEqual([second.status, second.loop?.state], [200, 'blocked']);
  await overrideLoop(project.app.engine, 1, { override: 'handback', by: 'Ada', reason: null });
  await project.app.drive([1], NEVER);
  const loop = await project.app.load(1);
  assert.deepEqual([loop.state, loop.head?.commit], ['approved', second.commit]);
});

test('a loop that rests after a blocking review takes a suggestion into its next step', async () => {
  const reviewer: Play = () => answer({ passed: false, issues: [suggestion(3, 'high')] });
  await using project = await serveScenario({ reviewer });
  const { repository } = project.scenario;
  await repository.git('checkout', '--quiet', '-b', 'feature');
  await repository.commit('feature', { 'app.ts': TEXT });
  await project.app.start({
    change: { kind: 'branch', branch: 'feature', base: 'main' },
    task: plainTask({ kind: 'review', title: 'Review feature', source: { kind: 'branch', branch: 'feature' } }),
    flags: {},
  });
  await project.app.drive([1], NEVER);
  assert.equal((await project.app.load(1)).state, 'self_review_failed');
  const { status, commit, loop } = await apply(project, '1.1');
  assert.deepEqual([status, loop?.state], [200, 'self_review_failed']);
  // Nobody had a reason to publish the branch before; the user's own stays where it is.
  assert.equal(await repository.git('rev-parse', (await project.app.load(1)).branch), commit);
  assert.equal(await repository.git('rev-parse', 'feature'), await repository.git('rev-parse', `${commit}^`));
  await decideLoop(project.app.engine, 1, { choice: 'accept', by: 'Ada', reason: null, agent: null, ceilingUsd: null });
  assert.equal((await project.app.load(1)).head?.commit, commit);
});

test('what cannot be applied is refused with a sentence, and nothing happens', async () => {
  const outside = {
    ...suggestion(1, 'suggestion'),
    file: 'README.md',
    line: 1,
    patch: linePatch('README.md', '# Sample\n', { line: 1, removed: 1, added: ['# Other'] }),
  };
  const elsewhere = suggestion(5, 'suggestion', {
    patch: linePatch('other.ts', TEXT, { line: 5, removed: 1, added: ['x'] }),
    description: 'Elsewhere.',
  });
  const none = { file: 'app.ts', line: 12, severity: 'suggestion', description: 'Only words.' };
  const reviewer: Play = () => answer({ passed: true, issues: [suggestion(3, 'suggestion'), outside, elsewhere, none] });
  await using project = await rest(await withLoop({ reviewer }));
  const { repository } = project.scenario;
  const { branch, head, seq, findings } = await project.app.load(1);
  const idOf = (text: string): string => findings.find((one) => one.description.startsWith(text))?.id ?? '';
  const about = (file: string): string => findings.find((one) => one.file === file)?.id ?? '';
  const refusals: readonly (readonly [string, number, RegExp])[] = [
    ['1.99', 404, /There is no finding 1\.99\./],
    ['7.1', 404, /There is no task 7\./],
    [idOf('Only words'), 409, /comes without an exact patch/],
    [idOf('Elsewhere'), 409, /cannot be applied: its patch is not for this file alone/],
    [about('README.md'), 409, /README\.md is not part of the change/],
  ];
  for (const [finding, status, message] of refusals) {
    const refused = await apply(project, finding);
    assert.deepEqual([refused.status, message.test(refused.message)], [status, true], refused.message);
  }
  assert.equal((await apply(project, '1.1', { why: 'x' })).status, 400);
  assert.deepEqual([await repository.git('rev-parse', branch), (await project.app.load(1)).seq], [head?.commit, seq]);

  await repository.git('checkout', '--quiet', branch);
  const held = await apply(project, idOf('Line 3'));
  assert.equal(held.status, 409);
  assert.match(held.message, /is checked out in .*\. Check out another branch there and apply it again/);
  assert.equal((await project.app.load(1)).seq, seq);

  // A person's own commit is built upon where it leaves the lines alone, and one aside of the work is not.
  const theirs = await repository.commit('by hand', { 'hand.ts': 'x\n' });
  await repository.git('checkout', '--quiet', 'main');
  const onTop = await apply(project, idOf('Line 3'));
  assert.equal(await repository.git('rev-parse', `${onTop.commit}^`), theirs);
  await repository.git('branch', '--force', branch, await repository.commit('elsewhere', { 'else.ts': 'x\n' }));
  const aside = await apply(project, idOf('Line 3'));
  assert.deepEqual([aside.status, aside.code], [409, 'refused']);
  assert.match(aside.message, /was moved away from its work/);
  await repository.git('branch', '--force', branch, head?.commit ?? '');
  await overrideLoop(project.app.engine, 1, { override: 'takeover', by: 'Ada', reason: null });
  await overrideLoop(project.app.engine, 1, { override: 'cancel', by: 'Ada', reason: null });
  assert.match((await apply(project, idOf('Line 3'))).message, /the loop was cancelled/);
  assert.equal(await repository.git('rev-parse', branch), head?.commit);
});

test('of many who apply at the same time each commit is either on the branch or was never made', async () => {
  const reviewer: Play = () => answer({ passed: true, issues: [3, 8, 13, 18, 23, 28].map((line) => suggestion(line, 'suggestion')) });
  await using project = await rest(await withLoop({ reviewer }));
  const { branch, findings } = await project.app.load(1);
  assert.equal(findings.length, 6);
  const answers = await Promise.all(findings.map(async ({ id }) => await apply(project, id)));
  const taken = answers.filter(({ status }) => status === 200);
  for (const { status, code } of answers) assert.ok(status === 200 || (status === 409 && code === 'conflict'), `${status} ${code}`);
  assert.ok(taken.length > 0);
  const onBranch = (await project.scenario.repository.git('log', '--format=%H %s', branch))
    .split('\n')
    .filter((line) => line.includes('fix: apply'));
  assert.deepEqual(onBranch.map((line) => line.slice(0, 40)).toSorted(), taken.map(({ commit }) => commit).toSorted());
  const loop = await project.app.load(1);
  assert.equal(loop.pushed?.head.commit, await project.scenario.repository.git('rev-parse', branch));
  assert.equal(loop.decisions.length, taken.length);
});

test('a finding says whether it has a patch that can be applied, and why it cannot', async () => {
  const plain = { file: 'app.ts', line: 9, severity: 'suggestion', description: 'Line 9 is odd.' };
  const issues = [suggestion(3, 'suggestion'), plain, suggestion(20, 'suggestion', { patch: 'no patch at all' })];
  await using project = await rest(await withLoop({ reviewer: () => answer({ passed: true, issues }) }));
  const told = async (): Promise<unknown> => {
    const { findings } = Object((await project.ask('GET', '/api/loops/1/findings')).body);
    const shown = await Promise.all(
      [1, 2, 3].map(async (number) => Object((await project.ask('GET', `/api/loops/1/findings/${number}`)).body)),
    );
    return shown.map(({ patch, patchProblem, applicable }, index) => {
      assert.equal(findings[index].applicable, applicable);
      return [applicable, patch === null ? null : patch.includes('+better 3'), patchProblem];
    });
  };
  const none = 'Task 1 does not take that: 1.2 comes without an exact patch.';
  const [first, second, third] = (await told()) as readonly (readonly unknown[])[];
  assert.deepEqual(
    [first, second],
    [
      [true, true, null],
      [false, null, none],
    ],
  );
  assert.deepEqual([third?.[0], third?.[1]], [true, false]);
  assert.match(String(third?.[2]), /^The patch of 1\.3 /);
  assert.equal((await apply(project, '1.1')).status, 200);
  assert.match(JSON.stringify(await told()), /The patch of 1\.1 does not apply any more: /);
  const { commit } = await apply(project, '1.1');
  assert.equal(commit, '');
});
