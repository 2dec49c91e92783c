import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Choices } from '../../src/api/contract/people.ts';
import { Started } from '../../src/api/contract/tasks.ts';
import { ErrorOutput } from '../../src/core/output.ts';
import { PreviewOutput, TaskOutput } from '../../src/core/task-output.ts';
import { APPROVED, issue, rejected } from '../support/scenario.ts';
import { serveScenario } from '../support/served.ts';
import type { Answer, ServedProject } from '../support/served.ts';
import { driveTask, loopOf, reviewing, runTask, writing } from '../support/served-loop.ts';

const WRONG = rejected(issue('It is wrong.', { file: 'code.txt', line: 1 }));
const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9'.repeat(2)}`;

/** A project whose author writes two lines, and whose reviewer says these things about them. */
async function makeProject(...results: readonly object[]): Promise<ServedProject> {
  return await serveScenario({
    author: writing({ 'code.txt': 'one\ntwo\nthree\n' }),
    reviewer: reviewing(...(results.length === 0 ? [APPROVED] : results)),
    fixer: writing({ 'code.txt': 'one\nmended\nthree\n' }),
  });
}

/** Sees that a request was refused so, and gives what was said. */
function refused({ status, body }: Answer, expected: number, code: string): ErrorOutput {
  const error = ErrorOutput.parse(body);
  assert.deepEqual([status, error.code], [expected, code], error.message);
  assert.ok(error.message !== '' && error.remedy !== '');
  return error;
}

async function countLoops(project: ServedProject): Promise<number> {
  return (await project.app.engine.store.rows()).length;
}

test('a task is previewed, started, read with all its words and changed before work begins', async () => {
  await using project = await makeProject();
  const order = { text: `Add a limit\n\nFor ${TOKEN} too.`, story: 'As a user…', ref: '2.4', maxRounds: 2, gates: ['npm test'] };
  const preview = await project.ask('POST', '/api/tasks/preview', { body: { ...order, autoReview: true } });
  assert.equal(preview.status, 200, JSON.stringify(preview.body));
  const { steps, settings } = PreviewOutput.parse(Object(preview.body).preview);
  assert.equal(steps[0]?.text, '[DRY-RUN] Would spawn author author for task NEW');
  assert.deepEqual([settings.roles.reviewer, settings.policy.maxRounds, settings.gates[0]?.run], [['reviewer'], 2, 'npm test']);
  refused(await project.ask('POST', '/api/tasks/preview', { body: { ...order, dependsOn: [999] } }), 404, 'unknown-loop');
  assert.equal(await countLoops(project), 0, 'a preview writes nothing');

  const started = await project.ask('POST', '/api/tasks', { body: order });
  assert.equal(started.status, 201);
  assert.deepEqual([Started.parse(started.body).note, Started.parse(started.body).loops.map(({ id }) => id)], [null, [1]]);
  const read = TaskOutput.parse((await project.ask('GET', '/api/tasks/1')).body);
  assert.deepEqual([read.task.title, read.task.story, read.task.ref, read.state], ['Add a limit', 'As a user…', '2.4', 'queued']);
  assert.ok(!JSON.stringify(read).includes(TOKEN), 'no secret is kept');

  const edited = await project.ask('PATCH', '/api/tasks/1', {
    body: { text: 'Add two limits\nSoon.', maxRounds: 3, reason: 'one is too few' },
  });
  assert.equal(edited.status, 200, JSON.stringify(edited.body));
  const after = TaskOutput.parse(edited.body);
  assert.deepEqual([after.task.title, after.task.text, after.maxRounds], ['Add two limits', 'Add two limits\nSoon.', 3]);
  refused(await project.ask('PATCH', '/api/tasks/1', { body: { fixer: 'nobody' } }), 409, 'refused');
  refused(await project.ask('PATCH', '/api/tasks/1', { body: { title: 'Sneaked in' } }), 400, 'bad-request');
  refused(await project.ask('PATCH', '/api/tasks/1', { body: { maxRounds: 4, seq: read.seq } }), 409, 'conflict');
  refused(await project.ask('GET', '/api/tasks/7'), 404, 'unknown-loop');
});

