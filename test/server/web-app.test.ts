import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { describeApi } from '../../src/api/openapi.ts';
import { routesOf } from '../../src/api/routes.ts';
import { openServer } from '../../src/api/server.ts';
import type { Listening } from '../../src/api/server.ts';
import { webDoor } from '../../src/api/web-app.ts';
import { openDesk } from '../../src/app-desk.ts';
import { openErrands } from '../../src/lib/errands.ts';
import { sendRaw } from '../support/raw-http.ts';
import { serveScenario } from '../support/served.ts';
import type { ServedProject } from '../support/served.ts';

const PAGE = '<!doctype html><meta property="csp-nonce" nonce="" /><title>Volley</title>';

let project: ServedProject;
let beside = '';
let folder = '';
let built: Listening;
let bare: Listening;

before(async () => {
  project = await serveScenario({ reviewer: () => [] });
  beside = await mkdtemp(join(tmpdir(), 'volley-web-'));
  folder = join(beside, 'web');
  await mkdir(join(folder, 'assets', 'inner'), { recursive: true });
  await writeFile(join(beside, 'secret.txt'), 'not for you');
  await writeFile(join(folder, 'index.html'), PAGE);
  await writeFile(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(folder, 'notes.txt'), 'not for you');
  await writeFile(join(folder, 'assets', 'main-1a2b.js'), 'export {};');
  await writeFile(join(folder, 'assets', 'main-1a2b.css'), 'body {}');
  await writeFile(join(folder, 'assets', 'inner', 'deep.js'), 'not for you');
  await symlink(join(beside, 'secret.txt'), join(folder, 'assets', 'link.js'));
  built = await serve(folder);
  bare = await serve(join(beside, 'nowhere'));
});

after(async () => {
  await built.close();
  await bare.close();
  await project[Symbol.asyncDispose]();
  await rm(beside, { recursive: true, force: true });
});

/** A server of the project beside its own, whose web app lies in this folder. */
async function serve(web: string): Promise<Listening> {
  const desk = openDesk(project.app, () => undefined);
  return await openServer({
    port: 0,
    token: project.token,
    agentToken: 'x'.repeat(43),
    revoked: { has: () => false, add: () => undefined },
    allowedHosts: [],
    handlers: routesOf(desk, { version: 'test', startedAt: '', works: false, describe: describeApi('test') }),
    doors: [webDoor(web)],
    errands: openErrands(),
    broke: (error) => assert.fail(String(error)),
  });
}

function policyOf(response: Response): string {
  return response.headers.get('content-security-policy') ?? '';
}

