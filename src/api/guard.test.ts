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

type Headers = Readonly<Record<string, string | readonly string[]>>;

function noneRevoked(): Revoked {
  const ids = new Set<string>();
  return { has: (id) => ids.has(id), add: (id) => void ids.add(id) };
}

function guard(nowMs: () => number = () => 0): Guard {
  return new Guard(
    {
      token: TOKEN,
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

function cookieFrom(one: Guard): string {
  return one.logIn(one.makeCode(), { secure: false }).split(';')[0] ?? '';
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

describe('a browser', () => {
  test('trades a code for a cookie that no script reads and no other page sends', () => {
    const one = guard();
    const header = one.logIn(one.makeCode(), { secure: false });
    assert.match(header, /^volley-4780=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/);
    assert.match(one.logIn(one.makeCode(), { secure: true }), /; Secure$/);
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
    const cookie = cookieFrom(one);
    one.check(knock({ host: HOST, cookie, 'sec-fetch-site': 'same-origin' }), 'token');
    one.check(knock({ host: HOST, cookie, 'sec-fetch-site': 'none' }), 'token');
    one.check(knock({ host: HOST, cookie: `other=1; ${cookie}`, origin: ORIGIN }, { method: 'POST' }), 'token');
    one.check(knock({ host: HOST, cookie, origin: ORIGIN }, { isSocket: true }), 'token');
    const refused: readonly Knock[] = [
      knock({ host: HOST, cookie }),
      knock({ host: HOST, cookie }, { method: 'POST' }),
      knock({ host: HOST, cookie, 'sec-fetch-site': 'none' }, { method: 'POST' }),
      knock({ host: HOST, cookie, 'sec-fetch-site': 'same-origin' }, { isSocket: true }),
      knock({ host: HOST, cookie, 'sec-fetch-site': 'same-site' }),
    ];
    for (const asks of refused)
      assert.equal(
        codeOf(() => one.check(asks, 'token')),
        'wrong-origin',
      );
  });

  test('stays in when the server is started again with the same token, and is out when its time is over or the token is new', () => {
    let now = 0;
    const cookie = cookieFrom(guard(() => now));
    const asks = knock({ host: HOST, cookie, 'sec-fetch-site': 'same-origin' });
    guard(() => now).check(asks, 'token');
    now += 30 * 24 * 60 * 60_000;
    assert.equal(
      codeOf(() => guard(() => now).check(asks, 'token')),
      'not-logged-in',
    );
    const other = new Guard({ token: 'b'.repeat(43), hosts: [HOST], origins: [ORIGIN], nowMs: () => 0, revoked: noneRevoked() }, PORT);
    assert.equal(
      codeOf(() => other.check(asks, 'token')),
      'not-logged-in',
    );
  });

  test('is not let in by a cookie that somebody changed', () => {
    const one = guard();
    const [name = '', value = ''] = cookieFrom(one).split('=');
    const [id = '', until = '', signature = ''] = value.split('.');
    for (const forged of [`${id}.${Number(until) + 1}.${signature}`, `x${id}.${until}.${signature}`, `${id}.${until}.`, '', '..'])
      assert.notEqual(
        codeOf(() => one.check(knock({ host: HOST, cookie: `${name}=${forged}`, origin: ORIGIN }), 'token')),
        null,
        forged,
      );
  });
});

test('a cookie that was taken back counts no more, whatever is written behind it', () => {
  const one = guard();
  const cookie = cookieFrom(one);
  const other = cookieFrom(one);
  assert.match(one.logOut({ cookie }, { secure: true }), /^volley-4780=; .*Max-Age=0; Secure$/);
  one.logOut({ cookie: 'volley-4780=made.up.one' }, { secure: false });
  one.logOut({}, { secure: false });
  for (const copy of [cookie, `${cookie}.x`, `${cookie}.`])
    assert.equal(
      codeOf(() => one.check(knock({ host: HOST, cookie: copy, origin: ORIGIN }), 'token')),
      'not-logged-in',
    );
  one.check(knock({ host: HOST, cookie: other, origin: ORIGIN }), 'token');
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

test('a cookie that was taken back counts no more', () => {
  const one = guard();
  const cookie = cookieFrom(one);
  const asks = knock({ host: HOST, cookie, 'sec-fetch-site': 'same-origin' });
  one.check(asks, 'token');
  assert.match(one.logOut(asks.headers, { secure: false }), /^volley-4780=; .*Max-Age=0$/);
  assert.equal(
    codeOf(() => one.check(asks, 'token')),
    'not-logged-in',
  );
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
