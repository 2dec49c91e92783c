import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import type { ApiReply } from '../../src/api/contract.ts';
import type { LoopView } from '../../src/core/view.ts';
import { playLoop, SMOOTH, SWINGING } from '../support/played-loop.ts';
import { serveScenario } from '../support/served.ts';
import type { ServedProject } from '../support/served.ts';

async function get<T>(project: ServedProject, path: string): Promise<T> {
  const { status, body } = await project.ask('GET', path);
  assert.equal(status, 200, JSON.stringify(body));
  return body as T;
}

describe('the board', () => {
  let project: ServedProject;
  before(async () => {
    project = await serveScenario(SMOOTH);
    await playLoop(project, 'Add numbers');
    for (const title of ['Add 100%_ of them', 'Ändere die Größe', 'Write docs'])
      await playLoop(project, title, { drive: false, group: 'later' });
    await project.app.engine.store.transaction(async (tx) => {
      await tx.append(4, { type: 'failed', message: 'the repository is gone', stack: null }, new Date().toISOString());
    });
  });
  after(async () => await project[Symbol.asyncDispose]());

  const list = async (query = ''): Promise<ApiReply<'listLoops'>> => await get(project, `/api/loops${query}`);
  const ids = async (query: string): Promise<number[]> => (await list(query)).loops.map(({ id }) => id);

  test('lists all loops, newest first, with where each stands', async () => {
    const { loops, total, counts, next } = await list();
    assert.deepEqual(
      loops.map(({ id }) => id),
      [4, 3, 2, 1],
    );
    assert.deepEqual([total, next], [4, null]);
    assert.deepEqual(counts, { total: 4, states: { approved: 1, failed: 1, queued: 2 }, needsYou: 1, driven: 0 });
    assert.partialDeepStrictEqual(loops[3], {
      state: 'approved',
      rounds: 1,
      maxRounds: 3,
      approvedBy: 'review',
      blocking: 0,
      driven: false,
    });
    assert.partialDeepStrictEqual(loops[0], { state: 'failed', needsYou: true, why: 'the repository is gone', group: 'later' });
  });

  const filters: readonly (readonly [string, readonly number[]])[] = [
    ['?state=approved,failed', [4, 1]],
    ['?group=later&state=queued', [3, 2]],
    ['?needsYou=true', [4]],
    ['?needsYou=false', [3, 2, 1]],
    ['?driven=true', []],
    ['?driven=false&kind=implement', [4, 3, 2, 1]],
    ['?waiting=true', []],
    ['?approvedBy=review', [1]],
    ['?approvedBy=person', []],
    ['?q=%25_', [2]],
    ['?q=GR%C3%96SSE', []],
    ['?q=gr%C3%96%C3%9Fe', [3]],
    ['?q=%232', [2]],
    ['?q=2', [2]],
    ['?sort=updated', [4, 3, 2, 1]],
    ['?among=1,3,77', [3, 1]],
    ['?among=2&state=approved', []],
    ['?since=2999-01-01T00:00:00Z', []],
    ['?since=2020-01-01T00:00:00%2B01:00&limit=1', [4]],
  ];
  for (const [query, meant] of filters)
    test(`answers ${query}`, async () => {
      assert.deepEqual(await ids(query), meant);
    });

  test('gives each loop its card, also one that an older version left without', async () => {
    const told = (await list()).loops;
    assert.deepEqual(
      told.map(({ id, card }) => [id, card?.seq, card?.now, card?.asks, card?.canLand]),
      await Promise.all(
        told.map(async ({ id }) => {
          const { card } = await get<LoopView>(project, `/api/loops/${id}`);
          return [id, card.seq, card.now, card.asks, card.canLand];
        }),
      ),
    );
    const first = told.find(({ id }) => id === 1)?.card;
    assert.partialDeepStrictEqual(first, {
      author: 'author',
      reviewers: ['reviewer'],
      turns: [{ kind: 'review', round: 1, count: 0 }],
      canLand: true,
      question: null,
      choices: [],
    });
    assert.partialDeepStrictEqual(told[0]?.card, { asks: 'Failed', overrides: ['retry', 'cancel', 'takeover'] });
    const db = new DatabaseSync(join(project.scenario.root, '.volley', 'volley.db'));
    db.exec(`DELETE FROM cards WHERE loop_id IN (SELECT id FROM loops WHERE number = 1); UPDATE cards SET body = '{"old":true}'`);
    assert.deepEqual((await list()).loops, told);
    assert.equal(db.prepare(`SELECT count(*) AS n FROM cards WHERE body LIKE '{"by":%"seq":%'`).get()?.['n'], told.length);
    db.exec(`UPDATE cards SET body = json_set(body, '$.by', '0.0.1', '$.card.author', 'as an older version says it')`);
    assert.deepEqual((await list()).loops, told, 'what another version wrote is written anew');
    db.close();
  });

  test('counts what a filter means, and beside it every state of what is searched', async () => {
    const { total, counts } = await list('?group=later&state=queued');
    assert.equal(total, 2);
    assert.deepEqual(counts, { total: 3, states: { failed: 1, queued: 2 }, needsYou: 1, driven: 0 });
  });

  test('pages hold every loop once, also if loops come and change meanwhile', async () => {
    for (const sort of ['newest', 'updated']) {
      const whole = await ids(`?sort=${sort}`);
      const seen: number[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: ApiReply<'listLoops'> = await list(`?sort=${sort}&limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`);
        seen.push(...page.loops.map(({ id }) => id));
        if (seen.length === 1) await playLoop(project, 'Comes later', { drive: false });
        cursor = page.next;
      }
      assert.deepEqual(seen, whole);
    }
  });

  test('a cursor of another order, or none of ours, is refused', async () => {
    const { next } = await list('?limit=1');
    for (const query of [
      `?sort=updated&cursor=${next}`,
      '?cursor=nonsense',
      `?cursor=${Buffer.from('["newest",-1,""]').toString('base64url')}`,
    ]) {
      const { status, body } = await project.ask('GET', `/api/loops${query}`);
      assert.equal(status, 400);
      assert.partialDeepStrictEqual(body, { type: 'error', code: 'bad-request', message: 'The cursor does not belong to this list.' });
    }
  });

  for (const query of [
    '?state=nowhere',
    '?limit=0',
    '?limit=501',
    '?kind=song',
    '?needsYou=1',
    '?since=yesterday',
    '?colour=red',
    '?among=',
    '?among=0',
    '?among=1,x',
    `?among=${Array(201).fill('1').join(',')}`,
    '?q=' + 'x'.repeat(201),
  ])
    test(`refuses ${query.slice(0, 20)}`, async () => {
      const { status, body } = await project.ask('GET', `/api/loops${query}`);
      assert.equal(status, 400, JSON.stringify(body));
    });

  test('a loop whose driver is dead is not driven, and one whose driver lives is', async () => {
    const [living] = (await list('?state=queued&limit=1')).loops;
    assert.ok(living !== undefined);
    const { engine } = project.app;
    let seen: ApiReply<'listLoops'> | null = null;
    let shown: LoopView | null = null;
    await engine.dispatcher.work({ slots: 1, only: [living.id] }, async () => {
      seen = await list('?driven=true');
      shown = await get(project, `/api/loops/${living.id}`);
    });
    assert.partialDeepStrictEqual(seen, { total: 1, loops: [{ id: living.id, driven: true, next: null }], counts: { driven: 1 } });
    assert.partialDeepStrictEqual(shown, { id: living.id, driven: true, next: null });
    await engine.store.transaction((tx) => tx.setOwner(living.id, { pid: 2 ** 22 + 1, startedAt: 'never', host: 'nowhere' }));
    assert.deepEqual(await ids('?driven=true'), [living.id], 'nobody here can tell of another machine');
    const { hostname } = await import('node:os');
    await engine.store.transaction((tx) => tx.setOwner(living.id, { pid: 2 ** 22 + 1, startedAt: 'never', host: hostname() }));
    assert.deepEqual(await ids('?driven=true'), []);
    assert.equal((await get<LoopView>(project, `/api/loops/${living.id}`)).driven, false);
  });

  test('an unchanged page is not sent again', async () => {
    const { headers } = await project.ask('GET', '/api/loops');
    const again = await fetch(`${project.served.url}/api/loops`, {
      headers: { authorization: `Bearer ${project.token}`, 'if-none-match': headers.get('etag') ?? '' },
    });
    assert.equal(again.status, 304);
  });
});