test('several tasks are started at once, all of them or none, from a list or from a Markdown document', async () => {
  await using project = await makeProject();
  const tasks = [
    { text: 'One' },
    { text: 'Two', autoReview: true },
    { kind: 'review', change: { kind: 'branch', branch: 'nowhere', base: null } },
  ];
  refused(await project.ask('POST', '/api/tasks', { body: { tasks } }), 422, 'unknown-ref');
  assert.equal(await countLoops(project), 0);
  refused(
    await project.ask('POST', '/api/tasks', { body: { tasks: [{ text: 'One' }, { text: 'Two', dependsOn: [9] }] } }),
    404,
    'unknown-loop',
  );
  assert.equal(await countLoops(project), 0);
  const both = Started.parse((await project.ask('POST', '/api/tasks', { body: { tasks: tasks.slice(0, 2) } })).body);
  assert.deepEqual(
    both.loops.map(({ id, task }) => `${id} ${task.title}`),
    ['1 One', '2 Two'],
  );
  const from = '# Backlog\n\n## First\n\nIts words.\n\n## Second\n';
  const listed = Started.parse((await project.ask('POST', '/api/tasks', { body: { from, group: 'night' } })).body);
  assert.deepEqual(
    listed.loops.map(({ task }) => [task.title, task.text, task.group]),
    [
      ['First', 'First\n\nIts words.', 'night'],
      ['Second', 'Second', 'night'],
    ],
  );
  refused(await project.ask('POST', '/api/tasks', { body: { from: 'no heading' } }), 422, 'bad-usage');
  refused(await project.ask('POST', '/api/tasks', { body: { from, text: 'both' } }), 422, 'bad-usage');
  refused(await project.ask('POST', '/api/tasks', { body: { from: '# T\n'.repeat(101) } }), 413, 'too-large');
  assert.equal(await countLoops(project), 4);
});

test('orders that cannot be meant are refused with all that is wrong, and a review of nothing makes no loop', async () => {
  await using project = await makeProject();
  const { message } = refused(
    await project.ask('POST', '/api/tasks', { body: { text: 'x', maxRound: 3, reviewer: [], by: 'Somebody Else' } }),
    400,
    'bad-request',
  );
  assert.match(message, /reviewer.*maxRound.*by|maxRound.*by.*reviewer/s);
  const inList = refused(await project.ask('POST', '/api/tasks', { body: { tasks: [{ kind: 'zz' }] } }), 400, 'bad-request');
  assert.match(inList.message, /^'tasks\.0\.kind' in the body must be one of/);
  refused(await project.ask('POST', '/api/tasks', { body: {} }), 422, 'bad-usage');
  refused(await project.ask('POST', '/api/tasks', { body: { text: 'x'.repeat(200_001) } }), 400, 'bad-request');
  refused(await project.ask('POST', '/api/tasks', { body: { text: 'x', maxRounds: 1_000_000_000 } }), 400, 'bad-request');
  for (const body of [
    { text: 'x', fix: true },
    { kind: 'review', autoReview: true },
  ])
    for (const path of ['/api/tasks', '/api/tasks/preview']) refused(await project.ask('POST', path, { body }), 422, 'bad-usage');
  refused(await project.ask('POST', '/api/tasks', { body: { text: 'x'.repeat(2_000_000) } }), 413, 'too-large');
  refused(await project.ask('POST', '/api/tasks', { body: { text: 'x', reviewer: ['nobody'] } }), 422, 'unknown-agent');
  refused(
    await project.ask('POST', '/api/tasks', { body: { kind: 'review', change: { kind: 'authored', base: null } } }),
    422,
    'bad-usage',
  );
  const nothing = await project.ask('POST', '/api/tasks', { body: { kind: 'review' } });
  assert.equal(nothing.status, 200);
  assert.match(Started.parse(nothing.body).note ?? '', /Nothing to review/);
  assert.equal(Object((await project.ask('POST', '/api/tasks/preview', { body: { kind: 'review' } })).body).preview, null);
  assert.equal(await countLoops(project), 0);
});

test('what is wrong with the settings of an order is told by the names of its fields', async () => {
  await using project = await serveScenario({ reviewer: reviewing(APPROVED) });
  const authorless = refused(await project.ask('POST', '/api/tasks', { body: { text: 'Write it' } }), 422, 'bad-config');
  assert.match(authorless.remedy, /^Name one of .*\breviewer\b.* with `author`, or in volley\.yaml/);
  for (const path of ['/api/tasks', '/api/tasks/preview']) {
    const body = { text: 'Write it', author: 'reviewer', ceilingUsd: 1e30, gates: [' '] };
    const { message } = refused(await project.ask('POST', path, { body }), 422, 'bad-config');
    assert.match(message, /`ceilingUsd`|`gates`/);
    assert.doesNotMatch(message, /--/);
  }
});

