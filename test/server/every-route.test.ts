import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fakeEnded, fakeFailed } from '../../src/agents/fake.ts';
import { ROUTES } from '../../src/api/contract.ts';
import { linePatch } from '../../src/core/line-patch.ts';
import { Described } from '../support/described.ts';
import type { Given, Reply } from '../support/described.ts';
import { driveTask, reviewing } from '../support/served-loop.ts';
import { serveScenario } from '../support/served.ts';
import type { Play, ServedProject } from '../support/served.ts';

const LINES = Array.from({ length: 30 }, (_, n) => `line ${n + 1}`);
const TEXT = `${LINES.join('\n')}\n`;

const author: Play = async function* ({ cwd, task }) {
  await writeFile(join(cwd, `app-${task}.ts`), TEXT);
  await writeFile(join(cwd, `notes-${task}.md`), '# Notes\n');
  yield { type: 'text', stream: 'stdout', text: 'I write it.\n' };
  yield fakeEnded(JSON.stringify({ summary: 'It is written.' }));
};

const fixer: Play = async function* ({ cwd, task, round, subject }) {
  await writeFile(join(cwd, `app-${task}.ts`), TEXT.replace('line 3\n', `better ${round}\n`));
  const resolutions = subject.findings.map(({ id }) => ({ findingId: id, status: 'fixed', note: 'Mended.' }));
  yield fakeEnded(JSON.stringify({ summary: 'It is mended.', resolutions }));
};

/** An issue on a line, with an exact patch. */
function issueAt(task: number, line: number, severity: string): object {
  const file = `app-${task}.ts`;
  const patch = linePatch(file, TEXT, { line, removed: 1, added: [`better ${line}`] });
  return { file, line, severity, category: 'logic', description: `Line ${line} could be better.`, suggestion: 'Say more.', patch };
}

const rejects = (task: number, ...lines: readonly number[]): object => ({
  passed: false,
  summary: 'Not yet.',
  interpretedIntent: 'Lines are to be written.',
  intentSatisfied: true,
  issues: lines.map((line) => issueAt(task, line, 'high')),
});
const approves = (task: number, ...lines: readonly number[]): object => ({
  passed: true,
  summary: 'Good.',
  issues: lines.map((line) => issueAt(task, line, 'suggestion')),
});

/** What the reviewer says about each task, review by review; null: it crashes. */
const REVIEWS: Readonly<Record<number, readonly (object | null)[]>> = {
  1: [rejects(1, 3), approves(1, 20, 25)],
  2: [rejects(2, 3, 20)],
  3: [rejects(3, 3)],
  4: [rejects(4, 3)],
  6: [null, null, approves(6)],
  7: [approves(7, 3, 20)],
};

const plays = new Map(
  Object.entries(REVIEWS).map(([task, results]) => [Number(task), results.map((one) => (one === null ? null : reviewing(one)))]),
);
const reviewer: Play = (input) => {
  const left = plays.get(input.task) ?? [];
  const play = left.length > 1 ? left.shift() : left[0];
  return play === null || play === undefined ? [fakeFailed('crashed')] : play(input);
};

/** Routes whose answer may be anything, because it is a schema or a setting. */
const OPEN = new Set(['openapi', 'settingsSchema', 'listSettings', 'readSetting', 'writeSetting', 'clearSetting']);

