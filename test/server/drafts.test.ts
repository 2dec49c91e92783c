import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { CommentOutput } from '../../src/api/contract/comments.ts';
import { Draft } from '../../src/core/draft.ts';
import { ErrorOutput, LoopOutput } from '../../src/core/output.ts';
import { submitDrafts } from '../../src/engine/submit.ts';
import { answers, APPROVED, issue, makeScenario, rejected, turns } from '../support/scenario.ts';
import { startServer } from '../support/server-process.ts';
import { serveScenario } from '../support/served.ts';
import type { Answer, ServedProject } from '../support/served.ts';
import { driveTask, reviewing, runTask, writing } from '../support/served-loop.ts';

const Said = z.object({ loop: LoopOutput, comments: z.array(CommentOutput) });
const LINES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const WRONG = rejected(issue('It is wrong.', { file: 'code.txt', line: 1 }));
const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9'.repeat(2)}`;

function text(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}

/** A project with an approved loop, or one that rests after a rejection, and what is asked about its drafts. */
async function makeProject(results: readonly object[] = [APPROVED]): Promise<ServedProject> {
  return await serveScenario({
    author: writing({ 'code.txt': text(LINES), 'gone.txt': 'soon gone\n' }),
    reviewer: reviewing(...results),
    // Two lines come above, and the fifth one is another.
    fixer: writing({ 'code.txt': text(['zero', 'half', ...LINES.with(4, 'FIVE')]) }),
  });
}

/** Asks about the drafts of the first loop: `ask(project, 'POST /submit', body)`. */
async function ask(project: ServedProject, request: string, body?: object): Promise<Answer> {
  const [method = '', path = ''] = request.split(' ');
  return await project.ask(method, `/api/loops/1/drafts${path}`, body === undefined ? {} : { body });
}

async function add(project: ServedProject, body: object): Promise<Draft> {
  const answer = await ask(project, 'POST', body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return Draft.parse(answer.body);
}

async function list(project: ServedProject): Promise<readonly Draft[]> {
  return z.object({ drafts: z.array(Draft) }).parse((await ask(project, 'GET')).body).drafts;
}

function refused({ status, body }: Answer, expected: number, code: string): void {
  assert.deepEqual([status, ErrorOutput.parse(body).code], [expected, code], JSON.stringify(body));
}

test('drafts are written, changed and removed, without secrets, and no journal knows of them', async () => {
  await using project = await makeProject();
  const loop = await runTask(project);
  const first = await add(project, { text: `Mind ${TOKEN}.`, file: 'code.txt', line: 2, lineEnd: 3 });
  assert.deepEqual([first.head, first.side, first.text.includes(TOKEN)], [loop.head, 'new', false]);
  const second = await add(project, { text: 'All of it.' });
  assert.deepEqual(
    (await list(project)).map(({ id }) => id),
    [first.id, second.id],
  );
  const changed = await ask(project, `PATCH /${first.id}`, { text: 'Mind it.', line: 4, lineEnd: null });
  assert.partialDeepStrictEqual(changed.body, { id: first.id, text: 'Mind it.', file: 'code.txt', line: 4, lineEnd: null });
  refused(await ask(project, `PATCH /${first.id}`, { line: 10 }), 422, 'bad-usage');
  refused(await ask(project, `PATCH /${first.id}`, { file: null }), 422, 'bad-usage');
  refused(await ask(project, 'PATCH /nothing', { text: 'x' }), 404, 'not-found');
  assert.equal((await ask(project, `DELETE /${second.id}`)).status, 200);
  refused(await ask(project, `DELETE /${second.id}`), 404, 'not-found');
  assert.deepEqual(
    (await list(project)).map(({ text: words, line }) => [words, line]),
    [['Mind it.', 4]],
  );
  assert.equal((await project.app.load(1)).seq, loop.seq, 'the journal knows nothing of drafts');
});

test('a draft that is changed by several at once keeps what each of them changed', async () => {
  await using project = await makeProject();
  await runTask(project);
  for (let round = 0; round < 5; round += 1) {
    const { id } = await add(project, { text: 'Mind it.', file: 'code.txt', line: 1 });
    const changes = [{ text: 'Mind it well.' }, { line: 2 }, { lineEnd: 5 }];
    const replies = await Promise.all(changes.map(async (change) => await ask(project, `PATCH /${id}`, change)));
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 200],
    );
    const draft = (await list(project)).find((one) => one.id === id);
    assert.partialDeepStrictEqual(draft, { text: 'Mind it well.', file: 'code.txt', line: 2, lineEnd: 5 });
  }
});

