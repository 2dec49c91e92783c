import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';
import { fakeEnded, fakeFailed } from '../../src/agents/fake.ts';
import { ErrorOutput } from '../../src/core/output.ts';
import { AgentReview } from '../../src/core/seed-000.ts';
import { ReviewLoopSession, ReviewResult } from '../../src/core/seed-002.ts';
import { plainTask } from '../../src/core/task.ts';
import { serveScenario } from '../support/served.ts';
import type { Play, ServedProject } from '../support/served.ts';

const ISSUE = {
  file: 'greet.js',
  line: 1,
  severity: 'high',
  category: 'logic',
  description: 'It greets nobody.',
  suggestion: 'Name whom.',
};
const REJECTED = { passed: false, issues: [ISSUE], summary: 'Not yet.' };
const APPROVED = { passed: true, issues: [], summary: 'Good.' };

/** An agent that writes this into the file and says that it is done. */
function writes(text: string): Play {
  return async function* ({ cwd }) {
    await writeFile(join(cwd, 'greet.js'), text);
    yield fakeEnded(JSON.stringify({ summary: `wrote ${text.trim()}`, taskComplete: true }));
  };
}

/** A reviewer that gives these answers, one after the other; null is none. */
function says(...answers: (object | null)[]): Play {
  return () => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    return [answer === null || answer === undefined ? fakeFailed('crashed') : fakeEnded(JSON.stringify(answer))];
  };
}

async function serve(reviewer: Play): Promise<ServedProject> {
  return await serveScenario({ author: writes('hello()\n'), reviewer, fixer: writes('hello(you)\n') });
}

/** A new task, which is reviewed by itself or comes to rest unreviewed. */
async function addTask({ app }: ServedProject, autoReview: boolean): Promise<number> {
  const task = plainTask({ kind: 'implement', title: 'Greet people', source: { kind: 'authored' } });
  const loop = await app.start({ change: { kind: 'authored', base: null }, task, flags: {}, autoReview });
  assert.ok(loop);
  return loop.id;
}

async function drive({ app }: ServedProject, id: number): Promise<void> {
  await app.drive([id], new AbortController().signal);
}

async function built(project: ServedProject, autoReview = false): Promise<number> {
  const id = await addTask(project, autoReview);
  await drive(project, id);
  return id;
}

async function post(project: ServedProject, path: string, body?: unknown): Promise<{ status: number; session: ReviewLoopSession }> {
  const answer = await project.ask('POST', `/api/review-loop/${path}`, body === undefined ? {} : { body });
  return { status: answer.status, session: ReviewLoopSession.parse(answer.body) };
}

async function refused(project: ServedProject, path: string, body?: unknown): Promise<{ status: number; error: ErrorOutput }> {
  const answer = await project.ask('POST', `/api/review-loop/${path}`, body === undefined ? {} : { body });
  return { status: answer.status, error: ErrorOutput.parse(answer.body) };
}

async function statusOf(project: ServedProject, id: number | string): Promise<ReviewLoopSession> {
  const { status, body } = await project.ask('GET', `/api/review-loop/${id}/status`);
  assert.equal(status, 200);
  return ReviewLoopSession.parse(body);
}

async function historyOf(project: ServedProject, id: number): Promise<readonly ReviewResult[]> {
  const { status, body } = await project.ask('GET', `/api/review-loop/${id}/history`);
  assert.equal(status, 200);
  return z.array(ReviewResult).parse(body);
}

async function entriesOf({ app }: ServedProject, id: number): Promise<readonly string[]> {
  return (await app.engine.store.journal(id)).map(({ event }) => (event.type === 'overridden' ? event.override : event.type));
}