describe('every route', () => {
  let project: ServedProject;
  let api: Described;
  const answered = new Set<string>();

  before(async () => {
    project = await serveScenario({ author, reviewer, fixer });
    api = await Described.of(project);
  });
  after(async () => await project[Symbol.asyncDispose]());

  /** Asks a route with success, after it has refused what is wrong; nothing that it refuses may do anything. */
  async function ask<T = Readonly<Record<string, never>>>(name: string, given: Given = {}): Promise<T> {
    await refusesUnknown(name, given);
    await refusesOtherLoops(name, given);
    assert.deepEqual(api.problemsOf(name, given), [], name);
    const reply = await api.ask(name, given);
    assert.ok(reply.status < 300, `${name}: ${reply.status} ${JSON.stringify(reply.body)}`);
    answered.add(name);
    if (api.route(name).method === 'GET') await isKnownAgain(name, given, reply);
    return reply.body as T;
  }

  async function refuses(status: number, name: string, given: Given): Promise<void> {
    const reply = await api.ask(name, given);
    assert.equal(reply.status, status, `${name} ${JSON.stringify(given)}: ${JSON.stringify(reply.body)}`);
  }

  async function refusesUnknown(name: string, given: Given): Promise<void> {
    const wrong: Given[] = [{ ...given, query: { ...given.query, colour: 'red' } }];
    if (api.route(name).method !== 'GET') wrong.push({ ...given, body: { ...Object(given.body), colour: 'red' } });
    for (const one of wrong) {
      assert.notDeepEqual(api.problemsOf(name, one), [], `${name} describes what it does not take`);
      const { status, body } = await api.ask(name, one);
      // The settings of a review loop are checked as a configuration.
      assert.equal(status, name === 'writeReviewLoop' && one.query === undefined ? 422 : 400, `${name}: ${JSON.stringify(body)}`);
    }
  }

  async function refusesOtherLoops(name: string, given: Given): Promise<void> {
    const key = ['id', 'featureId'].find((one) => given.params !== undefined && Object.hasOwn(given.params, one));
    if (key === undefined) return;
    for (const [other, status] of [
      ['999999', 404],
      ['01JD0000000000000000000000', 404],
      ['1e0', 400],
      ['0x1', 400],
      ['01', 400],
      ['+1', 400],
      ['0', 400],
    ] as const) {
      const wrong: Given = { ...given, params: { ...given.params, [key]: other } };
      assert.equal(api.problemsOf(name, wrong).length > 0, status === 400, `${name} ${other}`);
      await refuses(status, name, wrong);
    }
  }

  /** Whoever has the answer already is told so, unless it is another one now. A loop goes by its uid too. */
  async function isKnownAgain(name: string, given: Given, { etag, body }: Reply): Promise<void> {
    assert.ok(etag);
    const again = await api.ask(name, { ...given, headers: { 'if-none-match': etag } });
    if (again.status === 304) assert.deepEqual([again.body, again.etag], [null, etag]);
    else assert.ok(again.etag !== etag && JSON.stringify(again.body) !== JSON.stringify(body), `${name} forgets what it said`);
    const key = ['id', 'featureId'].find((one) => given.params !== undefined && Object.hasOwn(given.params, one));
    if (key === undefined) return;
    const { uid } = await project.app.load(Number(given.params?.[key]));
    assert.deepEqual((await api.ask(name, { ...given, params: { ...given.params, [key]: uid } })).body, body, `${name} by uid`);
  }

  async function start(order: object): Promise<number> {
    const { loops } = await ask<{ readonly loops: readonly { readonly id: number }[] }>('startTasks', {
      body: { text: 'Write it', ...order },
    });
    assert.ok(loops[0]);
    return loops[0].id;
  }

  async function startAndDrive(order: object): Promise<number> {
    const id = await start(order);
    await driveTask(project, id);
    return id;
  }

  test('about tasks', async () => {
    const rich = await startAndDrive({ autoReview: true, gates: ['true'], maxRounds: 3 });
    const asks = await startAndDrive({ autoReview: true, maxRounds: 1 });
    const asksToo = await startAndDrive({ autoReview: true, maxRounds: 1 });
    const built = await startAndDrive({});
    const skipped = await startAndDrive({});
    const broken = await startAndDrive({ autoReview: true });
    const suggested = await startAndDrive({ autoReview: true });
    const queued = await start({ group: 'later', dependsOn: [rich] });
    assert.deepEqual([rich, asks, asksToo, built, skipped, broken, suggested, queued], [1, 2, 3, 4, 5, 6, 7, 8]);
    await ask('previewTask', { body: { text: 'Write more' } });
    await ask('readTask', { params: { id: rich } });
    await ask('editTask', { params: { id: queued }, body: { text: 'Write it well\nAnd soon.', maxRounds: 2, reason: 'it was too short' } });
    await refuses(409, 'editTask', { params: { id: rich }, body: { text: 'Too late' } });
    await refuses(422, 'startTasks', { body: { text: 'x', reviewer: ['nobody'] } });
    await refuses(422, 'startTasks', { body: { kind: 'review', change: { kind: 'branch', branch: 'nowhere' } } });
  });

  test('about loops', async () => {
    await ask('showLoop', { params: { id: 1 } });
    await ask('showRound', { params: { id: 1, round: 2 } });
    await refuses(404, 'showRound', { params: { id: 1, round: 9 } });
    const finding = await ask<{ readonly applicable: boolean; readonly patch: string; readonly patchProblem: string }>('showFinding', {
      params: { id: 1, number: 1 },
    });
    assert.deepEqual([finding.applicable, finding.patchProblem?.startsWith('The patch of 1.1 does not apply any more')], [true, true]);
    assert.match(finding.patch, /^-line 3$/m);
    await refuses(404, 'showFinding', { params: { id: 1, number: 99 } });
    await ask('readChoices', { params: { id: 2 } });
    await ask('reviewLoopStatus', { params: { featureId: 1 } });
    await ask('reviewLoopHistory', { params: { featureId: 1 } });
    await ask('agentReview', { params: { id: 1 } });
  });

  test('that lists something, page by page, without a gap or a repeat', async () => {
    // Some of them are empty until somebody has ruled.
    for (const number of [1, 2])
      await ask('ruleOnFinding', { params: { id: 2, number }, body: { ruling: 'refute', reason: 'It is meant so.' } });
    const { change } = await ask<{ readonly change: string }>('loopChange', { params: { id: 1 } });
    const { artefacts } = await ask<{ readonly artefacts: readonly { readonly name: string }[] }>('listArtefacts', { params: { id: 1 } });
    const lists: Readonly<Record<string, Given>> = {
      listLoops: {},
      listMemories: {},
      readProjectJournal: {},
      ...Object.fromEntries(
        [
          'listRounds',
          'listReviews',
          'listFindings',
          'listReasons',
          'listGateRuns',
          'listSessions',
          'listArtefacts',
          'listProofs',
          'loopChange',
          'readJournal',
        ].map((name): [string, Given] => [name, { params: { id: 1 } }]),
      ),
      changeFiles: { params: { change } },
      changeSearch: { params: { change }, query: { q: 'line' } },
    };
    const paged = [...api.routes.values()].filter(({ parameters }) => parameters.some(({ name }) => name === 'cursor' || name === 'after'));
    assert.deepEqual(Object.keys(lists).toSorted(), paged.map(({ operationId }) => operationId).toSorted());
    for (const [name, given] of Object.entries(lists)) {
      const whole = itemsOf(await ask(name, given));
      assert.ok(whole.length > 1, `${name} has ${whole.length}`);
      assert.deepEqual(await collect(name, given), whole, name);
    }
    await collectText({ id: 1, name: artefacts[0]?.name ?? '' });
    const transcript = artefacts.find(({ name }) => name.endsWith('.log'))?.name ?? '';
    await ask('readPrompt', { params: { id: 1, name: transcript } });
    for (const name of ['review-1.md', 'nothing', '..%2f..%2fsecret']) await refuses(404, 'readPrompt', { params: { id: 1, name } });
  });

  async function collect(name: string, given: Given): Promise<readonly unknown[]> {
    const key = api.route(name).parameters.some((parameter) => parameter.name === 'cursor') ? 'cursor' : 'after';
    const items: unknown[] = [];
    for (let from: string | number | null | undefined; from !== null;) {
      const query = { ...given.query, limit: 1, ...(from === undefined ? {} : { [key]: from }) };
      const { body } = await api.ask(name, { ...given, query });
      assert.equal(itemsOf(body).length, 1, `${name} ${JSON.stringify(query)}`);
      items.push(...itemsOf(body));
      from = Object(body).next;
    }
    return items;
  }

  async function collectText(params: { readonly id: number; readonly name: string }): Promise<void> {
    const whole = await ask<{ readonly text: string; readonly bytes: number }>('readArtefact', { params });
    assert.equal(Buffer.byteLength(whole.text), whole.bytes);
    let text = '';
    for (let offset: number | null = 0; offset !== null;) {
      const { body } = await api.ask('readArtefact', { params, query: { offset, limit: 100 } });
      text += Object(body).text;
      offset = Object(body).next;
    }
    assert.equal(text, whole.text);
  }

  test('about changes', async () => {
    const { change } = await ask<{ readonly change: string }>('findChange', {
      body: { kind: 'branch', branch: (await project.app.load(1)).branch },
    });
    await ask('changePatch', { params: { change }, query: { path: 'app-1.ts', context: 1, whitespace: 'hide' } });
    await ask('changeBlob', { params: { change }, query: { path: 'app-1.ts', side: 'new', start: 2, end: 4 } });
    await refuses(404, 'changePatch', { params: { change }, query: { path: 'nowhere.ts' } });
    await refuses(400, 'changeBlob', { params: { change }, query: { path: 'app-1.ts', start: '1e3' } });
    await ask('applySuggestion', { params: { id: 7, number: 1 }, body: { reason: 'it reads better' } });
    await refuses(409, 'applySuggestion', { params: { id: 7, number: 1 }, body: {} });
  });

  test('by which people comment', async () => {
    const params = { id: 7 };
    const { comments } = await ask<{ readonly comments: readonly unknown[] }>('commentOnLoop', {
      params,
      body: { text: 'Nice.', file: 'app-7.ts', line: 2 },
    });
    assert.equal(comments.length, 1);
    const { id: draft } = await ask<{ readonly id: string }>('addDraft', { params, body: { text: 'Really?', file: 'app-7.ts', line: 5 } });
    const other = await ask<{ readonly id: string }>('addDraft', { params, body: { text: 'And this?' } });
    await ask('changeDraft', { params: { ...params, draft }, body: { text: 'Is that so?' } });
    await refuses(404, 'changeDraft', { params: { ...params, draft: 'nobody' }, body: { text: 'Is that so?' } });
    await ask('listDrafts', { params });
    await ask('removeDraft', { params: { ...params, draft: other.id } });
    await ask('submitDrafts', { params, body: { as: 'comment', text: 'That is all.', drafts: [draft] } });
  });

  test('by which people decide', async () => {
    await ask('decideLoop', { params: { id: 3 }, body: { choice: 'accept', reason: 'it will do' } });
    await ask('startReviewLoop', { params: { featureId: 4 }, body: { reason: 'now' } });
    await driveTask(project, 4);
    await ask('refineReviewLoop', { params: { featureId: 4 }, body: { reason: 'Say it better.' } });
    await driveTask(project, 4);
    await ask('markReady', { params: { featureId: 4 } });
    await ask('skipReview', { params: { featureId: 5 } });
    await ask('retryReviewLoop', { params: { featureId: 6 } });
    await ask('overrideLoop', { params: { id: 8 }, body: { override: 'cancel', reason: 'not needed' } });
    await refuses(409, 'overrideLoop', { params: { id: 8 }, body: { override: 'cancel' } });
  });

  test('about what a loop came to', async () => {
    const verified = await ask<{ readonly holds: boolean }>('verifyLoop', { params: { id: 1 } });
    assert.equal(verified.holds, true);
    await refuses(422, 'landLoop', { params: { id: 1 }, body: { onto: 'nowhere' } });
    await ask('landLoop', { params: { id: 1 }, body: { onto: 'main' } });
    await ask('analytics', { query: { days: 7 } });
    await ask('readToday');
    await refuses(400, 'analytics', { query: { days: 7, from: '2026-01-01' } });
    const first = Object((await api.ask('listMemories', { query: { limit: 1 } })).body);
    await ask('forgetMemory', { params: { finding: first.memories[0].findingId } });
    const rest = itemsOf((await api.ask('listMemories', { query: { cursor: first.next } })).body);
    assert.equal(rest.length, 1, 'what was forgotten meanwhile hides nothing of the next page');
    await refuses(409, 'forgetMemory', { params: { finding: '1.99' } });
  });

  test('about the project and the server', async () => {
    await ask('listAgents');
    await ask('listSettings');
    await ask('settingsSchema');
    await ask('readReviewLoop');
    await ask('writeReviewLoop', { body: { maxIterations: 4, notificationChannels: ['slack'] } });
    await ask('writeSetting', { params: { name: 'policy.maxRounds' }, body: { value: 5 } });
    await refuses(422, 'writeSetting', { params: { name: 'policy.maxRounds' }, body: { value: 'many' } });
    await ask('readSetting', { params: { name: 'policy.maxRounds' } });
    await ask('clearSetting', { params: { name: 'policy.maxRounds' }, query: { scope: 'project' } });
    await refuses(422, 'readSetting', { params: { name: 'policy.nothing' } });
    await ask('health');
    await ask('openapi');
    const { url } = await ask<{ readonly url: string }>('makeCode');
    await ask('logIn', { body: { code: new URL(url).hash.slice('#code='.length) } });
    await refuses(401, 'logIn', { body: { code: 'nonsense' } });
    await ask('logOut');
  });

  test('was asked, and described as it is', () => {
    assert.deepEqual([...answered].toSorted(), Object.keys(ROUTES).toSorted());
    assert.deepEqual([...api.routes.keys()].toSorted(), Object.keys(ROUTES).toSorted());
  });

  test('describes whatever travels, down to the last field', async () => {
    const { body } = await api.ask('openapi');
    const { paths, components } = Object(body);
    const open = [...api.routes.values()].filter(({ path, method }) => looseIn(paths[path][method.toLowerCase()]).length > 0);
    assert.deepEqual(new Set(open.map(({ operationId }) => operationId)), OPEN);
    assert.deepEqual(looseIn(components.schemas), []);
  });
});

/** The one list of an answer. */
function itemsOf(body: unknown): readonly unknown[] {
  const [list, ...others] = Object.values(Object(body)).filter(Array.isArray);
  assert.ok(list !== undefined && others.length === 0, JSON.stringify(Object.keys(Object(body))));
  return list;
}

/** Where a schema allows anything, or objects with more than they name. */
function looseIn(node: unknown, at = ''): readonly string[] {
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.entries(node).flatMap(([key, value]) => looseIn(value, `${at}/${key}`));
  const isOpen =
    'type' in node &&
    node.type === 'object' &&
    'properties' in node &&
    (!('additionalProperties' in node) || node.additionalProperties !== false);
  const isAnything = Object.keys(node).length === 0 && /\/(?:schema|items|additionalProperties|properties\/[^/]+)$/.test(at);
  return isOpen || isAnything ? [at, ...inner] : inner;
}
