import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text as streamText } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fakeEnded } from '../../src/agents/fake.ts';
import type { ApiReply } from '../../src/api/contract.ts';
import { playLoop, SMOOTH, SWINGING } from '../support/played-loop.ts';
import { serveScenario } from '../support/served.ts';
import type { ServedProject } from '../support/served.ts';

async function get<T>(project: ServedProject, path: string): Promise<T> {
  const { status, body } = await project.ask('GET', path);
  assert.equal(status, 200, JSON.stringify(body));
  return body as T;
}

/** The status of a request whose path is sent as it is written, dots and all. */
async function rawStatus(project: ServedProject, path: string): Promise<number> {
  const { host, hostname, port } = new URL(project.served.url);
  const socket = connect(Number(port), hostname);
  socket.end(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${project.token}\r\nConnection: close\r\n\r\n`);
  return Number((await streamText(socket)).split(' ')[1]);
}

describe('artefacts', () => {
  let project: ServedProject;
  let root = '';
  before(async () => {
    project = await serveScenario(SWINGING);
    ({ root } = project.scenario);
    await playLoop(project, 'Add numbers');
  });
  after(async () => await project[Symbol.asyncDispose]());

  const list = async (): Promise<ApiReply<'listArtefacts'>['artefacts']> =>
    (await get<ApiReply<'listArtefacts'>>(project, '/api/loops/1/artefacts')).artefacts;

  test('the documents, twins and transcripts of a loop are listed with their sizes, and read as they are', async () => {
    const artefacts = await list();
    assert.deepEqual(
      artefacts.map(({ kind }) => kind).toSorted((a, b) => a.localeCompare(b)),
      [...Array<string>(3).fill('document'), ...Array<string>(6).fill('transcript'), ...Array<string>(3).fill('twin')],
    );
    for (const { name, path, bytes } of artefacts) {
      const content = await readFile(join(root, path));
      assert.equal(bytes, content.length);
      const read = await get<ApiReply<'readArtefact'>>(project, `/api/loops/1/artefacts/${name}`);
      assert.deepEqual(read, { name, text: content.toString(), bytes: content.length, offset: 0, next: null });
    }
  });

  test('what a reviewer was told is read by itself, also where the change quotes the line behind it', async () => {
    const { reviews } = await get<ApiReply<'listReviews'>>(project, '/api/loops/1/reviews');
    for (const { session, proof } of reviews) {
      const name = session?.transcript ?? '';
      const { text, cut } = await get<ApiReply<'readPrompt'>>(project, `/api/loops/1/artefacts/${name}/prompt`);
      assert.deepEqual([createHash('sha256').update(text).digest('hex'), cut], [proof.promptSha256, false]);
      assert.match(text, /export const add/);
      const path = join(root, '.volley', 'transcripts', name);
      const kept = await readFile(path, 'utf8');
      await writeFile(path, `# prompt\nanother\n# answer\n${kept}`);
      assert.equal((await get<ApiReply<'readPrompt'>>(project, `/api/loops/1/artefacts/${name}/prompt`)).text, text);
      await writeFile(path, kept);
    }
  });

  test('a text is read in stretches that cut no character', async () => {
    const artefact = (await list()).find(({ name }) => name.endsWith('reviewer.log'));
    assert.ok(artefact !== undefined);
    const whole = await readFile(join(root, artefact.path), 'utf8');
    assert.match(whole, /Größe €/);
    for (const limit of [4, 5, 7, 1000]) {
      let read = '';
      for (let offset: number | null = 0; offset !== null;) {
        const stretch: ApiReply<'readArtefact'> = await get(
          project,
          `/api/loops/1/artefacts/${artefact.name}?offset=${offset}&limit=${limit}`,
        );
        assert.ok(Buffer.byteLength(stretch.text) <= limit);
        read += stretch.text;
        offset = stretch.next;
      }
      assert.equal(read, whole);
    }
    const behind = await get<ApiReply<'readArtefact'>>(project, `/api/loops/1/artefacts/${artefact.name}?offset=99999999`);
    assert.deepEqual([behind.text, behind.next], ['', null]);
    const inside = Buffer.from(whole).indexOf(Buffer.from('€')) + 1;
    const rest = await get<ApiReply<'readArtefact'>>(project, `/api/loops/1/artefacts/${artefact.name}?offset=${inside}&limit=10`);
    assert.equal(rest.offset, inside + 2);
    assert.ok(!rest.text.includes('\uFFFD'));
  });

  for (const query of ['?limit=1048577', '?limit=3', '?offset=-1', '?offset=x', '?offset=1e99'])
    test(`a stretch of ${query} is refused`, async () => {
      assert.equal((await project.ask('GET', `/api/loops/1/artefacts/review-1.md${query}`)).status, 400);
    });

  const outside = [
    '..%2f..%2fvolley.yaml',
    '%2e%2e%2f%2e%2e%2fvolley.yaml',
    '%2e%2e%5cvolley.yaml',
    '..%2freviews%2freview-1.md',
    '%2fetc%2fpasswd',
    'C:%5cWindows%5cwin.ini',
    'review-1.md%00',
    'review-1.md%00.json',
    '%00',
    'REVIEW-1.MD',
    'review-01.md',
    'review-9.md',
    'volley.db',
    '.gitignore',
    '%252e%252e%252fvolley.yaml',
    'review-1.md%2f..%2f..%2fvolley.db',
    'x'.repeat(90),
  ];
  for (const name of outside)
    test(`${name.slice(0, 40)} is no artefact`, async () => {
      assert.equal(await rawStatus(project, `/api/loops/1/artefacts/${name}`), 404);
    });
  for (const path of [
    '/api/loops/1/artefacts/../../../../etc/passwd',
    '/api/loops/1/artefacts/./../../volley.db',
    '/api/loops/1/artefacts//etc/passwd',
  ])
    test(`${path} leads nowhere`, async () => {
      assert.ok([400, 404].includes(await rawStatus(project, path)));
    });

  test('what a link, a folder or a pipe stands in for is not served', async () => {
    const artefact = (await list()).find(({ name }) => name === 'review-1.md');
    assert.ok(artefact !== undefined);
    const file = join(root, artefact.path);
    const kept = `${file}.kept`;
    await rename(file, kept);
    const { execFile } = await import('node:child_process');
    const { promisify } = await import('node:util');
    const stands: readonly (() => Promise<unknown>)[] = [
      async () => await symlink(join(root, 'volley.yaml'), file),
      async () => await symlink(kept, file),
      async () => await mkdir(file),
      async () => await promisify(execFile)('mkfifo', [file]),
      async () => await Promise.resolve(),
    ];
    for (const stand of stands) {
      await stand();
      assert.equal((await project.ask('GET', '/api/loops/1/artefacts/review-1.md')).status, 404);
      assert.equal((await list()).find(({ name }) => name === 'review-1.md')?.bytes, null);
      await rm(file, { recursive: true, force: true });
    }
    await rename(kept, file);
    assert.equal((await project.ask('GET', '/api/loops/1/artefacts/review-1.md')).status, 200);
  });

  test('a folder that is a link leads nowhere either', async () => {
    const folder = join(root, '.volley', 'reviews');
    const elsewhere = join(project.scenario.repository.beside, 'reviews');
    await rename(folder, elsewhere);
    await symlink(elsewhere, folder);
    assert.equal((await project.ask('GET', '/api/loops/1/artefacts/review-1.md')).status, 404);
    await rm(folder);
    await rename(elsewhere, folder);
    assert.equal((await project.ask('GET', '/api/loops/1/artefacts/review-1.md')).status, 200);
  });

  test('a loop has no artefacts of another one', async () => {
    const loop = await playLoop(project, 'Add more', { drive: false });
    assert.deepEqual((await get<ApiReply<'listArtefacts'>>(project, `/api/loops/${loop.id}/artefacts`)).artefacts, []);
    assert.equal((await project.ask('GET', `/api/loops/${loop.id}/artefacts/review-1.md`)).status, 404);
  });

  test('what is no UTF-8 is read to its end all the same', async () => {
    const artefact = (await list()).find(({ name }) => name === 'review-2.md');
    assert.ok(artefact !== undefined);
    await writeFile(join(root, artefact.path), Buffer.alloc(1000, 0x80));
    let count = 0;
    for (let offset: number | null = 0; offset !== null; count += 1)
      offset = (await get<ApiReply<'readArtefact'>>(project, `/api/loops/1/artefacts/review-2.md?offset=${offset}&limit=100`)).next;
    assert.equal(count, 10);
  });

  test('proofs say whether they are about the newest commit', async () => {
    const { proofs } = await get<ApiReply<'listProofs'>>(project, '/api/loops/1/proofs');
    assert.deepEqual(
      proofs.map(({ round, member, problem }) => [round, member, problem]),
      [
        [1, 'reviewer', 'the review was taken on another head'],
        [2, 'reviewer', 'the review was taken on another head'],
        [3, 'reviewer', null],
      ],
    );
  });
});

