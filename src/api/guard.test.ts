import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { VolleyError } from '../core/errors.ts';
import { Guard } from './guard.ts';
import type { Knock, Revoked } from './guard.ts';

const PORT = 4780;
const HOST = `127.0.0.1:${PORT}`;
const ORIGIN = `http://${HOST}`;
const TOKEN = 'a'.repeat(43);
const AGENT_TOKEN = 'b'.repeat(43);

type Headers = Readonly<Record<string, string | readonly string[]>>;

function noneRevoked(): Revoked {
  const ids = new Set<string>();
  return { has: (id) => ids.has(id), add: (id) => void ids.add(id) };
}

function guard(nowMs: () => number = () => 0): Guard {
  return new Guard(
    {
      token: TOKEN,
      agentToken: AGENT_TOKEN,
      hosts: [HOST, `localhost:${PORT}`, 'volley.example.org'],
      origins: [ORIGIN, 'https://volley.example.org'],
      nowMs,
      revoked: noneRevoked(),
    },
    PORT,
  );
}

/** A request as Node gives it: of a header that comes twice, it keeps the first. */
function knock(headers: Headers, more: Partial<Knock> = {}): Knock {
  const pairs = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => [name, one] as const));
  const first = Object.fromEntries(pairs.toReversed());
  return { method: 'GET', isSocket: false, headers: first, rawHeaders: pairs.flat(), ...more };
}

function codeOf(act: () => void): string | null {
  try {
    act();
    return null;
  } catch (error) {
    assert.ok(error instanceof VolleyError);
    return error.code;
  }
}

const bearer = { host: HOST, authorization: `Bearer ${TOKEN}` };

/** What a browser that logged in sends: its cookie, and the key of its page. */
function loginFrom(one: Guard): { readonly cookie: string; readonly 'x-volley-page': string } {
  const { cookie, page } = one.logIn(one.makeCode(), { secure: false });
  return { cookie: cookie.split(';')[0] ?? '', 'x-volley-page': page };
}

describe('a program with the token', () => {
  test('is let in, by every name of the server', () => {
    for (const host of [HOST, `localhost:${PORT}`, 'volley.example.org']) guard().check(knock({ ...bearer, host }), 'token');
  });

  test('is not let in without it, or with another', () => {
    assert.equal(
      codeOf(() => guard().check(knock({ host: HOST }), 'token')),
      'not-logged-in',
    );
    for (const authorization of ['Bearer', 'Bearer ', `Bearer ${TOKEN}b`, `Basic ${TOKEN}`, TOKEN, `Bearer ${TOKEN.slice(1)}`])
      assert.equal(
        codeOf(() => guard().check(knock({ host: HOST, authorization }), 'token')),
        'not-logged-in',
        authorization,
      );
  });

  test('is let in by no text but the token', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(text !== TOKEN);
        assert.notEqual(
          codeOf(() => guard().check(knock({ host: HOST, authorization: `Bearer ${text}` }), 'token')),
          null,
        );
      }),
    );
  });
});

describe('an agent with the token of agents', () => {
  const asAgent = { host: HOST, authorization: `Bearer ${AGENT_TOKEN}` };

  test('is let in by the door for agents, as is whoever has the token', () => {
    for (const headers of [asAgent, bearer]) guard().check(knock(headers), 'agent');
  });

  test('is let in by no other, not by another name, and not from another page', () => {
    for (const [headers, access, code] of [
      [asAgent, 'token', 'not-logged-in'],
      [{ ...asAgent, host: 'evil.com' }, 'agent', 'wrong-host'],
      [{ ...asAgent, origin: 'http://evil.com' }, 'agent', 'wrong-origin'],
      [{ host: HOST }, 'agent', 'not-logged-in'],
    ] as const)
      assert.equal(
        codeOf(() => guard().check(knock(headers), access)),
        code,
      );
  });

  test('that has a wrong one fails like everybody else', () => {
    const one = guard();
    const wrong = (): string | null =>
      codeOf(() => one.check(knock({ host: HOST, authorization: `Bearer ${AGENT_TOKEN.slice(1)}` }), 'agent'));
    for (let tried = 0; tried < 10; tried += 1) assert.equal(wrong(), 'not-logged-in');
    assert.equal(wrong(), 'too-many-tries');
    one.check(knock(asAgent), 'agent');
  });
});