test('a task that rests unreviewed is started, refined and approved, and each answer says where it stands', async () => {
  await using project = await serve(says(REJECTED, APPROVED));
  const id = await addTask(project, false);
  assert.partialDeepStrictEqual(await statusOf(project, id), { featureId: '1', state: 'queued', iterations: [], currentIteration: 0 });
  await drive(project, id);
  assert.equal((await statusOf(project, id)).state, 'pending_self_review');
  assert.deepEqual(await historyOf(project, id), []);

  const started = await post(project, `${id}/start`);
  assert.deepEqual([started.status, started.session.state, started.session.completedAt], [202, 'pending_self_review', undefined]);
  await drive(project, id);
  const failed = await statusOf(project, id);
  assert.partialDeepStrictEqual(failed, { state: 'self_review_failed', currentIteration: 1 });
  assert.partialDeepStrictEqual(failed.iterations, [
    {
      verdict: 'needs_work',
      iteration: 1,
      issues: [{ id: '1.1', severity: 'high', file: 'greet.js', lineStart: 1, suggestedFix: 'Name whom.' }],
    },
  ]);

  const refined = await post(project, `${id}/refine`, { reason: 'Greet the one who asks.' });
  assert.deepEqual([refined.status, refined.session.state], [200, 'self_review_failed']);
  await drive(project, id);
  const approved = await statusOf(project, id);
  assert.equal(approved.state, 'approved');
  assert.ok(approved.completedAt !== undefined && approved.completedAt >= approved.startedAt);
  assert.deepEqual(
    (await historyOf(project, id)).map(({ verdict, iteration }) => [verdict, iteration]),
    [
      ['needs_work', 1],
      ['pass', 2],
    ],
  );
  const { body } = await project.ask('GET', `/api/loops/${id}/agent-review`);
  const review = AgentReview.parse(body);
  assert.partialDeepStrictEqual(review, { status: 'approved', diffSource: 'branch', maxRounds: 3, costCeiling: null });
  assert.deepEqual(
    review.rounds.map(({ authorResponse, reviewComments }) => [authorResponse, reviewComments.map(({ severity }) => severity)]),
    [
      ['wrote hello(you)', ['error']],
      [null, []],
    ],
  );
  assert.match(review.reviewerSessionId, /^task-1-\d+-reviewer$/);
  assert.match(review.authorSessionId, /^task-1-\d+-fixer$/);

  const again = await refused(project, `${id}/start`);
  assert.equal(again.status, 409);
  assert.equal(again.error.message, 'The review of task 1 cannot start: it is approved.');
});

test('a loop is found by its uid too', async () => {
  await using project = await serve(says(APPROVED));
  const id = await built(project, true);
  const { uid } = await project.app.load(id);
  assert.deepEqual(await statusOf(project, uid), await statusOf(project, id));
  assert.equal((await project.ask('GET', `/api/loops/${uid}/agent-review`)).status, 200);
});

test('a task that is queued or under way is started by whoever drives it, once', async () => {
  await using project = await serve(says(REJECTED, APPROVED));
  const id = await addTask(project, true);
  const before = await entriesOf(project, id);
  const { status, session } = await post(project, `${id}/start`, { reason: 'now' });
  assert.deepEqual([status, session.state], [202, 'queued']);
  assert.deepEqual(await entriesOf(project, id), before);
  await drive(project, id);
  assert.equal((await statusOf(project, id)).state, 'approved');
});

test('a task that would rest unreviewed is reviewed once it is implemented, if somebody started that before', async () => {
  await using project = await serve(says(REJECTED));
  const id = await addTask(project, false);
  const answers = await Promise.all([1, 2].map(async () => await post(project, `${id}/start`, { reason: 'I want to see it' })));
  assert.deepEqual(
    answers.map(({ status, session }) => [status, session.state]),
    [
      [202, 'queued'],
      [202, 'queued'],
    ],
  );
  assert.partialDeepStrictEqual((await project.app.load(id)).decisions, [
    { what: 'changed autoReview, autoIterate', reason: 'I want to see it' },
  ]);
  await drive(project, id);
  assert.deepEqual([(await statusOf(project, id)).state, (await historyOf(project, id)).length], ['self_review_failed', 1]);
});

test('what broke is tried again', async () => {
  await using project = await serve(says(null, null, APPROVED));
  const id = await built(project, true);
  assert.equal((await statusOf(project, id)).state, 'needs_human');
  const asking = await refused(project, `${id}/start`);
  assert.equal(asking.status, 409);
  assert.match(asking.error.message, /^The review of task 1 cannot start: it asks a person: no reviewer gave a verdict/);
  const { status, session } = await post(project, `${id}/retry`, {});
  assert.deepEqual([status, session.state], [200, 'pending_self_review']);
  await drive(project, id);
  assert.equal((await statusOf(project, id)).state, 'approved');
});

