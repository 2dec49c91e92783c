import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { fakeEnded } from '../../src/agents/fake.ts';
import { plainTask } from '../../src/core/task.ts';
import { sendRaw } from '../support/raw-http.ts';
import type { RawAnswer } from '../support/raw-http.ts';
import { serveScenario } from '../support/served.ts';
import type { ServedProject } from '../support/served.ts';

// T1 and T2 of the threats: every route asks for the token, the exact name and an allowed origin.

/** What a browser gets before it has a token; nothing of the project is in it. */
const PAGES = ['DELETE /api/session', 'GET /', 'GET /change', 'GET /loop/:id', 'GET /pages/page.css', 'POST /api/session'];

/** The files of the web app, which are there once it is built. */
function isBuilt(name: string): boolean {
  return name === 'GET /icon.svg' || name.startsWith('GET /assets/');
}

const WRONG_HOSTS = [
  'evil.com',
  'evil.com:PORT',
  '127.attacker.example:PORT',
  '127.0.0.1.nip.io:PORT',
  'localhost.:PORT',
  '[::1]:PORT',
  '127.0.0.1',
  'localhost',
  '',
];
const WRONG_ORIGINS = ['null', 'http://evil.com', 'http://localhost:OTHER', 'https://127.0.0.1:PORT', 'http://evil.com:PORT'];

let started = 0;
let project: ServedProject;

before(async () => {
  const play = () => {
    started += 1;
    return [fakeEnded('{"passed":true}')];
  };
  project = await serveScenario({ author: play, reviewer: play });
  // There is a loop whose routes could do something.
  await project.app.start({
    change: { kind: 'authored', base: null },
    task: plainTask({ kind: 'implement', title: 'Add a line', source: { kind: 'authored' } }),
    flags: {},
  });
});

after(async () => await project[Symbol.asyncDispose]());

/** Every route that the router knows, with numbers in place of parameters: a new one is part of this by itself. */
function routes(): readonly { readonly method: string; readonly path: string; readonly name: string }[] {
  return project.served.routes
    .filter(({ method }) => method !== 'HEAD' && method !== 'OPTIONS')
    .map(({ method, path }) => ({
      method,
      path: path.replace(/:change/, `${'a'.repeat(40)}..${'b'.repeat(40)}`).replace(/:\w+/g, '1'),
      name: `${method} ${path}`,
    }));
}

/** A request of a program that knows what to do, but for what is given. */
async function knock(route: { readonly method: string; readonly path: string }, lines: readonly string[], host: string | null = null) {
  const { port } = project.served;
  const isSocket = route.path === '/api/live';
  const body = route.method === 'GET' || route.method === 'DELETE' ? '' : '{}';
  return await sendRaw(
    port,
    [
      `${route.method} ${route.path} HTTP/1.1`,
      `Host: ${host ?? `127.0.0.1:${port}`}`,
      ...(isSocket
        ? ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==']
        : ['Connection: close']),
      ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
      ...lines,
    ],
    body,
  );
}

/** A browser that is logged in. */
async function logIn(): Promise<{ readonly cookie: string; readonly page: string }> {
  const code = (await project.served.addresses())[0]?.split('#code=')[1];
  const { headers, body } = await project.ask('POST', '/api/session', { body: { code } });
  return { cookie: headers.get('set-cookie')?.split(';')[0] ?? '', page: String(Object(body).page) };
}

