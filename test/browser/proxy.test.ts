import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as askTls } from 'node:https';
import { after, before, describe, test } from 'node:test';
import { connect } from 'node:tls';
import type { Browser } from 'playwright-core';
import { sendRaw } from '../support/raw-http.ts';
import { makeScenario } from '../support/scenario.ts';
import type { Scenario } from '../support/scenario.ts';
import { startShownServer } from '../support/server-process.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { startTlsProxy } from '../support/tls-proxy.ts';
import type { TlsProxy } from '../support/tls-proxy.ts';
import { upgradeRequest } from '../support/websocket-bytes.ts';
import { waitUntilIn } from './let-in.ts';
import { openBrowser } from './open-browser.ts';
import { buildWeb } from '../support/built-web.ts';

// The server behind a reverse proxy of the user's, which ends TLS: T1 to T4 of the threats hold by its name too.

const NAME = 'volley.example.org';

let scenario: Scenario;
let server: ServerProcess;
let proxy: TlsProxy;
let browser: Browser;

before(async () => {
  await buildWeb();
  scenario = await makeScenario();
  server = await startShownServer(scenario, ['--allow-host', NAME]);
  proxy = await startTlsProxy(server.url);
  browser = await openBrowser([`--host-resolver-rules=MAP ${NAME} 127.0.0.1:${proxy.port}, MAP other.example.org 127.0.0.1:${proxy.port}`]);
});

after(async () => {
  await browser.close();
  await proxy[Symbol.asyncDispose]();
  await scenario[Symbol.asyncDispose]();
});

/** Asks through the proxy, by this name. */
async function askBy(host: string, headers: Readonly<Record<string, string>>, path = '/api/health'): Promise<number | undefined> {
  const request = askTls({ host: '127.0.0.1', port: proxy.port, path, rejectUnauthorized: false, headers: { host, ...headers } });
  request.end();
  const [answer] = await once(request, 'response');
  answer.resume();
  return answer.statusCode;
}

/** A new address by the name of the proxy. */
async function newAddress(): Promise<string> {
  const { stdout } = await scenario.volley(['serve']);
  const address = /https:\/\/volley\.example\.org\/#code=\S+/.exec(stdout)?.[0];
  assert.ok(address, stdout);
  return address;
}

const bearer = (): { readonly authorization: string } => ({ authorization: `Bearer ${server.token}` });

describe('a program behind the proxy', () => {
  test('is let in with the token by the name that was allowed, and by no other', async () => {
    assert.equal(await askBy(NAME, bearer()), 200);
    assert.equal(await askBy(NAME, {}), 401);
    for (const host of ['other.example.org', `${NAME}:8443`, `x.${NAME}`, `${NAME}.evil.com`])
      assert.equal(await askBy(host, bearer()), 421, host);
  });

  test('is let in from the origin of the proxy, and from no other', async () => {
    assert.equal(await askBy(NAME, { ...bearer(), origin: `https://${NAME}` }), 200);
    for (const origin of [`http://${NAME}`, `https://${NAME}:8443`, `https://x.${NAME}`, 'https://evil.com', 'null'])
      assert.equal(await askBy(NAME, { ...bearer(), origin }), 403, origin);
  });

  test('gets a live socket with the token only', async () => {
    for (const [token, status] of [
      [server.token, '101'],
      ['wrong', '401'],
    ] as const) {
      const socket = connect({ port: proxy.port, host: '127.0.0.1', rejectUnauthorized: false });
      socket.write(upgradeRequest('/api/live', { host: NAME, token }));
      const [bytes] = await once(socket, 'data');
      assert.equal(String(bytes).slice(9, 12), status);
      socket.destroy();
    }
  });
});

test('what a proxy tells about who asked is believed by nobody', async () => {
  const port = Number(new URL(server.url).port);
  const told = [
    `X-Forwarded-Host: 127.0.0.1:${port}`,
    `Forwarded: host=127.0.0.1:${port};proto=https`,
    'X-Forwarded-Proto: https',
    'X-Forwarded-For: 127.0.0.1',
    'X-Real-Ip: 127.0.0.1',
    `X-Original-Host: ${NAME}`,
    'X-HTTP-Method-Override: GET',
  ];
  const token = `Authorization: Bearer ${server.token}`;
  const asks = async (host: string, ...more: readonly string[]) =>
    await sendRaw(port, ['GET /api/health HTTP/1.1', `Host: ${host}`, 'Connection: close', ...told, ...more]);
  assert.equal((await asks('evil.com', token)).status, 421);
  assert.equal((await asks(`127.0.0.1:${port}`)).status, 401);
  assert.equal((await asks(`127.0.0.1:${port}`, token)).status, 200);
  // Whether the cookie is for HTTPS alone follows from the name, not from what somebody says.
  const { stdout } = await scenario.volley(['serve']);
  const code = /#code=(\S+)/.exec(stdout)?.[1] ?? '';
  const body = JSON.stringify({ code });
  const head = [
    `Host: 127.0.0.1:${port}`,
    'Connection: close',
    ...told,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  const { status, head: answered } = await sendRaw(port, ['POST /api/session HTTP/1.1', ...head], body);
  assert.equal(status, 200);
  assert.doesNotMatch(answered, /; Secure/);
});

describe('a browser behind the proxy', () => {
  test('gets in by the address that volley serve prints, with a cookie for HTTPS alone, and out again', async () => {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    const page = await context.newPage();
    const address = await newAddress();
    await page.goto(address);
    await waitUntilIn(page);
    assert.equal(page.url(), `https://${NAME}/`);
    const [cookie] = await context.cookies();
    assert.partialDeepStrictEqual(cookie, { secure: true, httpOnly: true, sameSite: 'Strict', domain: NAME });
    const opened = await page.evaluate(
      async () =>
        await new Promise((resolve) => {
          const socket = new WebSocket('/api/live', ['volley', `page.${localStorage.getItem('volley-page')}`]);
          socket.addEventListener('message', ({ data }) => resolve(JSON.parse(String(data)).type));
          socket.addEventListener('error', () => resolve('refused'));
        }),
    );
    assert.equal(opened, 'hello');
    const headers = { 'x-volley-page': (await page.evaluate(() => localStorage.getItem('volley-page'))) ?? '' };
    assert.equal(
      await page.evaluate(async (sent) => (await fetch('/api/session', { method: 'DELETE', ...sent })).status, { headers }),
      200,
    );
    assert.deepEqual(await context.cookies(), []);
    assert.equal(await page.evaluate(async () => (await fetch('/api/health')).status), 401);
    await context.close();
  });

  test('gets nothing by a name that was not allowed', async () => {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    const page = await context.newPage();
    assert.equal((await page.goto('https://other.example.org/'))?.status(), 421);
    await context.close();
  });
});