test('a review that was skipped leads to a person and never to an approval, and can still be started', async () => {
  await using project = await serve(says(APPROVED));
  const id = await built(project);
  assert.equal((await post(project, `${id}/skip`, { reason: 'it is a draft' })).status, 200);
  await drive(project, id);
  assert.equal((await statusOf(project, id)).state, 'ready_for_human_review');
  assert.equal((await project.ask('POST', `/api/review-loop/${id}/skip`)).status, 409, 'it is ready already, and stays so');
  assert.equal((await statusOf(project, id)).state, 'ready_for_human_review');
  assert.equal((await post(project, `${id}/start`)).status, 202);
  await drive(project, id);
  assert.equal((await statusOf(project, id)).state, 'approved');
});

test('what is marked ready rests for a person, whatever its review said', async () => {
  await using project = await serve(says(REJECTED));
  const id = await built(project);
  await post(project, `${id}/start`);
  await drive(project, id);
  const { status, session } = await post(project, `${id}/ready`, { reason: 'it will do' });
  assert.deepEqual([status, session.state], [200, 'ready_for_human_review']);
  assert.equal(session.completedAt, undefined);
  assert.equal((await project.app.load(id)).ending?.why, 'marked ready by Test Person: it will do');
});

test('two requests at once order one review', async () => {
  await using project = await serve(says(APPROVED));
  const id = await built(project);
  const answers = await Promise.all([1, 2, 3].map(async () => await post(project, `${id}/start`)));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [202, 202, 202],
  );
  assert.equal((await entriesOf(project, id)).filter((type) => type === 'review').length, 1);
  await drive(project, id);
  assert.equal((await historyOf(project, id)).length, 1);
});

test('what a loop does not take now is refused with the reason, and changes nothing', async () => {
  await using project = await serve(says(APPROVED));
  const queued = await addTask(project, true);
  for (const [path, why] of [
    ['skip', 'there is no change yet'],
    ['ready', 'there is no change yet'],
    ['refine', 'there is neither an open finding nor guidance to go by'],
  ]) {
    const { status, error } = await refused(project, `${queued}/${path}`);
    assert.deepEqual([status, error.code, error.message], [409, 'refused', `Task 1 does not take that: ${why}.`]);
  }
  assert.equal((await statusOf(project, queued)).state, 'queued');
  await drive(project, queued);
  for (const path of ['start', 'retry', 'refine', 'skip', 'ready']) {
    const { status, error } = await refused(project, `${queued}/${path}`, { reason: 'once more' });
    assert.deepEqual([status, error.code], [409, 'refused'], path);
  }
  assert.equal((await statusOf(project, queued)).state, 'approved');
});

test('names and bodies that mean nothing are refused on every route', async () => {
  await using project = await serve(says(APPROVED));
  await built(project);
  const routes = ['POST start', 'GET status', 'GET history', 'POST skip', 'POST retry', 'POST refine', 'POST ready'];
  for (const route of routes) {
    const [method = '', path = ''] = route.split(' ');
    for (const [name, expected] of [
      ['7', 404],
      ['01JD0000000000000000000000', 404],
      ['abc', 400],
      ['0', 400],
      ['-1', 400],
      ['01', 400],
      ['1.5', 400],
      ['1e0', 400],
      ['%231', 400],
      ['9'.repeat(40), 400],
      ['..%2f1', 400],
    ] as const) {
      const { status, body } = await project.ask(method, `/api/review-loop/${name}/${path}`);
      assert.equal(status, expected, `${route} ${name}`);
      assert.equal(ErrorOutput.parse(body).type, 'error');
    }
    if (method === 'GET') continue;
    for (const body of [{ reason: 7 }, { reason: 'x'.repeat(20_001) }, { why: 'so' }, ['reason'], 'reason']) {
      assert.equal((await refused(project, `1/${path}`, body)).status, 400, `${route} ${JSON.stringify(body).slice(0, 40)}`);
    }
  }
  assert.equal((await statusOf(project, 1)).state, 'pending_self_review');
});

test('a secret in a reason is not kept', async () => {
  await using project = await serve(says(APPROVED));
  const id = await built(project);
  const secret = `${'ghp'}_16C7e42F292c6912E7710c838347Ae178B4a`;
  await post(project, `${id}/start`, { reason: `use ${secret}` });
  assert.ok(!JSON.stringify(await project.app.engine.store.journal(id)).includes(secret));
});