function assertInShape({ head, body }: RawAnswer): void {
  assert.match(body, /^\{"type":"error","v":1,/);
  assert.match(head, /content-security-policy: default-src 'none'/i);
  assert.match(head, /x-content-type-options: nosniff/i);
  assert.match(head, /connection: close/i);
}

async function position(): Promise<unknown> {
  return (await project.ask('GET', '/api/health')).body;
}

describe('every route of the router', () => {
  test('asks for the token, but for the pages', async () => {
    const was = await position();
    const open: string[] = [];
    for (const route of routes()) {
      const { status, head } = await knock(route, []);
      if (status === 401) assert.match(head, /www-authenticate: Bearer/i);
      else open.push(route.name);
    }
    assert.deepEqual(
      open.filter((name) => !isBuilt(name)).toSorted(),
      PAGES.filter((name) => name !== 'DELETE /api/session'),
    );
    assert.deepEqual(await position(), was, 'nothing was written');
  });

  test('is refused with a wrong token', async () => {
    for (const route of routes()) {
      if (isBuilt(route.name) || (PAGES.includes(route.name) && route.name !== 'DELETE /api/session')) continue;
      const { status } = await knock(route, [`Authorization: Bearer ${'x'.repeat(43)}`]);
      assert.ok(status === 401 || status === 429, `${route.name}: ${status}`);
    }
  });

  test('is refused with the token of agents, but for their own door and the pages', async () => {
    const was = await position();
    const agentToken = (await readFile(project.served.agentTokenFile, 'utf8')).trim();
    assert.notEqual(agentToken, project.token);
    const open: string[] = [];
    for (const route of routes()) {
      const { status } = await knock(route, [`Authorization: Bearer ${agentToken}`]);
      if (status !== 401 && status !== 429 && !isBuilt(route.name)) open.push(route.name);
    }
    const pages = PAGES.filter((name) => name !== 'DELETE /api/session');
    assert.deepEqual(open.toSorted(), [...pages, 'DELETE /mcp', 'GET /mcp', 'POST /mcp'].toSorted());
    assert.deepEqual(await position(), was, 'nothing was written');
  });

  test('is refused by every other name of the server, with the token too', async () => {
    for (const route of routes()) {
      for (const host of WRONG_HOSTS) {
        const { status } = await knock(
          route,
          [`Authorization: Bearer ${project.token}`],
          host.replace('PORT', String(project.served.port)),
        );
        assert.ok(status === 421 || status === 400, `${route.name} as ${host}: ${status}`);
      }
      const twice = await knock(route, [`Authorization: Bearer ${project.token}`, 'Host: evil.com']);
      assert.ok(twice.status === 421 || twice.status === 400, `${route.name} with two hosts: ${twice.status}`);
    }
  });

  test('is refused to every other origin, with the token too', async () => {
    for (const route of routes()) {
      for (const origin of WRONG_ORIGINS) {
        const named = origin.replace('PORT', String(project.served.port)).replace('OTHER', String(project.served.port + 1));
        const { status, head } = await knock(route, [`Authorization: Bearer ${project.token}`, `Origin: ${named}`]);
        assert.equal(status, 403, `${route.name} from ${named}`);
        assert.doesNotMatch(head, /access-control/i);
      }
    }
  });

  test('says what browsers may do with it, whatever it answers', async () => {
    for (const route of routes().filter(({ path }) => path !== '/api/live')) {
      const { head } = await knock(route, []);
      assert.match(head, /content-security-policy: default-src 'none'/i, route.name);
      // The app may set style attributes, and compile what colours code; neither runs a script.
      assert.doesNotMatch(
        head.replace("style-src-attr 'unsafe-inline'", '').replace("'wasm-unsafe-eval'", ''),
        /unsafe-inline|unsafe-eval/,
      );
      assert.match(head, /referrer-policy: no-referrer/i);
      assert.match(head, /x-content-type-options: nosniff/i);
    }
  });

  test('asks for the key of its page beside a cookie, but for what holds nothing', async () => {
    const { cookie } = await logIn();
    const open: string[] = [];
    for (const route of routes()) {
      const { status } = await knock(route, [`Cookie: ${cookie}`, `Origin: ${project.served.url}`]);
      if (status !== 401 && !isBuilt(route.name)) open.push(route.name);
    }
    assert.deepEqual(
      open.toSorted(),
      [...PAGES.filter((name) => name !== 'DELETE /api/session'), 'GET /api/docs', 'GET /api/openapi.json'].toSorted(),
    );
  });

  test('lets a cookie in with the key of its page, but where it would let others in', async () => {
    const { cookie, page } = await logIn();
    const isLast = ({ name }: { readonly name: string }): boolean => name === 'DELETE /api/session';
    const refused: string[] = [];
    // Of a loop that is not there, so that nothing is done; and out in the end.
    for (const route of routes().toSorted((one, other) => Number(isLast(one)) - Number(isLast(other)))) {
      const key = route.path === '/api/live' ? `Sec-WebSocket-Protocol: volley, page.${page}` : `X-Volley-Page: ${page}`;
      const path = route.path.replace(/\/1(?=\/|$)/, '/999');
      const { status, head } = await knock({ ...route, path }, [`Cookie: ${cookie}`, key, `Origin: ${project.served.url}`]);
      if (route.path === '/api/live') assert.match(head, /^sec-websocket-protocol: volley\r?$/im);
      if (route.name === 'POST /api/session') assert.equal(status, 400);
      else if (status === null || [401, 403, 421, 429].includes(status)) refused.push(`${route.name} ${status}`);
    }
    assert.deepEqual(refused, ['POST /api/codes 403']);
  });

  test('started nothing of all that', () => assert.equal(started, 0));
});

describe('what no route answers', () => {
  test('asks for the token first', async () => {
    for (const path of ['/api/nothing', '/nothing', '/api/loops/../../etc/passwd', '//evil.com/api/health', '/%2e%2e/%2e%2e/etc/passwd'])
      assert.equal((await knock({ method: 'GET', path }, [])).status, 401, path);
  });

  test('asks for the token first where its path cannot be read, and says nothing of the path', async () => {
    for (const path of ['/api/loops/%zz', '/api/%', `/api/loops/${'9'.repeat(5000)}`, '/api/loops/%c3%28']) {
      const refused = await knock({ method: 'GET', path }, []);
      assert.equal(refused.status, 401, path);
      assert.match(refused.head, /content-security-policy/i);
      const { status, body } = await knock({ method: 'GET', path }, [`Authorization: Bearer ${project.token}`]);
      assert.ok(status === 400 || status === 404, `${path}: ${status}`);
      assert.match(body, /^\{"type":"error"/);
      assert.ok(!body.includes('99999'));
    }
  });

  test('is refused in the one shape of an error where it is no HTTP, or has too many headers', async () => {
    const { port } = project.served;
    for (const [lines, status] of [
      [['NONSENSE'], 400],
      [['GET / HTTP/1.1', `Host: 127.0.0.1:${port}`, `X: ${'x'.repeat(20_000)}`], 431],
      [['GET / HTTP/1.1', `Host: 127.0.0.1:${port}`, 'Content-Length: 1', 'Transfer-Encoding: chunked'], 400],
    ] as const) {
      const answer = await sendRaw(port, lines);
      assert.equal(answer.status, status);
      assert.match(answer.body, /^\{"type":"error","v":1,/);
      assert.match(answer.head, /content-security-policy/i);
    }
  });

  test('is refused in the one shape of an error where nobody is named, too much is expected, or a way elsewhere is asked for', async () => {
    const { port } = project.served;
    const host = `Host: 127.0.0.1:${port}`;
    const token = `Authorization: Bearer ${project.token}`;
    for (const [lines, status] of [
      [['GET /api/health HTTP/1.1', token, 'Connection: close'], 421],
      [['GET / HTTP/1.1', 'Connection: close'], 421],
      [['GET /api/health HTTP/1.1', host, token, 'Expect: foo'], 417],
      [['POST /api/tasks HTTP/1.1', host, 'Expect: foo', 'Content-Length: 2'], 417],
      [[`CONNECT 127.0.0.1:${port} HTTP/1.1`, host, token], 405],
      [['CONNECT evil.com:443 HTTP/1.1'], 405],
    ] as const) {
      const answer = await sendRaw(port, lines);
      assert.equal(answer.status, status, lines.join());
      assertInShape(answer);
    }
  });

  test('is refused in the one shape of an error where the handshake of a socket is wrong', async () => {
    const { port } = project.served;
    const key = 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==';
    for (const lines of [
      ['Upgrade: websocket', key, 'Sec-WebSocket-Version: 12'],
      ['Upgrade: websocket', key],
      ['Upgrade: websocket', 'Sec-WebSocket-Key: short', 'Sec-WebSocket-Version: 13'],
      ['Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
      ['Upgrade: websocket', key, 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Protocol: a,,b'],
      ['Upgrade: h2c', key, 'Sec-WebSocket-Version: 13'],
    ]) {
      const head = ['GET /api/live HTTP/1.1', `Host: 127.0.0.1:${port}`, 'Connection: Upgrade'];
      assert.equal((await sendRaw(port, [...head, ...lines])).status, 401, lines.join());
      const answer = await sendRaw(port, [...head, `Authorization: Bearer ${project.token}`, ...lines]);
      assert.equal(answer.status, 400, lines.join());
      assert.match(answer.head, /^sec-websocket-version: 13\r?$/im);
      assertInShape(answer);
    }
  });

  test('is no socket, page or not', async () => {
    for (const path of ['/', '/api/health', '/api/nothing']) {
      const upgrade = [
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      ];
      const answer = await sendRaw(project.served.port, [
        `GET ${path} HTTP/1.1`,
        `Host: 127.0.0.1:${project.served.port}`,
        `Authorization: Bearer ${project.token}`,
        ...upgrade,
      ]);
      assert.equal(answer.status, 400, path);
    }
  });

  test('is not found with it, in the one shape of an error', async () => {
    const { status, body } = await project.ask('GET', '/api/nothing');
    assert.equal(status, 404);
    assert.partialDeepStrictEqual(body, { type: 'error', v: 1, code: 'not-found' });
  });

  test('a method that a path does not take is told those that it takes, behind the token and in the one shape', async () => {
    for (const [method, path, allow] of [
      ['PUT', '/api/loops/1', 'GET'],
      ['DELETE', '/api/tasks', 'POST'],
      ['GET', '/api/review-loop/1/start?x=1', 'POST'],
      ['POST', '/api/settings/review-loop', 'GET, PUT, DELETE'],
      ['OPTIONS', '/api/loops/1/findings', 'GET'],
      ['TRACE', '/api/health', 'GET'],
      ['PATCH', '/mcp', 'GET, POST, DELETE'],
    ] as const) {
      assert.equal((await knock({ method, path }, [])).status, 401, path);
      const { status, head, body } = await knock({ method, path }, [`Authorization: Bearer ${project.token}`]);
      assert.equal(status, 405, `${method} ${path}`);
      assert.match(head, new RegExp(`^allow: ${allow}\r?$`, 'im'), path);
      assert.partialDeepStrictEqual(JSON.parse(body), { type: 'error', v: 1, code: 'wrong-method' });
    }
    const { status, head, body } = await knock({ method: 'HEAD', path: '/api/health' }, [`Authorization: Bearer ${project.token}`]);
    assert.deepEqual([status, /^allow: GET\r?$/im.test(head), body], [405, true, '']);
    assert.equal((await knock({ method: 'PUT', path: '/api/loops/' }, [`Authorization: Bearer ${project.token}`])).status, 404);
  });

  test('a preflight gets nothing', async () => {
    const { status, head } = await knock({ method: 'OPTIONS', path: '/api/tasks' }, [
      'Origin: http://evil.com',
      'Access-Control-Request-Method: POST',
    ]);
    assert.equal(status, 403);
    assert.doesNotMatch(head, /access-control/i);
  });
});

describe('a body', () => {
  const token = (): string => `Authorization: Bearer ${project.token}`;
  const post = async (type: string, body: string) =>
    await sendRaw(
      project.served.port,
      [
        'POST /api/tasks HTTP/1.1',
        `Host: 127.0.0.1:${project.served.port}`,
        'Connection: close',
        token(),
        `Content-Type: ${type}`,
        `Content-Length: ${Buffer.byteLength(body)}`,
      ],
      body,
    );

  test('that is not JSON is refused', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/json',
      'application/jsonx',
    ])
      assert.equal((await post(type, '{"text":"Add a line"}')).status, 415, type);
    assert.equal((await post('application/json', '{"text":')).status, 400);
  });

  test('that is too large, or too deep, is refused', async () => {
    assert.equal((await post('application/json', JSON.stringify({ text: 'x'.repeat(1024 * 1024) }))).status, 413);
    assert.equal((await post('application/json', '['.repeat(100_000))).status, 400);
    assert.equal((await post('application/json', `${'['.repeat(100_000)}${']'.repeat(100_000)}`)).status, 400);
  });

  test('with keys that nobody knows, or those of a prototype, is refused', async () => {
    for (const body of [
      '{"text":"x","admin":true}',
      '{"__proto__":{"text":"x"}}',
      '{"text":"x","constructor":{}}',
      'null',
      '[]',
      '"x"',
      '7',
    ])
      assert.equal((await post('application/json', body)).status, 400, body);
  });

  test('started nothing of all that', () => assert.equal(started, 0));
});