test('a draft is about a place that exists, in a commit of its loop', async () => {
  await using project = await makeProject();
  await runTask(project);
  for (const bad of [
    { text: 'x', file: 'nowhere.txt', line: 1 },
    { text: 'x', file: '../secret', line: 1 },
    { text: 'x', file: 'code.txt', line: 10 },
    { text: 'x', file: 'code.txt', lineEnd: 2 },
    { text: 'x', file: 'code.txt', line: 1, side: 'old' },
    { text: 'x', head: 'a'.repeat(40) },
  ])
    refused(await ask(project, 'POST', bad), 422, 'bad-usage');
  for (const bad of [
    { text: '' },
    { text: 'x'.repeat(20_001) },
    { text: 'x', head: '--all' },
    { text: 'x', side: 'left' },
    { text: 'x', by: 'Me' },
  ])
    refused(await ask(project, 'POST', bad), 400, 'bad-request');
  refused(await project.ask('POST', '/api/loops/9/drafts', { body: { text: 'x' } }), 404, 'unknown-loop');
  assert.deepEqual(await list(project), []);
});

test('a loop has five hundred drafts at the most', async () => {
  await using project = await makeProject();
  await runTask(project);
  await project.app.engine.store.transaction(async (tx) => {
    for (let number = 0; number < 499; number += 1) {
      const at = new Date(number).toISOString();
      const id = `draft-${number}`;
      await tx.putDraft(1, { id, text: 'x', file: null, line: null, lineEnd: null, side: 'new', head: 'h', createdAt: at, updatedAt: at });
    }
  });
  const replies = await Promise.all([1, 2, 3].map(async () => await ask(project, 'POST', { text: 'x' })));
  assert.deepEqual(
    replies.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 409, 409],
  );
  assert.equal((await list(project)).length, 500);
});

test('submitted as a request for changes, every draft and the summary are findings of the person, and the loop goes on', async () => {
  await using project = await makeProject();
  await runTask(project);
  await add(project, { text: 'Say it better.', file: 'code.txt', line: 2, lineEnd: 3 });
  await add(project, { text: 'Why this file?', file: 'gone.txt' });
  const { seq } = await project.app.load(1);
  refused(await ask(project, 'POST /submit', { as: 'request-changes', seq: seq - 1 }), 409, 'conflict');
  const answer = await ask(project, 'POST /submit', { as: 'request-changes', text: 'Not yet.', seq });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const { comments, loop } = Said.parse(answer.body);
  assert.deepEqual(
    comments.map((one) => [one.by, one.text, one.file, one.line, one.lineEnd, one.findingId, one.draft?.anchor]),
    [
      ['Test Person', 'Not yet.', null, null, null, '1.1', undefined],
      ['Test Person', 'Say it better.', 'code.txt', 2, 3, '1.2', 'exact'],
      ['Test Person', 'Why this file?', 'gone.txt', null, null, '1.3', 'exact'],
    ],
  );
  assert.deepEqual(
    loop.findings.map(({ source, snippet }) => [source, snippet]),
    [
      ['person', null],
      ['person', 'two\nthree'],
      ['person', null],
    ],
  );
  assert.deepEqual([loop.finalVerdict, await list(project)], ['CHANGES_REQUESTED', []]);
  assert.equal((await driveTask(project, 1)).rounds.length, 2);
});

test('submitted as comments, drafts guide the next fixer and raise nothing', async () => {
  await using project = await makeProject();
  await runTask(project);
  await add(project, { text: 'A thought.', file: 'code.txt', line: 2 });
  const { loop, comments } = Said.parse((await ask(project, 'POST /submit', { as: 'comment' })).body);
  assert.deepEqual([loop.state, loop.findings, comments.length], ['approved', [], 1]);
  assert.deepEqual((await project.app.load(1)).guidance, [{ by: 'Test Person', text: 'code.txt:2: A thought.' }]);
  refused(await ask(project, 'POST /submit', { as: 'comment' }), 422, 'bad-usage');
});

test('submitted with an approval, the comments are recorded and the verdict is that of the person; where it is not legal, the drafts stay', async () => {
  await using project = await makeProject([WRONG]);
  await runTask(project, { maxRounds: 1 });
  await add(project, { text: 'Good enough for now.', file: 'code.txt', line: 1 });
  const { loop } = Said.parse((await ask(project, 'POST /submit', { as: 'approve', text: 'I looked at it.' })).body);
  assert.deepEqual([loop.approval, loop.comments.length], [{ by: 'person', name: 'Test Person', reason: 'I looked at it.' }, 1]);
  await driveTask(project, 1);
  const later = await add(project, { text: 'One more thing.' });
  const { seq } = await project.app.load(1);
  refused(await ask(project, 'POST /submit', { as: 'approve' }), 409, 'refused');
  assert.deepEqual(await list(project), [later]);
  assert.equal((await project.app.load(1)).seq, seq, 'no comment without the approval');
});