describe('an approval', () => {
  let project: ServedProject;
  before(async () => {
    project = await serveScenario(SMOOTH);
    await playLoop(project, 'Add numbers');
    await playLoop(project, 'Add more');
  });
  after(async () => await project[Symbol.asyncDispose]());

  test('is verified again on request, and does not hold once its document was changed', async () => {
    const path = '/api/loops/1/verify';
    const { status, body } = await project.ask('POST', path, { body: {} });
    assert.equal(status, 200);
    assert.partialDeepStrictEqual(body, { loop: 1, holds: true, failed: 0 });
    const { artefacts } = await get<ApiReply<'listArtefacts'>>(project, '/api/loops/1/artefacts');
    const twin = join(project.scenario.root, artefacts.find(({ kind }) => kind === 'twin')?.path ?? '');
    const text = await readFile(twin, 'utf8');
    await writeFile(twin, text.replaceAll('approved', 'rejected'));
    assert.partialDeepStrictEqual((await project.ask('POST', path, { body: {} })).body, { holds: false });
    await writeFile(twin, text);
    assert.equal((await project.ask('POST', '/api/loops/99/verify', { body: {} })).status, 404);
  });

  test('is landed once, onto the branch that is named, one at a time', async () => {
    const { repository } = project.scenario;
    const answers = await Promise.all([1, 2].map(async (id) => await project.ask('POST', `/api/loops/${id}/land`, { body: {} })));
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409],
    );
    assert.partialDeepStrictEqual(answers.find(({ status }) => status === 409)?.body, { code: 'busy' });
    const landed = answers.findIndex(({ status }) => status === 200) + 1;
    assert.equal(await readFile(join(repository.root, `add-${landed}.js`), 'utf8').then((text) => text.includes('a + b')), true);
    assert.partialDeepStrictEqual((await project.ask('POST', `/api/loops/${landed}/land`, { body: {} })).body, { kind: 'already' });
    assert.partialDeepStrictEqual(await get(project, `/api/loops/${landed}`), { landed: { onto: 'main' } });
  });

  test('is not landed where something stands in the way', async () => {
    const loop = await playLoop(project, 'Waits', { drive: false });
    const cases: readonly (readonly [number, object, number])[] = [
      [loop.id, {}, 409],
      [99, {}, 404],
      [1, { onto: 'no-such-branch' }, 422],
      [1, { onto: '--output=x' }, 422],
      [1, { onto: '' }, 400],
      [1, { elsewhere: 'x' }, 400],
    ];
    for (const [id, body, status] of cases) {
      const answer = await project.ask('POST', `/api/loops/${id}/land`, { body });
      assert.equal(answer.status, status, JSON.stringify([id, body, answer.body]));
    }
  });
});

