import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sendRaw } from '../support/raw-http.ts';
import type { RawAnswer } from '../support/raw-http.ts';
import { makeScenario } from '../support/scenario.ts';
import type { Scenario } from '../support/scenario.ts';
import { startServer } from '../support/server-process.ts';
import type { ServerProcess } from '../support/server-process.ts';

// T3 and T4 of the threats: the one-time code of an address, and the cookie that it is traded for.

let scenario: Scenario;
let server: ServerProcess;
let port: number;

before(async () => {
  scenario = await makeScenario();
  server = await startServer(scenario);
  port = Number(new URL(server.url).port);
});

after(async () => await scenario[Symbol.asyncDispose]());

async function newCode(of: ServerProcess = server): Promise<string> {
  const { body } = await of.ask('POST', '/api/codes');
  const code = /#code=([\w-]+)/.exec(JSON.stringify(body))?.[1];
  assert.ok(code);
  return code;
}

/** Asks as a browser does, without the token. */
async function send(first: string, lines: readonly string[], { body = '', at = port } = {}): Promise<RawAnswer> {
  const about = body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`];
  return await sendRaw(at, [`${first} HTTP/1.1`, `Host: 127.0.0.1:${at}`, 'Connection: close', ...about, ...lines], body);
}

async function logIn(code: string, lines: readonly string[] = [`Origin: ${server.url}`], at: number = port): Promise<RawAnswer> {
  return await send('POST /api/session', lines, { body: JSON.stringify({ code }), at });
}

function cookieOf({ head }: RawAnswer): string {
  const cookie = /^set-cookie: ([^;\r]+)/im.exec(head)?.[1];
  assert.ok(cookie, head);
  return cookie;
}

/** What a page that logged in sends with every request. */
function sentBy(answer: RawAnswer): readonly string[] {
  return [`Cookie: ${cookieOf(answer)}`, `X-Volley-Page: ${keyOf(answer)}`];
}

function keyOf({ body }: RawAnswer): string {
  return String(Object(JSON.parse(body)).page);
}

const OURS = 'Sec-Fetch-Site: same-origin';

describe('a one-time code', () => {
  test('lets one of many in that use it in the same moment', async () => {
    const code = await newCode();
    const answers = await Promise.all(Array.from({ length: 20 }, async () => await logIn(code)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.ok(answers.every(({ status }) => status === 200 || status === 401 || status === 429));
    assert.ok(answers.filter(({ head }) => /set-cookie/i.test(head)).length === 1);
  });

  test('cannot be guessed: it is long, and no two are alike', async () => {
    const codes = await Promise.all(Array.from({ length: 15 }, async () => await newCode()));
    assert.equal(new Set(codes).size, 15);
    for (const code of codes) assert.ok(Buffer.from(code, 'base64url').length >= 24);
    const [code = ''] = codes;
    for (const wrong of [code.slice(0, -1), `${code}A`, code.toLowerCase(), ` ${code}`, '', server.token])
      assert.notEqual((await logIn(wrong)).status, 200, wrong);
  });

  test('is taken in the body of a POST, and nowhere else', async () => {
    const code = await newCode();
    for (const first of [
      `GET /api/session?code=${code}`,
      `GET /?code=${code}`,
      `PUT /api/session?code=${code}`,
      `POST /api/session?code=${code}`,
    ]) {
      const { head } = await send(first, [`Origin: ${server.url}`], { body: first.startsWith('G') ? '' : JSON.stringify({ code: 'x' }) });
      assert.doesNotMatch(head, /set-cookie/i, first);
    }
    assert.equal((await logIn(code)).status, 200);
  });

  test('that a page of somebody else sends logs nobody in, and stays as good as it was', async () => {
    const code = await newCode();
    for (const lines of [
      ['Origin: http://evil.com'],
      ['Origin: null'],
      ['Sec-Fetch-Site: cross-site'],
      [`Origin: ${server.url}`, 'Sec-Fetch-Site: same-site'],
    ]) {
      const { status, head } = await logIn(code, lines);
      assert.equal(status, 403, lines.join());
      assert.doesNotMatch(head, /set-cookie/i);
    }
    assert.equal((await logIn(code)).status, 200);
  });

  test('is worth nothing when the server is started again, but the cookie is', async () => {
    await using other = await makeScenario();
    const first = await startServer(other);
    const [code, used] = [await newCode(first), await newCode(first)];
    const at = Number(new URL(first.url).port);
    const sent = sentBy(await logIn(used, [], at));
    first.process.kill('SIGTERM');
    await first.ended;
    const second = await startServer(other, ['--port', String(at)]);
    assert.equal((await logIn(code, [], at)).status, 401);
    assert.equal((await logIn(used, [], at)).status, 401);
    assert.equal((await send('GET /api/health', [...sent, OURS], { at })).status, 200);
    second.process.kill('SIGTERM');
    await second.ended;
  });
});

describe('a cookie', () => {
  test('is for our page alone, and for thirty days', async () => {
    const { head } = await logIn(await newCode());
    assert.match(head, new RegExp(`^set-cookie: volley-${port}=[\\w.-]+; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000\r?$`, 'im'));
    assert.doesNotMatch(head, /domain=/i);
    assert.match(head, /cache-control: no-store/i);
  });

  test('counts no more for anybody once its holder has logged out', async () => {
    const [mine, others] = [sentBy(await logIn(await newCode())), sentBy(await logIn(await newCode()))];
    assert.equal((await send('GET /api/health', [...mine, OURS])).status, 200);
    const left = await send('DELETE /api/session', [...mine, `Origin: ${server.url}`]);
    assert.equal(left.status, 200);
    assert.match(left.head, /^set-cookie: volley-\d+=; .*Max-Age=0/im);
    const { status } = await send('GET /api/health', [...mine, OURS]);
    assert.ok(status === 401 || status === 429, String(status));
    assert.equal((await send('GET /api/health', [...others, OURS])).status, 200);
  });

  test('that another server of the host saw opens nothing without the key of its page', async () => {
    const answer = await logIn(await newCode());
    const others = keyOf(await logIn(await newCode()));
    assert.notEqual(keyOf(answer), others);
    const cookie = `Cookie: ${cookieOf(answer)}`;
    assert.equal((await send('GET /api/loops', [cookie, OURS])).status, 401);
    for (const key of [[`X-Volley-Page: ${others}`], [`X-Volley-Page: ${keyOf(answer)}`, `X-Volley-Page: ${keyOf(answer)}`]])
      assert.match(String((await send('GET /api/loops', [cookie, OURS, ...key])).status), /^(401|429)$/, key.join());
    assert.equal((await send('GET /api/loops', [...sentBy(answer), OURS])).status, 200);
  });

  test('lets nobody else in, so that taking it back is final', async () => {
    const answer = await send('POST /api/codes', [...sentBy(await logIn(await newCode())), `Origin: ${server.url}`]);
    assert.equal(answer.status, 403);
    assert.partialDeepStrictEqual(JSON.parse(answer.body), {
      code: 'needs-token',
      message: 'A browser that is logged in may not let others in.',
    });
  });

  test('counts beside others of its name that another page of the host set, and is cleared where none counts', async () => {
    const [cookie = '', key = ''] = sentBy(await logIn(await newCode()));
    const bad = `volley-${port}=a.b.c`;
    const both = await send('GET /api/health', [cookie.replace(': ', `: ${bad}; `), key, OURS]);
    assert.equal(both.status, 200);
    assert.doesNotMatch(both.head, /set-cookie/i);
    const none = await send('GET /api/health', [`Cookie: ${bad}`, OURS]);
    assert.deepEqual(
      [...none.head.matchAll(/^set-cookie: volley-\d+=; Path=(\S+); .*Max-Age=0/gim)].map(([, path]) => path),
      ['/', '/api'],
    );
  });

  test('of another server, or in another name, counts for nothing', async () => {
    const answer = await logIn(await newCode());
    const value = cookieOf(answer).split('=')[1] ?? '';
    for (const cookie of [`volley-1=${value}`, `volley=${value}`, `x=volley-${port}=${value}`, `Volley-${port}=${value}`])
      assert.equal((await send('GET /api/health', [`Cookie: ${cookie}`, `X-Volley-Page: ${keyOf(answer)}`, OURS])).status, 401, cookie);
  });
});

test('failed tries count together, whatever they are tried on, and do not keep out whoever has the token', async () => {
  const tries = [
    async () => await logIn('wrong'),
    async () => await send('GET /api/health', ['Authorization: Bearer wrong']),
    async () => await send('GET /mcp', ['Authorization: Bearer wrong']),
    async () => await send('GET /api/loops', [`Cookie: volley-${port}=a.b.c`, OURS]),
    async () => await send('GET /api/nothing', ['Authorization: Basic wrong']),
  ];
  const statuses: (number | null)[] = [];
  for (let round = 0; round < 4; round += 1) for (const attempt of tries) statuses.push((await attempt()).status);
  assert.deepEqual(new Set(statuses.slice(-tries.length)), new Set([429]));
  assert.match((await logIn('wrong')).head, /retry-after: 60/i);
  assert.equal((await server.ask('GET', '/api/health')).status, 200);
  assert.equal((await logIn(await newCode())).status, 200);
});