test('a draft is followed to where its lines are now; where they are gone it is about the file, and quotes them', async () => {
  await using project = await makeProject([WRONG, APPROVED]);
  const rests = await runTask(project, { maxRounds: 1 });
  for (const line of [2, 5]) await add(project, { text: `About ${LINES[line - 1]}.`, file: 'code.txt', line });
  await add(project, { text: 'About some.', file: 'code.txt', line: 7, lineEnd: 8 });
  await project.ask('POST', '/api/loops/1/decisions', { body: { choice: 'one-more-round' } });
  const now = await driveTask(project, 1);
  assert.notEqual(now.head, rests.head);
  const late = await add(project, { text: 'Written on the old one.', file: 'code.txt', line: 9, head: rests.head ?? '' });
  const { comments } = Said.parse((await ask(project, 'POST /submit', { as: 'request-changes' })).body);
  assert.deepEqual(
    comments.map(({ file, line, lineEnd, draft }) => [file, line, lineEnd, draft?.anchor]),
    [
      ['code.txt', 4, null, 'moved'],
      ['code.txt', null, null, 'outdated'],
      ['code.txt', 9, 10, 'moved'],
      ['code.txt', 11, null, 'moved'],
    ],
  );
  assert.equal(comments.at(-1)?.draft?.id, late.id);
  assert.equal(
    comments[1]?.text,
    `About five.\n\nIt was written about code.txt:5 of ${rests.head?.slice(0, 8)}, which changed since:\n> five`,
  );
});