describe('another name than that of the server', () => {
  const hosts = [
    'evil.com',
    `evil.com:${PORT}`,
    '127.0.0.1',
    `127.0.0.1:${PORT + 1}`,
    `127.attacker.example:${PORT}`,
    `127.0.0.1.nip.io:${PORT}`,
    `localhost.:${PORT}`,
    'localhost',
    `[::1]:${PORT}`,
    `0.0.0.0:${PORT}`,
    `${HOST}.`,
    `${HOST},evil.com`,
    `${HOST} `,
    '',
  ];
  for (const host of hosts)
    test(`is refused, token or not: '${host}'`, () => {
      for (const access of ['token', 'page'] as const)
        assert.equal(
          codeOf(() => guard().check(knock({ ...bearer, host }), access)),
          'wrong-host',
        );
    });

  test('is refused beside the right one', () => {
    assert.equal(
      codeOf(() => guard().check(knock({ ...bearer, host: [HOST, 'evil.com'] }), 'page')),
      'wrong-host',
    );
    assert.equal(
      codeOf(() => guard().check(knock({ ...bearer, host: [HOST, HOST] }), 'page')),
      'wrong-host',
    );
  });

  test('is refused where none is given', () => {
    assert.equal(
      codeOf(() => guard().check(knock({ authorization: bearer.authorization }), 'token')),
      'wrong-host',
    );
  });
});

describe('a page of another origin', () => {
  const origins = ['null', 'http://evil.com', `http://localhost:${PORT + 1}`, `https://${HOST}`, `${ORIGIN}/`, `${ORIGIN}.evil.com`, ''];
  for (const origin of origins)
    test(`is refused, token or not: '${origin}'`, () => {
      for (const access of ['token', 'page'] as const)
        assert.equal(
          codeOf(() => guard().check(knock({ ...bearer, origin }), access)),
          'wrong-origin',
        );
    });

  test('is refused where it names two', () => {
    assert.equal(
      codeOf(() => guard().check(knock({ ...bearer, origin: [ORIGIN, 'http://evil.com'] }), 'page')),
      'wrong-origin',
    );
  });

  test('is refused by what the browser says of it, also without an origin', () => {
    for (const site of ['cross-site', 'same-site', 'anything'])
      assert.equal(
        codeOf(() => guard().check(knock({ ...bearer, 'sec-fetch-site': site }), 'page')),
        'wrong-origin',
        site,
      );
  });
});