test('what a loop asks is answered by the name of a choice or by its letter, in the name of whoever the project belongs to', async () => {
  await using project = await makeProject(WRONG, WRONG, APPROVED);
  const asking = await runTask(project, { maxRounds: 1 });
  assert.equal(asking.escalation?.reason, 'max-rounds');
  const { choices, seq, escalation } = Choices.parse((await project.ask('GET', '/api/loops/1/choices')).body);
  assert.equal(escalation?.reason, 'max-rounds');
  assert.deepEqual(
    choices.map(({ choice, letter }) => `${letter} ${choice}`),
    ['a fix-manually', 'b accept', 'c one-more-round', 'd cancel'],
  );
  const decide = async (body: object): Promise<Answer> => await project.ask('POST', '/api/loops/1/decisions', { body });
  refused(await decide({ choice: 'z' }), 422, 'bad-usage');
  refused(await decide({ choice: 'raise-ceiling', ceilingUsd: 3 }), 409, 'refused');
  refused(await decide({ choice: 'accept', by: 'Somebody Else' }), 400, 'bad-request');
  refused(await decide({ choice: 'raise-ceiling', ceilingUsd: 99_999_999_999 }), 400, 'bad-request');
  refused(await decide({ choice: 'accept', seq: seq - 1 }), 409, 'conflict');
  assert.equal(Choices.parse((await project.ask('GET', '/api/loops/1/choices')).body).seq, seq, 'nothing was written');
  const decided = loopOf(await decide({ choice: 'c', reason: 'It is nearly there.', seq }));
  assert.deepEqual(
    decided.decisions.map(({ by, what }) => [by, what]),
    [['Test Person', 'one-more-round']],
  );
  assert.deepEqual((await driveTask(project, 1)).escalation?.reason, 'max-rounds');
  refused(await decide({ choice: 'c', seq }), 409, 'conflict');
  assert.equal(loopOf(await decide({ choice: 'accept', reason: 'Good enough.' })).finalVerdict, 'APPROVED');
  refused(await project.ask('GET', '/api/loops/9/choices'), 404, 'unknown-loop');
});

test('an override is obeyed once where two are sent at once for what both saw', async () => {
  await using project = await makeProject(WRONG);
  const { seq } = await runTask(project, { maxRounds: 1 });
  const send = async (override: string): Promise<Answer> =>
    await project.ask('POST', '/api/loops/1/overrides', { body: { override, seq, reason: 'I looked at it.' } });
  const answers = await Promise.all([send('ready'), send('skip'), send('ready')]);
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 409, 409],
  );
  const journal = await project.app.engine.store.journal(1);
  assert.equal(journal.filter(({ event }) => event.type === 'overridden').length, 1);
});

test('overrides do what the commands of the terminal do; a cancelled loop leaves no folder behind', async () => {
  await using project = await makeProject(WRONG);
  await runTask(project, { maxRounds: 1 });
  const override = async (body: object): Promise<Answer> => await project.ask('POST', '/api/loops/1/overrides', { body });
  const taken = loopOf(await override({ override: 'takeover' }));
  assert.equal(await project.scenario.repository.git('rev-parse', taken.branch), taken.head, 'its branch is there');
  refused(await override({ override: 'refine' }), 409, 'refused');
  loopOf(await override({ override: 'handback' }));
  refused(await override({ override: 'verdict' }), 409, 'refused');
  refused(await override({ override: 'explode' }), 400, 'bad-request');
  const { seq: untouched } = await project.app.load(1);
  refused(await override({ override: 'cancel', verdict: 'APPROVED' }), 422, 'bad-usage');
  refused(await override({ override: 'refine', review: true }), 422, 'bad-usage');
  refused(await override({ override: 'verdict', verdict: 'APPROVED', review: true }), 422, 'bad-usage');
  assert.equal((await project.app.load(1)).seq, untouched);
  assert.equal(loopOf(await override({ override: 'verdict', verdict: 'CHANGES_REQUESTED' })).state, 'self_review_failed');
  const state = join(project.scenario.state, 'volley');
  const checkouts = readdirSync(state).map((key) => join(state, key, 'checkouts'));
  const open = (): readonly string[] => checkouts.flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : []));
  assert.equal(open().length, 1);
  assert.equal(loopOf(await override({ override: 'cancel', reason: `no ${TOKEN}` })).state, 'cancelled');
  assert.deepEqual(open(), []);
  assert.ok(!JSON.stringify(await project.app.engine.store.journal(1)).includes(TOKEN));
});