/** Fetch would undo what was made small. */
async function get(path: string, accepted: string): Promise<{ readonly headers: IncomingHttpHeaders; readonly body: Buffer }> {
  const asked = request(`${built.url}${path}`, { headers: { 'accept-encoding': accepted } }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return { headers: answer.headers, body: await buffer(answer) };
}

describe('the web app', () => {
  test('is one page at each of its addresses, with a nonce that is never the same', async () => {
    const nonces = new Set<string>();
    const paths = ['/', '/loop/7', '/loop/7?range=1..2&file=a.ts', '/change', '/'];
    for (const path of paths) {
      const response = await fetch(`${built.url}${path}`);
      assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'text/html; charset=utf-8'], path);
      const nonce = /'nonce-([^']+)'/.exec(policyOf(response))?.[1] ?? '';
      assert.ok(nonce.length >= 24);
      assert.equal(await response.text(), PAGE.replace('nonce=""', `nonce="${nonce}"`));
      nonces.add(nonce);
    }
    assert.equal(nonces.size, paths.length);
  });

  test('may run no script but its own, and no style element without the nonce', async () => {
    const policy = policyOf(await fetch(built.url));
    const rules = new Map(policy.split('; ').map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1)]));
    assert.deepEqual(rules.get('default-src'), ["'none'"]);
    assert.deepEqual(rules.get('script-src'), ["'self'", "'wasm-unsafe-eval'"]);
    assert.match((rules.get('style-src') ?? []).join(' '), /^'self' 'nonce-[^' ]+'$/);
    assert.deepEqual(rules.get('connect-src'), ["'self'"]);
    for (const name of ['base-uri', 'form-action', 'frame-ancestors']) assert.deepEqual(rules.get(name), ["'none'"], name);
    const loose = [...rules].filter(([, values]) => values.includes("'unsafe-inline'")).map(([name]) => name);
    assert.deepEqual(loose, ['style-src-attr'], 'attributes load nothing that is not ours');
    assert.ok(!policy.includes("'unsafe-eval'"));
  });

  test('has files that never change under their name, each with its kind and the rules of the page', async () => {
    for (const [path, type, cache] of [
      ['/assets/main-1a2b.js', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
      ['/assets/main-1a2b.css', 'text/css; charset=utf-8', 'public, max-age=31536000, immutable'],
      ['/icon.svg', 'image/svg+xml', 'no-store'],
    ]) {
      const { status, headers } = await fetch(`${built.url}${path}`);
      assert.deepEqual([status, headers.get('content-type'), headers.get('cache-control')], [200, type, cache], path);
      assert.match(
        headers.get('content-security-policy') ?? '',
        /^default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self';/,
      );
    }
  });

  test('gives out its files small to whoever takes them so, and whole to others', async () => {
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'gzip'],
      ['identity', null],
      ['gzip;q=0, br', null],
    ] as const) {
      const { headers, body } = await get('/assets/main-1a2b.js', accepted);
      assert.equal(headers['content-encoding'] ?? null, encoding, accepted);
      assert.equal(headers['vary'], 'accept-encoding');
      assert.equal((encoding === null ? body : gunzipSync(body)).toString(), 'export {};');
    }
  });

  test('keeps the files that its page names, also when it is built anew beneath the server', async () => {
    const path = join(folder, 'assets', 'main-1a2b.js');
    await rename(path, `${path}.gone`);
    const response = await fetch(`${built.url}/assets/main-1a2b.js`);
    await rename(`${path}.gone`, path);
    assert.deepEqual([response.status, await response.text()], [200, 'export {};']);
  });

  test('serves no file beside its own, neither below nor above nor by a link', async () => {
    for (const path of [
      '/index.html',
      '/notes.txt',
      '/assets/',
      '/assets/link.js',
      '/assets/inner/deep.js',
      '/assets/../notes.txt',
      '/assets/..%2fnotes.txt',
      '/assets/%2e%2e/%2e%2e/secret.txt',
      '/assets/..%5c..%5csecret.txt',
      '/../secret.txt',
      '/assets/main-1a2b.js/..',
    ])
      for (const token of [[], [`Authorization: Bearer ${project.token}`]]) {
        const lines = [`GET ${path} HTTP/1.1`, `Host: 127.0.0.1:${built.port}`, 'Connection: close', ...token];
        const { status, body } = await sendRaw(built.port, lines);
        assert.ok(token.length === 0 ? status === 401 : status === 404 || status === 400, `${path}: ${status}`);
        assert.ok(!body.includes('not for you'), path);
      }
  });

  test('says itself at an unknown address that nothing is there, to browsers that want to show it', async () => {
    const asked = async (path: string, accept: string, token = ''): Promise<Response> =>
      await fetch(`${built.url}${path}`, { headers: { accept, ...(token === '' ? {} : { authorization: `Bearer ${token}` }) } });
    for (const path of ['/nowhere', '/loop/7/more', '/apiary', '/index.html']) {
      const response = await asked(path, 'text/html,application/xhtml+xml,*/*;q=0.8');
      assert.deepEqual([response.status, response.headers.get('content-type')], [404, 'text/html; charset=utf-8'], path);
      assert.match(await response.text(), /<title>Volley<\/title>/);
      assert.match(policyOf(response), /'nonce-/);
    }
    for (const path of ['/api', '/api/nowhere', '/api?x']) assert.equal((await asked(path, 'text/html')).status, 401, path);
    assert.equal((await asked('/nowhere', '*/*')).status, 401);
    const told = await asked('/nowhere', 'application/json', project.token);
    assert.equal(told.status, 404);
    assert.match(await told.text(), /There is no such route/);
  });

  test('says how it is built where it is not', async () => {
    for (const path of ['/', '/loop/1', '/change']) {
      const response = await fetch(`${bare.url}${path}`);
      assert.equal(response.status, 200);
      assert.match(await response.text(), /The web app is not built\. Run <code>npm run build:web<\/code>/);
    }
    for (const path of ['/icon.svg', '/assets/main-1a2b.js']) assert.equal((await fetch(`${bare.url}${path}`)).status, 401, path);
  });
});
