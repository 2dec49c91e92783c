import assert from 'node:assert/strict';
import { readdir, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { z } from 'zod';
import { fakeEnded } from '../../src/agents/fake.ts';
import { tidyUp } from '../../src/app-gc.ts';
import { ChangeList, FileLines, FilePatch, LoopChangeFile } from '../../src/api/contract/changes.ts';
import { ROUTES } from '../../src/api/contract.ts';
import { parsePatch } from '../../src/core/parse-patch.ts';
import { plainTask } from '../../src/core/task.ts';
import { commitOddName, ODD_NAME, ODD_TWIN } from '../support/odd-names.ts';
import { makeNasty } from '../support/nasty.ts';
import { eventually } from '../support/scenario.ts';
import { serveScenario } from '../support/served.ts';
import type { Play, ServedProject } from '../support/served.ts';
import { commandLines } from '../support/whole-loop.ts';

const Found = ROUTES.findChange.reply;
const Matches = ROUTES.changeSearch.reply;
const OfLoop = z.object({ ...ChangeList.shape, files: z.array(LoopChangeFile) });

type Query = Readonly<Record<string, string | number>>;

async function get<T>(project: ServedProject, path: string, given: { readonly query?: Query; readonly reply: z.ZodType<T> }): Promise<T> {
  const { status, body } = await project.ask('GET', withQuery(path, given.query));
  assert.equal(status, 200, JSON.stringify(body));
  return given.reply.parse(body);
}

function withQuery(path: string, query: Query = {}): string {
  return `${path}?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])).toString()}`;
}

async function find(project: ServedProject, body: object, query?: Query): Promise<z.infer<typeof Found>> {
  const answer = await project.ask('POST', withQuery('/api/changes', query), { body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return Found.parse(answer.body);
}

async function codeOf(project: ServedProject, path: string, query?: Query): Promise<string> {
  const { status, body } = await project.ask('GET', withQuery(path, query));
  return `${status} ${String(Object(body).code)}`;
}

const NOBODY: Readonly<Record<string, Play>> = { reviewer: () => [] };

test('every file of the nasty set comes over the API as it is, with its patch and its lines', async () => {
  const nasty = await makeNasty();
  await using repository = nasty.repository;
  await using project = await serveScenario(NOBODY);
  await project.scenario.repository.git('fetch', '--quiet', repository.root, nasty.head);
  const found = await find(project, { kind: 'range', range: `${nasty.base}..${nasty.head}` });
  assert.deepEqual([found.base, found.head, found.change, found.next], [nasty.base, nasty.head, `${nasty.base}..${nasty.head}`, null]);
  assert.deepEqual(
    found.files.map(({ path, oldPath, status, binary }) => ({ path, oldPath, status, binary })),
    nasty.entries,
  );
  const named = (path: string): object => found.files.find((file) => file.path === path) ?? {};
  assert.partialDeepStrictEqual(named('becomes-link'), { symlink: true, oldMode: '100644', newMode: '120000' });
  assert.partialDeepStrictEqual(named('mode-only'), { oldMode: '100644', newMode: '100755', added: 0, removed: 0 });
  assert.partialDeepStrictEqual(named('submodule'), { submodule: true, newBlob: '2'.repeat(40) });
  for (const { path, oldPath, binary, added, removed, status } of found.files) {
    const patch = await get(project, `/api/changes/${found.change}/patch`, { query: { path }, reply: FilePatch });
    assert.deepEqual([patch.path, patch.oldPath, patch.binary, patch.truncated], [path, oldPath, binary, false]);
    const lines = parsePatch(patch.patch).flatMap((file) => file.hunks.flatMap((hunk) => hunk.lines));
    const count = (kind: string): number => lines.filter((line) => line.kind === kind).length;
    assert.deepEqual([count('added'), count('removed')], [added, removed], path);
    if (status === 'deleted' || binary || path === 'submodule') continue;
    const blob = await get(project, `/api/changes/${found.change}/blob`, { query: { path }, reply: FileLines });
    const content = (await repository.gitBytes('', 'cat-file', 'blob', `${nasty.head}:${path}`)).toString();
    assert.equal(blob.lines.join('\n') + (blob.endsWithNewline ? '\n' : ''), content, path);
    for (const line of lines) if (line.newLine !== null) assert.equal(blob.lines[line.newLine - 1], line.text);
  }
  const link = await get(project, `/api/changes/${found.change}/blob`, { query: { path: 'link' }, reply: FileLines });
  assert.deepEqual([link.symlink, link.lines], [true, ['mode-only']]);
  const renamed = { path: 'renamed and "edited"', oldPath: 'rename and edit me' };
  const old = await get(project, `/api/changes/${found.change}/blob`, { query: { path: renamed.oldPath, side: 'old' }, reply: FileLines });
  assert.equal(old.lines.at(-1), 'tail');
  await get(project, `/api/changes/${found.change}/patch`, { query: renamed, reply: FilePatch });
  assert.equal(await codeOf(project, `/api/changes/${found.change}/patch`, { ...renamed, oldPath: 'other' }), '404 not-found');
  assert.equal(await codeOf(project, `/api/changes/${found.change}/blob`, { path: 'submodule' }), '404 not-found');
});

test('files whose names look the same are told apart by their blobs', async () => {
  await using project = await serveScenario(NOBODY);
  const { repository } = project.scenario;
  const base = await repository.git('rev-parse', 'HEAD');
  await commitOddName(repository, 'the one\n');
  const head = await commitOddName(repository, 'the other\n', ODD_TWIN);
  const { change, files } = await find(project, { kind: 'range', range: `${base}..${head}` });
  const path = ODD_NAME.text;
  assert.deepEqual(
    files.map((file) => file.path),
    [path, path],
  );
  for (const what of ['patch', 'blob']) assert.equal(await codeOf(project, `/api/changes/${change}/${what}`, { path }), '409 conflict');
  const texts: string[] = [];
  for (const { newBlob } of files) {
    const query = { path, newBlob: newBlob ?? '' };
    const { patch } = await get(project, `/api/changes/${change}/patch`, { query, reply: FilePatch });
    const { lines } = await get(project, `/api/changes/${change}/blob`, { query, reply: FileLines });
    assert.deepEqual(
      parsePatch(patch).map((file) => file.hunks.flatMap((hunk) => hunk.lines.map((line) => line.text))),
      [lines],
    );
    texts.push(...lines);
  }
  assert.deepEqual(texts.toSorted(), ['the one', 'the other']);
  assert.equal(await codeOf(project, `/api/changes/${change}/blob`, { path, newBlob: '0'.repeat(40) }), '404 not-found');
});

describe('a small change', () => {
  let project: ServedProject;
  let change: string;
  before(async () => {
    project = await serveScenario(NOBODY);
    const { repository } = project.scenario;
    await repository.commit('before', { 'src/app.ts': 'one\n  two\nthree\n', 'outside.ts': 'not changed\n', secret: 'x\n' });
    const base = await repository.git('rev-parse', 'HEAD');
    await symlink('/etc', join(repository.root, 'etc'));
    await repository.write('src/app.ts', 'one\n\ttwo\nTHREE\n');
    await repository.commit('after');
    const head = await commitOddName(repository, 'odd one\nodd two\n');
    change = (await find(project, { kind: 'range', range: `${base}..${head}` })).change;
  });
  after(async () => await project[Symbol.asyncDispose]());

  test('is read without the spaces on request, file by file', async () => {
    const list = async (whitespace: string): Promise<object> => {
      const { files } = await get(project, `/api/changes/${change}/files`, { query: { whitespace }, reply: ChangeList });
      return Object.fromEntries(files.map(({ path, added, removed }) => [path, [added, removed]]));
    };
    assert.deepEqual(await list('show'), { [ODD_NAME.text]: [2, 0], etc: [1, 0], 'src/app.ts': [2, 2] });
    assert.deepEqual(await list('hide'), { [ODD_NAME.text]: [2, 0], etc: [1, 0], 'src/app.ts': [1, 1] });
    const hidden = await get(project, `/api/changes/${change}/patch`, {
      query: { path: 'src/app.ts', whitespace: 'hide' },
      reply: FilePatch,
    });
    assert.doesNotMatch(hidden.patch, /^[+-]\s+two/m);
  });

  test('is paged, and the same request is answered by its ETag', async () => {
    const first = await get(project, `/api/changes/${change}/files`, { query: { limit: 2 }, reply: ChangeList });
    const second = await get(project, `/api/changes/${change}/files`, { query: { limit: 2, cursor: first.next ?? '' }, reply: ChangeList });
    assert.deepEqual([first.files.length, second.files.length, second.next, second.totals], [2, 1, null, first.totals]);
    const path = `/api/changes/${change}/files`;
    const etag = (await project.ask('GET', path)).headers.get('etag') ?? '';
    assert.equal((await project.ask('GET', path, { headers: { 'if-none-match': etag } })).status, 304);
  });

  test('shows a file whose name is no UTF-8', async () => {
    const patch = await get(project, `/api/changes/${change}/patch`, { query: { path: ODD_NAME.text }, reply: FilePatch });
    assert.match(patch.patch, /^\+odd two$/m);
    const blob = await get(project, `/api/changes/${change}/blob`, { query: { path: ODD_NAME.text, start: 2 }, reply: FileLines });
    assert.deepEqual([blob.lines, blob.start, blob.totalLines], [['odd two'], 2, 2]);
  });

  test('gives lines of any file of its commits, and of nothing else', async () => {
    const blob = `/api/changes/${change}/blob`;
    const read = await get(project, blob, { query: { path: 'src/app.ts', side: 'old', start: 2, end: 2 }, reply: FileLines });
    assert.deepEqual([read.lines, read.totalLines], [['  two'], 3]);
    assert.deepEqual((await get(project, blob, { query: { path: 'outside.ts' }, reply: FileLines })).lines, ['not changed']);
    assert.deepEqual((await get(project, blob, { query: { path: 'etc' }, reply: FileLines })).lines, ['/etc']);
    const attacks = [
      '../secret',
      'src/../secret',
      '/etc/passwd',
      'etc/passwd',
      '.git/config',
      '.GIT/HEAD',
      'src/.git',
      'secret\0',
      'secret\0.ts',
    ];
    const more = [
      '%2e%2e%2fsecret',
      '..%2fsecret',
      'C:\\Windows',
      'src\\app.ts',
      './secret',
      'src//app.ts',
      'src/',
      'SECRET',
      ':(top)secret',
      '*',
      '--help',
      'HEAD:secret',
    ];
    for (const path of [...attacks, ...more]) {
      for (const side of ['old', 'new']) assert.equal(await codeOf(project, blob, { path, side }), '404 not-found', path);
      assert.equal(await codeOf(project, `/api/changes/${change}/patch`, { path }), '404 not-found', path);
    }
    // A server that decodes twice would read the second one as the first.
    assert.equal((await project.ask('GET', `${blob}?path=..%2fsecret`)).status, 404);
    assert.equal((await project.ask('GET', `${blob}?path=..%252fsecret`)).status, 404);
    assert.equal(await codeOf(project, `/api/changes/${change}/patch`, { path: 'outside.ts' }), '404 not-found');
  });

  test('is found by two full ids of commits that exist, and by nothing else', async () => {
    const [base = '', head = ''] = change.split('..');
    const tree = await project.scenario.repository.git('rev-parse', `${head}^{tree}`);
    for (const part of ['files', 'patch?path=x', 'blob?path=x', 'search?q=x']) {
      for (const ends of [`${'0'.repeat(40)}..${head}`, `${base}..${'0'.repeat(40)}`, `${base}..${tree}`])
        assert.equal((await project.ask('GET', `/api/changes/${ends}/${part}`)).status, 404, ends);
      for (const ends of ['main..HEAD', `${base}...${head}`, `--output=x..${head}`, `${base}..${head.slice(1)}`])
        assert.equal((await project.ask('GET', `/api/changes/${encodeURIComponent(ends)}/${part}`)).status, 400, ends);
    }
    const wrong = [
      'files?limit=0',
      'files?cursor=x',
      'files?page=2',
      'patch',
      'patch?path=x&context=-1',
      'blob?path=x&side=left',
      'blob?path=x&start=0',
      'search',
      'search?q=',
      `search?q=${'x'.repeat(501)}`,
    ];
    for (const part of [...wrong, 'files?whitespace=some'])
      assert.equal((await project.ask('GET', `/api/changes/${change}/${part}`)).status, 400, part);
  });

  test('is searched in all its lines, page by page', async () => {
    const search = async (query: Query): Promise<z.infer<typeof Matches>> =>
      await get(project, `/api/changes/${change}/search`, { query, reply: Matches });
    const { matches, complete } = await search({ q: 'TH' });
    assert.deepEqual(
      matches.map(({ path, kind, oldLine, newLine, text }) => [path, kind, oldLine, newLine, text]),
      [
        ['src/app.ts', 'removed', 3, null, 'three'],
        ['src/app.ts', 'added', null, 3, 'THREE'],
      ],
    );
    assert.ok(complete);
    assert.equal((await search({ q: 'TH', case: 'true' })).matches.length, 1);
    const first = await search({ q: 'o', limit: 3 });
    const rest = await search({ q: 'o', limit: 100, cursor: first.next ?? '' });
    const all = await search({ q: 'o' });
    assert.deepEqual([...first.matches, ...rest.matches], all.matches);
    assert.deepEqual([first.matches.length, rest.next, all.next], [3, null, null]);
    assert.deepEqual((await search({ q: '.*' })).matches, []);
  });
});

test('a change of 1,500 files and one of 30,000 lines come a piece at a time, also to many at once', async () => {
  await using project = await serveScenario(NOBODY);
  const { repository } = project.scenario;
  const base = await repository.git('rev-parse', 'HEAD');
  const text = (n: number, count: number): string =>
    Array.from({ length: count }, (_, line) => `const value${n}_${line} = ${line * n};\n`).join('');
  const files = Object.fromEntries(Array.from({ length: 1500 }, (_, n) => [`src/part-${n % 50}/file-${n}.ts`, text(n, 80)]));
  const head = await repository.commit('much', { ...files, 'long.ts': text(0, 30_000), 'wide.txt': `${'x'.repeat(80)}\n`.repeat(100_000) });
  const found = await find(project, { kind: 'range', range: `${base}..${head}` }, { limit: 1000 });
  assert.deepEqual([found.totals.files, found.totals.added, found.files.length], [1502, 1500 * 80 + 130_000, 1000]);
  const startedMs = performance.now();
  const pages = await Promise.all(
    Array.from(
      { length: 20 },
      async () => await get(project, `/api/changes/${found.change}/files`, { query: { cursor: found.next ?? '' }, reply: ChangeList }),
    ),
  );
  assert.ok(performance.now() - startedMs < 5_000, 'the list is not made anew for each of them');
  assert.deepEqual([...new Set(pages.map((page) => page.files.length))], [502]);
  const long = await get(project, `/api/changes/${found.change}/patch`, { query: { path: 'long.ts' }, reply: FilePatch });
  assert.deepEqual([long.truncated, parsePatch(long.patch)[0]?.hunks[0]?.lines.length], [false, 30_000]);
  const wide = await get(project, `/api/changes/${found.change}/patch`, { query: { path: 'wide.txt' }, reply: FilePatch });
  assert.ok(wide.truncated && wide.patch.length <= 5_000_200 && wide.patch.length > 4_900_000);
  assert.equal((parsePatch(wide.patch)[0]?.hunks[0]?.lines.length ?? 0) + wide.missingLines, 100_000);
  const blob = await get(project, `/api/changes/${found.change}/blob`, {
    query: { path: 'long.ts', start: 20_001, end: 30_000 },
    reply: FileLines,
  });
  assert.deepEqual([blob.lines.length, blob.lines[0], blob.totalLines], [5000, 'const value0_20000 = 0;', 30_000]);
  const last = await get(project, `/api/changes/${found.change}/search`, { query: { q: 'value1499_79 ' }, reply: Matches });
  assert.deepEqual(
    last.matches.map(({ path, newLine }) => [path, newLine]),
    [['src/part-49/file-1499.ts', 80]],
  );
});

test('whoever goes away while git works takes it along', async () => {
  await using project = await serveScenario(NOBODY);
  const { repository } = project.scenario;
  const base = await repository.git('rev-parse', 'HEAD');
  const head = await repository.commit('much', { much: 'some line of text\n'.repeat(1_500_000) });
  const { change } = await find(project, { kind: 'range', range: `${base}..${head}` });
  const gone = new AbortController();
  const url = `${project.served.url}/api/changes/${change}/search?q=nowhere`;
  const headers = { authorization: `Bearer ${project.token}` };
  const asking = Array.from({ length: 12 }, async () => await fetch(url, { headers, signal: gone.signal }));
  const ended = Promise.allSettled(asking);
  const searching = (): number => commandLines().filter((line) => line.includes('--patch') && line.includes(head)).length;
  const most = await eventually('a search', async () => await Promise.resolve(searching() || null));
  gone.abort();
  assert.ok(most <= 4, `${most} at once`);
  for (const one of await ended) assert.equal(one.status, 'rejected');
  await eventually('the end of all', async () => await Promise.resolve(searching() === 0), 2_000);
  await get(project, `/api/changes/${change}/patch`, { query: { path: 'much' }, reply: FilePatch });
});

test('the working tree, a branch and a range are read without a loop', async () => {
  await using project = await serveScenario(NOBODY);
  const { repository } = project.scenario;
  const start = await repository.git('rev-parse', 'HEAD');
  await repository.git('checkout', '--quiet', '-b', 'feature');
  const feature = await repository.commit('feature', { 'feature.ts': 'a\n' });
  await repository.git('checkout', '--quiet', 'main');
  const byBranch = await find(project, { kind: 'branch', branch: 'feature' });
  assert.deepEqual([byBranch.base, byBranch.head, byBranch.files.map((file) => file.path)], [start, feature, ['feature.ts']]);
  assert.equal((await find(project, { kind: 'branch', branch: 'main' })).totals.files, 0);
  await repository.write('draft.ts', 'draft\n');
  const tree = await find(project, { kind: 'working-tree' });
  assert.deepEqual([tree.base, tree.files.map((file) => file.path)], [start, ['draft.ts']]);
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  assert.equal((await find(project, { kind: 'working-tree' })).change, tree.change);
  await repository.write('draft.ts', 'draft 2\n');
  assert.notEqual((await find(project, { kind: 'working-tree' })).change, tree.change);
  const wrong = [
    { kind: 'authored', base: null },
    { kind: 'range' },
    { kind: 'branch', branch: 'x', more: 1 },
    {},
    { kind: 'range', range: 'x'.repeat(2000) },
  ];
  for (const body of wrong) assert.equal((await project.ask('POST', '/api/changes', { body })).status, 400, JSON.stringify(body));
  const unknown = [
    { kind: 'branch', branch: 'nowhere' },
    { kind: 'range', range: 'a' },
    { kind: 'branch', branch: '--help' },
    { kind: 'range', range: '--output=x..main' },
  ];
  for (const body of unknown) assert.equal((await project.ask('POST', '/api/changes', { body })).status, 422, JSON.stringify(body));
  assert.equal(await repository.git('status', '--porcelain'), '?? draft.ts');
});

test('what only a reader looked at is tidied away in time', async () => {
  await using project = await serveScenario(NOBODY);
  const { repository } = project.scenario;
  await repository.git('checkout', '--quiet', '-b', 'feature');
  const feature = await repository.commit('feature', { 'feature.ts': 'a\n' });
  await repository.write('draft.ts', 'draft\n');
  const tree = await find(project, { kind: 'working-tree' });
  await find(project, { kind: 'branch', branch: 'feature', base: 'main' });
  const loop = await project.app.start({
    change: { kind: 'branch', branch: 'feature', base: 'main' },
    task: plainTask({ kind: 'review', title: 'Review', source: { kind: 'branch', branch: 'feature' } }),
    flags: {},
  });
  const refs = join(project.app.mirror.dir, 'refs', 'volley', 'base');
  const kept = async (): Promise<readonly string[]> => await readdir(refs);
  const sweep = async (): Promise<unknown> => await tidyUp({ cwd: project.scenario.root, olderThanMs: 0, dryRun: false, caches: false });
  const main = await repository.git('rev-parse', 'main');
  const looked = await repository.commit('looked at', { 'draft.ts': 'committed\n' });
  await find(project, { kind: 'range', range: `${feature}..${looked}` });
  const all = [main, feature, looked, tree.head].toSorted();
  assert.deepEqual((await kept()).toSorted(), all);
  const old = new Date(Date.now() - 3 * 24 * 3_600_000);
  for (const name of [main, feature, looked]) await utimes(join(refs, name), old, old);
  await find(project, { kind: 'range', range: `${feature}..${looked}` });
  await utimes(join(refs, tree.head), old, old);
  await sweep();
  assert.deepEqual((await kept()).toSorted(), [main, feature, looked].toSorted(), 'what was looked at again stays');
  await utimes(join(refs, looked), old, old);
  await sweep();
  assert.deepEqual((await kept()).toSorted(), [main, loop?.start.commit ?? ''].toSorted(), 'what a task rests on stays');
});

const AUTHORED = `one\ntwo\n${'more\n'.repeat(18)}`;
const CAST: Readonly<Record<string, Play>> = {
  author: async function* ({ cwd }) {
    await writeFile(join(cwd, 'app.ts'), AUTHORED);
    yield fakeEnded('{}');
  },
  reviewer: ({ round }) => {
    if (round > 1) return [fakeEnded(JSON.stringify({ passed: true }))];
    const issues = [
      { file: 'app.ts', line: 2, severity: 'high', description: 'Two is wrong.' },
      { file: 'app.ts', line: 20, severity: 'low', description: 'It is ugly.' },
    ];
    return [fakeEnded(JSON.stringify({ passed: false, issues }))];
  },
  fixer: async function* ({ cwd }) {
    await writeFile(join(cwd, 'app.ts'), AUTHORED.replace('two', 'TWO'));
    await writeFile(join(cwd, 'more.ts'), 'more\n');
    yield fakeEnded('{}');
  },
};

test('the change of a loop is read between any two points of its life, with its findings', async () => {
  await using project = await serveScenario(CAST);
  const task = plainTask({ kind: 'implement', title: 'Count', source: { kind: 'authored' } });
  await project.app.start({ change: { kind: 'authored', base: null }, task, flags: {}, autoReview: true });
  const change = async (query: Query): Promise<z.infer<typeof OfLoop>> =>
    await get(project, '/api/loops/1/change', { query, reply: OfLoop });
  assert.deepEqual((await change({})).files, []);
  await project.app.drive([1], new AbortController().signal);
  const loop = await project.app.load(1);
  assert.deepEqual([loop.state, loop.rounds.length], ['approved', 2]);
  const counts = (list: z.infer<typeof OfLoop>): unknown => list.files.map(({ path, added, removed }) => [path, added, removed]);
  assert.deepEqual(counts(await change({})), [
    ['app.ts', 20, 0],
    ['more.ts', 1, 0],
  ]);
  assert.deepEqual(counts(await change({ to: 'round-1' })), [['app.ts', 20, 0]]);
  assert.deepEqual(counts(await change({ from: 'round-1', to: 'round-2' })), [
    ['app.ts', 1, 1],
    ['more.ts', 1, 0],
  ]);
  assert.deepEqual(counts(await change({ from: 'round-2', to: 'round-1' })), [
    ['app.ts', 1, 1],
    ['more.ts', 0, 1],
  ]);
  assert.deepEqual(counts(await change({ from: loop.rounds[0]?.head.commit ?? '' })), [
    ['app.ts', 1, 1],
    ['more.ts', 1, 0],
  ]);
  assert.deepEqual(counts(await change({ from: 'start', to: 'start' })), []);
  const [file] = (await change({})).files;
  assert.deepEqual([file?.openFindings, file?.blockingFindings], [1, 0]);
  const stranger = await project.scenario.repository.commit('not of the loop');
  for (const query of [{ to: 'round-3' }, { from: stranger }, { to: '0'.repeat(40) }])
    assert.equal(await codeOf(project, '/api/loops/1/change', query), '404 not-found');
  for (const query of [{ to: 'HEAD' }, { from: 'round-0' }, { from: 'main' }])
    assert.equal(await codeOf(project, '/api/loops/1/change', query), '400 bad-request');
  assert.equal(await codeOf(project, '/api/loops/7/change'), '404 unknown-loop');
  // A person's push is part of the change as soon as the loop knows of it.
  await project.scenario.repository.git('checkout', '--quiet', loop.branch);
  const pushed = await project.scenario.repository.commit('by hand', { 'hand.ts': 'x\n' });
  await project.app.follow(1);
  assert.equal((await change({})).head, pushed);
  assert.deepEqual(counts(await change({ from: 'round-2' })), [['hand.ts', 1, 0]]);
  assert.ok((await stat(join(project.scenario.root, 'hand.ts'))).isFile());
});