test('a ruling on a finding changes the verdict at once', async () => {
  await using project = await makeProject(WRONG);
  const { seq } = await runTask(project, { maxRounds: 1 });
  const rule = async (number: number | string, body: object): Promise<Answer> =>
    await project.ask('POST', `/api/loops/1/findings/${number}/rulings`, { body });
  refused(await rule(7, { ruling: 'refute' }), 404, 'not-found');
  refused(await rule('x', { ruling: 'refute' }), 400, 'bad-request');
  refused(await rule(1, { ruling: 'ignore' }), 400, 'bad-request');
  refused(await rule(1, { ruling: 'reopen' }), 409, 'refused');
  refused(await rule(1, { ruling: 'refute', seq: seq - 1 }), 409, 'conflict');
  const { findings } = loopOf(await rule(1, { ruling: 'refute', reason: 'It is meant so.' }));
  assert.deepEqual(
    findings.map(({ status, ruling }) => [status, ruling?.by]),
    [['refuted', 'Test Person']],
  );
  assert.equal((await driveTask(project, 1)).state, 'approved');
});

test('half a character becomes a whole one before anything is kept of it', async () => {
  await using project = await makeProject();
  const half = async (path: string, body: string): Promise<number> => {
    const headers = { authorization: `Bearer ${project.token}`, 'content-type': 'application/json' };
    return (await fetch(`${project.served.url}${path}`, { method: 'POST', headers, body })).status;
  };
  assert.equal(await half('/api/tasks', '{"text":"Add \\ud83d\\ude00 and \\uD800 here","autoReview":true}'), 201);
  await driveTask(project, 1);
  assert.equal(await half('/api/loops/1/comments', '{"text":"Mind \\udc00."}'), 201);
  const { task, comments } = await project.app.load(1);
  assert.deepEqual([task.title, comments[0]?.text], ['Add 😀 and \ufffd here', 'Mind \ufffd.']);
});

test('a comment guides the next fixer, or asks for changes on the lines that it names', async () => {
  await using project = await makeProject();
  assert.equal((await runTask(project)).state, 'approved');
  const comment = async (body: object): Promise<Answer> => await project.ask('POST', '/api/loops/1/comments', { body });
  for (const bad of [
    { text: 'x', file: 'nowhere.txt' },
    { text: 'x', file: '../../etc/passwd' },
    { text: 'x', file: 'code.txt', line: 4 },
    { text: 'x', file: 'code.txt', line: 2, lineEnd: 4 },
    { text: 'x', file: 'code.txt', line: 3, lineEnd: 2 },
    { text: 'x', line: 2 },
  ])
    refused(await comment(bad), 422, 'bad-usage');
  for (const bad of [{ text: ' ' }, { text: 'x'.repeat(20_001) }, { text: 'x', line: 0, file: 'code.txt' }, { text: 'x', by: 'Me' }])
    refused(await comment(bad), 400, 'bad-request');
  const noted = await comment({ text: `Mind ${TOKEN}.`, file: 'code.txt', line: 1 });
  assert.equal(noted.status, 201);
  assert.partialDeepStrictEqual(noted.body, { comments: [{ by: 'Test Person', file: 'code.txt', line: 1, findingId: null, draft: null }] });
  const asked = await comment({ text: 'Say it better.', file: 'code.txt', line: 2, lineEnd: 3, asks: true });
  assert.partialDeepStrictEqual(asked.body, { comments: [{ line: 2, lineEnd: 3, findingId: '1.1' }] });
  const { findings } = await driveTask(project, 1);
  assert.deepEqual(
    findings.map(({ id, source, line, lineEnd, snippet, status }) => [id, source, line, lineEnd, snippet, status]),
    [['1.1', 'person', 2, 3, 'two\nthree', 'fixed']],
  );
  assert.ok(!JSON.stringify(await project.app.engine.store.journal(1)).includes(TOKEN));
});