test('a draft about a line that the change takes away, or a file, is about what is left of it', async () => {
  await using project = await serveScenario({
    author: async function* play({ cwd }) {
      const { rm, writeFile } = await import('node:fs/promises');
      await rm(`${cwd}/README.md`);
      await writeFile(`${cwd}/volley.yaml`, '# first\n{}\n');
      yield { type: 'ended', exitCode: 0, output: '', result: '{}' };
    },
    reviewer: reviewing(APPROVED),
  });
  await runTask(project);
  await add(project, { text: 'Why is it gone?', file: 'README.md', line: 1, side: 'old' });
  const { comments } = Said.parse((await ask(project, 'POST /submit', { as: 'comment' })).body);
  assert.partialDeepStrictEqual(comments, [{ file: 'README.md', line: null, draft: { anchor: 'outdated' } }]);
  assert.match(comments[0]?.text ?? '', /README\.md:1 of [0-9a-f]{8}, which changed since:\n> # Sample$/);
});

test('drafts that are submitted many times at once are comments once, and every request is told the same', async () => {
  await using project = await makeProject();
  await runTask(project);
  const drafts = [await add(project, { text: 'One.', file: 'code.txt', line: 1 }), await add(project, { text: 'Two.' })].map(
    ({ id }) => id,
  );
  const submit = async (): Promise<Answer> => await ask(project, 'POST /submit', { as: 'request-changes', drafts });
  const replies = await Promise.all([submit(), submit(), submit(), ask(project, 'POST /submit', { as: 'request-changes' })]);
  const again = await submit();
  assert.ok(
    [...replies.slice(0, 3), again].every(({ status }) => status === 200),
    JSON.stringify(replies.map(({ body }) => body)),
  );
  const told = new Set([...replies.slice(0, 3), again].map(({ body }) => JSON.stringify(Said.parse(body).comments)));
  assert.equal(told.size, 1);
  const { comments, findings } = await project.app.load(1);
  assert.deepEqual([comments.length, findings.length, await list(project)], [2, 2, []]);
  const third = await add(project, { text: 'Three.' });
  refused(await ask(project, 'POST /submit', { as: 'comment', drafts: [...drafts, third.id] }), 409, 'conflict');
  refused(await ask(project, 'POST /submit', { as: 'comment', drafts: [third.id, 'nothing'] }), 404, 'not-found');
  assert.deepEqual(await list(project), [third]);
});

test('drafts that are comments already are not submitted as something else, and nothing of that is lost in silence', async () => {
  await using project = await makeProject([WRONG]);
  await runTask(project, { maxRounds: 1 });
  const { id } = await add(project, { text: 'Why so?' });
  const submit = async (body: object): Promise<Answer> => await ask(project, 'POST /submit', body);
  const said = await submit({ as: 'comment', text: `Look, ${TOKEN}.`, drafts: [id] });
  assert.equal(said.status, 200);
  const { seq } = await project.app.load(1);
  for (const other of [
    { as: 'approve', text: 'ship it', drafts: [id] },
    { as: 'approve', drafts: [id] },
    { as: 'request-changes', text: `Look, ${TOKEN}.`, drafts: [id] },
    { as: 'comment', text: 'Look elsewhere.', drafts: [id] },
    { as: 'comment', drafts: [id] },
  ])
    refused(await submit(other), 409, 'conflict');
  assert.deepEqual((await submit({ as: 'comment', text: `Look, ${TOKEN}.`, drafts: [id] })).body, said.body);
  assert.deepEqual([(await project.app.load(1)).seq, (await project.app.load(1)).approval], [seq, null]);
  assert.equal((await submit({ as: 'approve', text: 'ship it', drafts: [] })).status, 200);
  assert.partialDeepStrictEqual((await project.app.load(1)).approval, { by: 'person', reason: 'ship it' });
});

test('of those who submit a draft at once in different ways one is taken, and the others are told so', async () => {
  await using project = await makeProject([WRONG]);
  await runTask(project, { maxRounds: 1 });
  const { id } = await add(project, { text: 'Why so?' });
  const ways = [{ as: 'comment' }, { as: 'approve' }, { as: 'comment', text: 'Mind it.' }];
  const replies = await Promise.all(ways.map(async (way) => await ask(project, 'POST /submit', { ...way, drafts: [id] })));
  assert.deepEqual(
    replies.map(({ status }) => status).toSorted((one, other) => one - other),
    [200, 409, 409],
  );
  assert.equal((await project.app.load(1)).comments.filter(({ draft }) => draft?.id === id).length, 1);
});

test('who submits all drafts and comes too late is told so, unless the same was said already', async () => {
  await using project = await makeProject([WRONG]);
  await runTask(project, { maxRounds: 1 });
  const { engine } = project.app;
  for (const [as, expected] of [
    ['approve', 'conflict'],
    ['comment', null],
  ] as const) {
    const { id } = await add(project, { text: 'Why so?' });
    let isFirst = true;
    const overtaken = {
      ...engine,
      store: {
        ...engine.store,
        drafts: async (loop: number) => {
          const drafts = await engine.store.drafts(loop);
          if (isFirst) await submitDrafts(engine, loop, { by: 'Other', as: 'comment', text: null, drafts: [id] });
          isFirst = false;
          return drafts;
        },
      },
    };
    const late = submitDrafts(overtaken, 1, { by: 'Test Person', as, text: null, drafts: null });
    if (expected === null)
      assert.deepEqual(
        (await late).comments.map(({ by, draft }) => [by, draft?.id]),
        [['Other', id]],
      );
    else await assert.rejects(late, { code: expected });
  }
});

for (const failpoint of ['write commented', 'write overridden', 'after commented']) {
  test(`a server that is killed at "${failpoint}" leaves all drafts or none, and submitting them again takes them once`, async () => {
    await using scenario = await makeScenario({
      agents: {
        author: turns({ write: { 'code.txt': text(LINES) }, result: {} }),
        reviewer: answers(WRONG),
      },
    });
    assert.equal((await scenario.volley(['run', 'Write it', '--max-rounds', '1'])).code, 2);
    const before = (await scenario.journal()).length;
    const broken = await startServer(scenario, ['--no-work'], { VOLLEY_FAILPOINT: `kill:${failpoint}` });
    const made = [];
    for (const line of [1, 2, 3])
      made.push(await broken.ask('POST', '/api/loops/1/drafts', { text: `Line ${line}.`, file: 'code.txt', line }));
    const drafts = made.map(({ body }) => Draft.parse(body).id);
    const submission = { as: 'approve', text: 'I looked.', drafts };
    await assert.rejects(broken.ask('POST', '/api/loops/1/drafts/submit', submission));
    await broken.ended;
    const server = await startServer(scenario, ['--no-work']);
    const isDone = failpoint === 'after commented';
    const left = await server.ask('GET', '/api/loops/1/drafts');
    assert.equal(Object(left.body).drafts.length, isDone ? 0 : 3);
    assert.equal((await scenario.journal()).length, isDone ? before + 4 : before);
    for (const time of ['once', 'twice'])
      assert.equal((await server.ask('POST', '/api/loops/1/drafts/submit', submission)).status, 200, time);
    const events = (await scenario.journal()).slice(before).map(({ event }) => event.type);
    assert.deepEqual(events, ['commented', 'commented', 'commented', 'overridden']);
    server.process.kill('SIGTERM');
    assert.equal((await server.ended).code, 0);
  });
}