test('a page is opened by a link that stands anywhere, and by nothing else', () => {
  const link = { host: HOST, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  for (const site of ['cross-site', 'same-site', 'none']) guard().check(knock({ ...link, 'sec-fetch-site': site }), 'page');
  const refused: readonly (readonly [Knock, 'token' | 'page'])[] = [
    [knock({ ...link, 'sec-fetch-dest': 'iframe' }), 'page'],
    [knock({ ...link, 'sec-fetch-dest': 'embed' }), 'page'],
    [knock({ ...link, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }), 'page'],
    [knock({ ...link, 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }), 'page'],
    [knock({ ...link, origin: 'http://evil.com' }), 'page'],
    [knock(link, { method: 'POST' }), 'page'],
    [knock(link, { isSocket: true }), 'page'],
    [knock({ ...link, authorization: bearer.authorization }), 'token'],
  ];
  for (const [asks, access] of refused)
    assert.equal(
      codeOf(() => guard().check(asks, access)),
      'wrong-origin',
    );
  assert.equal(
    codeOf(() => guard().check(knock({ ...link, host: 'evil.com' }), 'page')),
    'wrong-host',
  );
});

describe('a browser', () => {
  test('trades a code for a cookie that no script reads and no other page sends', () => {
    const one = guard();
    const { cookie: header } = one.logIn(one.makeCode(), { secure: false });
    assert.match(header, /^volley-4780=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/);
    assert.match(one.logIn(one.makeCode(), { secure: true }).cookie, /; Secure$/);
  });

  test('gets in by a code once, and in time', () => {
    let now = 0;
    const one = guard(() => now);
    const code = one.makeCode();
    one.logIn(code, { secure: false });
    assert.equal(
      codeOf(() => one.logIn(code, { secure: false })),
      'not-logged-in',
    );
    const late = one.makeCode();
    now += 10 * 60_000 + 1;
    assert.equal(
      codeOf(() => one.logIn(late, { secure: false })),
      'not-logged-in',
    );
  });

  test('is let in by its cookie from our page only', () => {
    const one = guard();
    const login = { host: HOST, ...loginFrom(one) };
    const protocols = { 'sec-websocket-protocol': `volley, page.${login['x-volley-page']}` };
    one.check(knock({ ...login, 'sec-fetch-site': 'same-origin' }), 'token');
    one.check(knock({ ...login, 'sec-fetch-site': 'none' }), 'token');
    one.check(knock({ ...login, cookie: `other=1; ${login.cookie}`, origin: ORIGIN }, { method: 'POST' }), 'token');
    one.check(knock({ ...login, ...protocols, origin: ORIGIN }, { isSocket: true }), 'token');
    const refused: readonly Knock[] = [
      knock(login),
      knock(login, { method: 'POST' }),
      knock({ ...login, 'sec-fetch-site': 'none' }, { method: 'POST' }),
      knock({ ...login, ...protocols, 'sec-fetch-site': 'same-origin' }, { isSocket: true }),
      knock({ ...login, 'sec-fetch-site': 'same-site' }),
    ];
    for (const asks of refused)
      assert.equal(
        codeOf(() => one.check(asks, 'token')),
        'wrong-origin',
      );
  });

  test('is not let in by its cookie without the key of its page, which other servers of the host do not see', () => {
    const one = guard();
    const { cookie, 'x-volley-page': key } = loginFrom(one);
    const other = loginFrom(one)['x-volley-page'];
    const ours = { host: HOST, cookie, origin: ORIGIN };
    const refused: readonly Knock[] = [
      knock(ours),
      knock(ours, { method: 'POST' }),
      ...[other, '', `${key}x`, key.slice(1), cookie].map((wrong) => knock({ ...ours, 'x-volley-page': wrong })),
      knock({ ...ours, 'sec-websocket-protocol': `volley, page.${key}` }),
      knock({ ...ours, 'x-volley-page': key }, { isSocket: true }),
      knock({ ...ours, 'sec-websocket-protocol': `volley, page.${other}` }, { isSocket: true }),
      knock({ ...ours, 'sec-websocket-protocol': `volley, ${key}` }, { isSocket: true }),
    ];
    for (const asks of refused)
      assert.notEqual(
        codeOf(() => one.check(asks, 'token')),
        null,
      );
  });

  test('that has no key tries nothing, one with a wrong key does', () => {
    const one = guard();
    const { cookie } = loginFrom(one);
    const asks = { host: HOST, cookie, origin: ORIGIN };
    for (let tried = 0; tried < 20; tried += 1)
      assert.equal(
        codeOf(() => one.check(knock(asks), 'token')),
        'not-logged-in',
      );
    for (let tried = 0; tried < 10; tried += 1) codeOf(() => one.check(knock({ ...asks, 'x-volley-page': 'x' }), 'token'));
    assert.equal(
      codeOf(() => one.check(knock({ ...asks, 'x-volley-page': 'x' }), 'token')),
      'too-many-tries',
    );
  });

  test('needs its cookie alone for what holds nothing, and the token itself for what lets others in', () => {
    const one = guard();
    const login = { host: HOST, ...loginFrom(one), origin: ORIGIN };
    one.check(knock({ host: HOST, cookie: login.cookie, 'sec-fetch-site': 'same-origin' }), 'token', 'alone');
    assert.equal(
      codeOf(() => one.check(knock(login), 'token', 'never')),
      'needs-token',
    );
    one.check(knock(bearer), 'token', 'never');
  });

  test('is not kept out by cookies of our name that another page of the host sets', () => {
    const one = guard();
    const { cookie, ...key } = loginFrom(one);
    const old = loginFrom(one).cookie;
    const bad = 'volley-4780=a.b.c';
    const asks = (sent: string): Knock => knock({ host: HOST, cookie: sent, ...key, origin: ORIGIN });
    for (const sent of [`${bad}; ${cookie}`, `${cookie}; ${bad}`, `volley-4780=; ${cookie}`, `${old}; ${cookie}`]) {
      assert.ok(one.check(asks(sent), 'token'));
      assert.deepEqual(one.clearStale(asks(sent).headers), []);
    }
    const cleared = one.clearStale({ cookie: `${bad}; ${bad}` });
    assert.deepEqual(
      cleared.map((header) => /^volley-4780=; Path=(\S+); .*Max-Age=0$/.exec(header)?.[1]),
      ['/', '/api'],
    );
    assert.deepEqual(one.clearStale({ cookie: 'other=1' }), []);
  });

  test('stays in when the server is started again with the same token, and is out when its time is over or the token is new', () => {
    let now = 0;
    const asks = knock({ host: HOST, ...loginFrom(guard(() => now)), 'sec-fetch-site': 'same-origin' });
    const login = guard(() => now).check(asks, 'token');
    assert.ok(login);
    now += 30 * 24 * 60 * 60_000;
    assert.ok(guard(() => now).isOver(login));
    assert.equal(
      codeOf(() => guard(() => now).check(asks, 'token')),
      'not-logged-in',
    );
    const other = new Guard(
      { agentToken: AGENT_TOKEN, token: 'b'.repeat(43), hosts: [HOST], origins: [ORIGIN], nowMs: () => 0, revoked: noneRevoked() },
      PORT,
    );
    assert.equal(
      codeOf(() => other.check(asks, 'token')),
      'not-logged-in',
    );
  });

  test('is not let in by a cookie that somebody changed', () => {
    const one = guard();
    const { cookie, ...key } = loginFrom(one);
    const [name = '', value = ''] = cookie.split('=');
    const [id = '', until = '', signature = ''] = value.split('.');
    for (const forged of [`${id}.${Number(until) + 1}.${signature}`, `x${id}.${until}.${signature}`, `${id}.${until}.`, '', '..'])
      assert.notEqual(
        codeOf(() => one.check(knock({ host: HOST, ...key, cookie: `${name}=${forged}`, origin: ORIGIN }), 'token')),
        null,
        forged,
      );
  });
});

test('a cookie that was taken back counts no more, whatever is written behind it, and whoever asked to be told is', () => {
  const one = guard();
  const { cookie, ...key } = loginFrom(one);
  const other = loginFrom(one);
  const login = one.check(knock({ host: HOST, cookie, ...key, origin: ORIGIN }), 'token');
  assert.ok(login);
  let told = 0;
  const forget = one.onLogOut(() => (told += 1));
  assert.equal(one.isOver(login), false);
  assert.match(one.logOut({ cookie }, { secure: true }).join(), /^volley-4780=; Path=\/; .*Max-Age=0; Secure,volley-4780=; Path=\/api; /);
  assert.deepEqual([one.isOver(login), told], [true, 1]);
  forget();
  one.logOut({ cookie: 'volley-4780=made.up.one' }, { secure: false });
  one.logOut({}, { secure: false });
  assert.equal(told, 1);
  for (const copy of [cookie, `${cookie}.x`, `${cookie}.`])
    assert.equal(
      codeOf(() => one.check(knock({ host: HOST, cookie: copy, ...key, origin: ORIGIN }), 'token')),
      'not-logged-in',
    );
  one.check(knock({ host: HOST, ...other, origin: ORIGIN }), 'token');
});

test('after ten failed tries in a minute they are too many, but whoever has the token gets in', () => {
  let now = 0;
  const one = guard(() => now);
  const wrong = (): string | null => codeOf(() => one.check(knock({ host: HOST, authorization: 'Bearer no' }), 'token'));
  for (let tried = 0; tried < 10; tried += 1) assert.equal(wrong(), 'not-logged-in');
  assert.equal(wrong(), 'too-many-tries');
  assert.equal(
    codeOf(() => one.logIn('no', { secure: false })),
    'too-many-tries',
  );
  one.check(knock(bearer), 'token');
  one.logIn(one.makeCode(), { secure: false });
  now += 60_000;
  assert.equal(wrong(), 'not-logged-in');
});

test('codes do not pile up', () => {
  const one = guard();
  const first = one.makeCode();
  for (let made = 0; made < 100; made += 1) one.makeCode();
  assert.equal(
    codeOf(() => one.logIn(first, { secure: false })),
    'not-logged-in',
  );
});