test('the transcript of a session at work has its name from the start, is listed, and is empty before its first word', async () => {
  const speaks = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const ends = Promise.withResolvers<void>();
  await using project = await serveScenario({
    ...SMOOTH,
    author: async function* ({ cwd }) {
      started.resolve();
      await speaks.promise;
      yield { type: 'text', stream: 'stdout', text: 'I begin.\n' };
      await ends.promise;
      await writeFile(join(cwd, 'a.js'), 'export const a = 1;\n');
      yield fakeEnded('{}');
    },
  });
  const played = playLoop(project, 'Add numbers');
  await started.promise;
  const { sessions } = await get<ApiReply<'listSessions'>>(project, '/api/loops/1/sessions');
  const name = sessions[0]?.transcript ?? '';
  assert.deepEqual([sessions.length, sessions[0]?.endedAt, /^task-1-\d+-author\.log$/.test(name)], [1, null, true]);
  const read = async (): Promise<ApiReply<'readArtefact'>> => await get(project, `/api/loops/1/artefacts/${name}`);
  const kept = join(project.scenario.root, '.volley', 'transcripts', name);
  await rename(kept, `${kept}.away`);
  assert.deepEqual(await read(), { name, text: '', bytes: 0, offset: 0, next: null });
  await rename(`${kept}.away`, kept);
  speaks.resolve();
  while (!(await read()).text.includes('I begin.')) await setTimeout(20);
  const { artefacts } = await get<ApiReply<'listArtefacts'>>(project, '/api/loops/1/artefacts');
  assert.deepEqual(
    artefacts.map((one) => one.name),
    [name],
  );
  ends.resolve();
  await played;
  const done = await get<ApiReply<'listSessions'>>(project, '/api/loops/1/sessions');
  assert.equal(done.sessions[0]?.transcript, name);
});