describe('one loop', () => {
  let project: ServedProject;
  before(async () => {
    project = await serveScenario(SWINGING);
    await playLoop(project, 'Add numbers', { flags: { gates: ['true'] } });
  });
  after(async () => await project[Symbol.asyncDispose]());

  test('is shown with where it stands, by its number and by its uid', async () => {
    const loop = await get<LoopView>(project, '/api/loops/1');
    assert.partialDeepStrictEqual(loop, {
      type: 'loop',
      state: 'needs_human',
      needsYou: true,
      driven: false,
      phase: null,
      maxRounds: 3,
      findingCount: 2,
      escalation: { reason: 'max-rounds' },
      roles: { author: 'author', reviewer: ['reviewer'], fixer: 'fixer' },
      trend: 'plateau',
    });
    assert.equal(loop.commits.length, 3);
    assert.equal(loop.seq, (await project.app.load(1)).seq);
    assert.deepEqual(await get(project, `/api/loops/${loop.uid}`), loop);
  });

  test('asks in the list with its reason and its choices', async () => {
    const { loops } = await get<ApiReply<'listLoops'>>(project, '/api/loops?needsYou=true');
    const { choices } = await get<LoopView>(project, '/api/loops/1');
    assert.partialDeepStrictEqual(loops[0], { escalation: 'max-rounds', choices, rounds: 3, maxRounds: 3, trend: 'plateau' });
    assert.ok(choices.includes('accept'));
  });

  test('asks on its card, as a question with words for buttons', async () => {
    const { card, build } = await get<LoopView>(project, '/api/loops/1');
    assert.partialDeepStrictEqual(card, {
      asks: 'Max rounds reached',
      question: 'One finding still blocks after round 3. One more round, or yours?',
      gates: [{ passed: true }],
      turns: [
        { kind: 'review', count: 1 },
        { kind: 'fix', count: 1 },
        { kind: 'review', count: 1 },
        { kind: 'fix', count: 1 },
        { kind: 'review', count: 1 },
      ],
    });
    assert.deepEqual(
      card.choices.map(({ label }) => label),
      ['One more round', 'Accept…', 'Fix myself', 'Cancel'],
    );
    assert.partialDeepStrictEqual(build, { agent: 'author', iterations: 1, spendUsd: null });
    assert.match(build?.transcripts.join() ?? '', /^task-1-\d+-author\.log$/);
  });

  test('its rounds tell when they were, what they took, and how many findings a fix answered', async () => {
    const { rounds } = await get<ApiReply<'listRounds'>>(project, '/api/loops/1/rounds');
    assert.deepEqual(
      rounds.map(({ review, fix }) => [review.transcripts.length, fix?.transcripts.length, fix?.fixed, fix?.disputed]),
      [
        [1, 1, 1, 0],
        [1, 1, 1, 0],
        [1, undefined, undefined, undefined],
      ],
    );
    for (const { review, fix } of rounds) {
      assert.ok(review.startedAt !== null && review.endedAt !== null && review.startedAt <= review.endedAt);
      assert.ok(fix === null || (fix.startedAt ?? '') >= review.endedAt);
    }
  });

  test('its rounds tell the verdict and the fix that answered it', async () => {
    const { rounds, total } = await get<ApiReply<'listRounds'>>(project, '/api/loops/1/rounds');
    assert.equal(total, 3);
    assert.deepEqual(
      rounds.map(({ findingIds, fix }) => [findingIds, fix?.summary ?? null]),
      [
        [['1.1'], 'Answers round 1.'],
        [['1.2'], 'Answers round 2.'],
        [['1.1'], null],
      ],
    );
  });

  test('a round tells what each member answered, with its proof, its session and the gates before it', async () => {
    const round = await get<ApiReply<'showRound'>>(project, '/api/loops/1/rounds/2');
    assert.partialDeepStrictEqual(round, {
      round: 2,
      verdict: 'changes_requested',
      lostMembers: [],
      fix: { resolutions: [{ findingId: '1.2', status: 'fixed' }] },
      gates: { tree: round.head.tree, results: [{ passed: true }] },
    });
    const [review] = round.reviews;
    assert.partialDeepStrictEqual(review, {
      member: 'reviewer',
      stance: 'changes_requested',
      summary: 'I looked at the sums.',
      interpretedIntent: 'Numbers are to be added.',
      intentSatisfied: true,
      findingIds: ['1.2'],
      proof: { head: round.head.commit, agent: 'reviewer' },
      session: { role: 'reviewer', exit: 'completed' },
    });
    assert.match(review?.session?.transcript ?? '', /^task-1-\d+-reviewer\.log$/);
    assert.equal((await project.ask('GET', '/api/loops/1/rounds/4')).status, 404);
  });

  test('its reviews are one list', async () => {
    const { reviews, next } = await get<ApiReply<'listReviews'>>(project, '/api/loops/1/reviews?limit=2');
    assert.deepEqual(
      reviews.map(({ round }) => round),
      [1, 2],
    );
    const rest = await get<ApiReply<'listReviews'>>(project, `/api/loops/1/reviews?limit=2&cursor=${next}`);
    assert.deepEqual([rest.reviews.map(({ round }) => round), rest.next], [[3], null]);
  });

  test('its findings can be asked for by what they are', async () => {
    const ids = async (query: string): Promise<string[]> =>
      (await get<ApiReply<'listFindings'>>(project, `/api/loops/1/findings${query}`)).findings.map(({ id }) => id);
    assert.deepEqual(await ids(''), ['1.1', '1.2']);
    assert.deepEqual(await ids('?status=fixed'), ['1.2']);
    assert.deepEqual(await ids('?blocking=true'), ['1.1']);
    assert.deepEqual(await ids('?round=3'), ['1.1']);
    assert.deepEqual(await ids('?file=add.js&severity=high&category=logic&source=reviewer'), ['1.1', '1.2']);
    assert.deepEqual(await ids('?file=../../etc/passwd'), []);
    assert.equal((await project.ask('GET', '/api/loops/1/findings?severity=terrible')).status, 400);
  });

  test('a finding tells its life: raised, answered, fixed and reopened', async () => {
    const { history, status } = await get<ApiReply<'showFinding'>>(project, '/api/loops/1/findings/1');
    assert.equal(status, 'reopened');
    assert.deepEqual(
      history.map(({ what, round, status: then, by }) => [what, round, then, by]),
      [
        ['raised', 1, 'open', ['reviewer']],
        ['answered', 1, 'open', ['fixer']],
        ['status', 2, 'fixed', []],
        ['raised-again', 3, 'reopened', ['reviewer']],
        ['status', 3, 'reopened', []],
      ],
    );
    assert.equal((await project.ask('GET', '/api/loops/1/findings/9')).status, 404);
  });

  test('its findings come with their histories and patches where that is asked for', async () => {
    const path = '/api/loops/1/findings';
    const { findings } = await get<ApiReply<'listFindings'>>(project, `${path}?history=true&patch=true`);
    for (const { id, history, patch } of findings) {
      const shown = await get<ApiReply<'showFinding'>>(project, `${path}/${id.split('.')[1]}`);
      assert.deepEqual([history, patch], [shown.history, shown.patch]);
    }
    const { commits } = await get<LoopView>(project, '/api/loops/1');
    assert.deepEqual(
      findings[0]?.history?.map(({ what, commit }) => [what, commits.indexOf(commit ?? '')]),
      [
        ['raised', 0],
        ['answered', 1],
        ['status', 1],
        ['raised-again', 2],
        ['status', 2],
      ],
    );
    const plain = await get<ApiReply<'listFindings'>>(project, path);
    assert.ok(plain.findings.every((finding) => !('history' in finding) && !('patch' in finding)));
  });

  test('its journal is read in pages, as volley log tells it', async () => {
    const events: ApiReply<'readJournal'>['events'] = [];
    for (let from: number | null = 0; from !== null;) {
      const page: ApiReply<'readJournal'> = await get(project, `/api/loops/1/journal?after=${from}&limit=4`);
      events.push(...page.events);
      from = page.next;
    }
    assert.deepEqual(events, JSON.parse(JSON.stringify(await project.scenario.journal(1))));
    assert.partialDeepStrictEqual(await get(project, '/api/loops/1/journal?after=100000'), { events: [], next: null });
  });

  test('every step has its reason, as volley why tells it', async () => {
    const { reasons } = await get<ApiReply<'listReasons'>>(project, '/api/loops/1/why');
    const told = (await project.scenario.volley(['why', '1', '--json'])).objects();
    assert.deepEqual(
      reasons,
      told.map(({ seq, step, why }) => ({ seq, step, why })),
    );
  });

  test('its gates and sessions are told', async () => {
    const { runs } = await get<ApiReply<'listGateRuns'>>(project, '/api/loops/1/gates');
    assert.equal(runs.length, 3);
    const { sessions, total } = await get<ApiReply<'listSessions'>>(project, '/api/loops/1/sessions');
    assert.equal(total, 6);
    assert.deepEqual(
      sessions.map(({ role }) => role),
      ['author', 'reviewer', 'fixer', 'reviewer', 'fixer', 'reviewer'],
    );
    assert.ok(!JSON.stringify(sessions).includes('resumeId'));
  });

  for (const path of ['', '/rounds', '/rounds/1', '/reviews', '/findings', '/findings/1', '/journal', '/why', '/gates', '/sessions'])
    test(`a loop that does not exist has no ${path === '' ? 'page' : path}`, async () => {
      for (const name of ['77', '01JD0000000000000000000077']) {
        const { status, body } = await project.ask('GET', `/api/loops/${name}${path}`);
        assert.equal(status, 404);
        assert.partialDeepStrictEqual(body, { code: 'unknown-loop' });
      }
      for (const name of ['0', '-1', '1e3', '1.5', 'x', '..%2f..', '%00'])
        assert.equal((await project.ask('GET', `/api/loops/${name}${path}`)).status, 400, name);
    });
});

test('an author at work is told with who it is and since when', async () => {
  let shown: LoopView | null = null;
  let sessions: ApiReply<'listSessions'> | null = null;
  await using project: ServedProject = await serveScenario({
    ...SMOOTH,
    author: async function* (input) {
      shown = await get(project, '/api/loops/1');
      sessions = await get(project, '/api/loops/1/sessions');
      yield* SMOOTH.author(input);
    },
  });
  await playLoop(project, 'Add numbers');
  assert.partialDeepStrictEqual(shown, { state: 'implementing', driven: true, phase: { do: 'author', agents: ['author'] } });
  assert.partialDeepStrictEqual(sessions, { sessions: [{ agent: 'author', role: 'author', endedAt: null }] });
});
