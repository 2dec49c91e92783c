import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { VolleyError } from '../core/errors.ts';
import { PAGE_HEADER, PAGE_PROTOCOL } from './contract/page-key.ts';

/** What of a request says who asks, and from where. */
export type Knock = {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** As they came, names and values in turn: a header that comes twice is not folded. */
  readonly rawHeaders: readonly string[];
  readonly isSocket: boolean;
};

/** Who may come in: whoever has the token; agents too, which have a token of their own; or anybody. */
export type Access = 'token' | 'agent' | 'page';

/** What the door is locked with: the tokens, and the names under which the server may be called. */
export type Lock = {
  readonly token: string;
  /** Opens the door for agents and no other. */
  readonly agentToken: string;
  /** With their ports, as they stand in the `Host` header. */
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
  nowMs(): number;
  /** The cookies that were taken back, by their ids; kept as long as they would have lasted. */
  readonly revoked: Revoked;
};

/** Remembers cookies that count no more, also when the server is started again. */
export type Revoked = { has(id: string): boolean; add(id: string, untilMs: number): void };

/**
 * How far a cookie counts. It goes to every other server of the host, because cookies know no ports, so that it counts only with the key
 * that its page keeps for its own origin: `with-key`. `alone`: for what holds nothing of the project and is opened by navigation.
 */
export type CookieRule = 'with-key' | 'alone' | 'never';

/** The cookie by which somebody came in, and when it ends. */
export type Login = { readonly id: string; readonly untilMs: number };

const CODE_MS = 10 * 60_000;
const COOKIE_MS = 30 * 24 * 60 * 60_000;
const MOST_CODES = 20;
const TRIES = 10;
const TRIES_MS = 60_000;

/** The lock of the door: every request needs the right host, an allowed origin and, but for the pages, the token or its cookie. */
export class Guard {
  readonly #lock: Lock;
  readonly #cookie: string;
  /** By the hash of the code, when it ends. */
  readonly #codes = new Map<string, number>();
  #failures: number[] = [];
  readonly #leaving = new Set<() => void>();

  constructor(lock: Lock, port: number) {
    this.#lock = lock;
    // With the port, because browsers send a cookie to every port of a host.
    this.#cookie = `volley-${port}`;
  }

  /** Throws unless the request may come in; gives the login where a cookie let it in. */
  check(knock: Knock, access: Access, rule: CookieRule = 'with-key'): Login | null {
    this.#checkHost(knock);
    if (access === 'page' && isOpened(knock)) return null;
    this.#checkOrigin(knock);
    if (access === 'page') return null;
    const { authorization } = knock.headers;
    if (authorization !== undefined) {
      const token = bearerOf(authorization);
      if (isSame(token, this.#lock.token)) return null;
      if (!isSame(token, this.#lock.agentToken)) throw this.#failed('The token is wrong.');
      if (access === 'agent') return null;
      throw this.#failed('The token of agents opens /mcp alone.');
    }
    return this.#checkCookies(knock, rule);
  }

  /** Another page of the host can add cookies of our name, so that any good one counts. */
  #checkCookies(knock: Knock, rule: CookieRule): Login {
    const cookies = cookiesOf(knock.headers, this.#cookie);
    if (cookies.length === 0) throw notLoggedIn('This needs a token.');
    const logins = this.#loginsOf(cookies);
    const [first] = logins;
    if (first === undefined) throw this.#failed('The cookie is wrong or too old.');
    if (!isFromOurPage(knock)) throw wrongOrigin('A cookie counts only in requests of our own page.');
    if (rule === 'alone') return first;
    const key = keyOf(knock);
    if (key === null) throw notLoggedIn('The cookie counts only with the key that its page keeps.');
    const login = logins.find(({ id }) => isSame(key, this.#pageKey(id)));
    if (login === undefined) throw this.#failed('The key of the page is not that of the cookie.');
    if (rule === 'never') throw needsToken();
    return login;
  }

  /** Whether a login counts no more. */
  isOver({ id, untilMs }: Login): boolean {
    return !(untilMs > this.#lock.nowMs()) || this.#lock.revoked.has(id);
  }

  /** Is told whenever a cookie is taken back, until the result is called. */
  onLogOut(act: () => void): () => void {
    this.#leaving.add(act);
    return () => void this.#leaving.delete(act);
  }

  /** The headers that take cookies of our name away of which none counts; there are none where one does. */
  clearStale(headers: IncomingHttpHeaders): readonly string[] {
    const cookies = cookiesOf(headers, this.#cookie);
    return cookies.length > 0 && this.#loginsOf(cookies).length === 0 ? this.#clear({ secure: false }) : [];
  }

  /** A code that lets one browser in, once, within ten minutes. */
  makeCode(): string {
    const now = this.#lock.nowMs();
    for (const [hash, until] of this.#codes) if (until < now || this.#codes.size >= MOST_CODES) this.#codes.delete(hash);
    const code = randomBytes(24).toString('base64url');
    this.#codes.set(hashOf(code), now + CODE_MS);
    return code;
  }

  /** Takes a code and gives the cookie in its place, as a header, and the key of its page; a code that was used, or never given, is an error. */
  logIn(code: string, { secure }: { readonly secure: boolean }): { readonly cookie: string; readonly page: string } {
    const hash = hashOf(code);
    const until = this.#codes.get(hash);
    this.#codes.delete(hash);
    if (until === undefined || until < this.#lock.nowMs()) throw this.#failed('The code was used already, or is too old.');
    const ends = this.#lock.nowMs() + COOKIE_MS;
    const id = randomBytes(12).toString('base64url');
    const signed = `${id}.${ends}`;
    const cookie = this.#setCookie(`${signed}.${this.#sign(signed)}`, { secure, ageMs: COOKIE_MS });
    return { cookie, page: this.#pageKey(id) };
  }

  /** Takes the cookie of a request back, also from whoever kept a copy; the headers tell its browser. */
  logOut(headers: IncomingHttpHeaders, { secure }: { readonly secure: boolean }): readonly string[] {
    for (const { id, untilMs } of this.#loginsOf(cookiesOf(headers, this.#cookie))) this.#lock.revoked.add(id, untilMs);
    for (const act of this.#leaving) act();
    return this.#clear({ secure });
  }

  /** For our own path, and for the one for which another page of the host would set it to keep ours out. */
  #clear({ secure }: { readonly secure: boolean }): readonly string[] {
    return ['/', '/api'].map((path) => this.#setCookie('', { secure, ageMs: 0, path }));
  }

  #setCookie(value: string, { secure, ageMs, path = '/' }: CookieLife): string {
    return `${this.#cookie}=${value}; Path=${path}; HttpOnly; SameSite=Strict; Max-Age=${ageMs / 1000}${secure ? '; Secure' : ''}`;
  }

  #checkHost({ rawHeaders, headers }: Knock): void {
    const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
    if (hosts.length === 1 && headers.host !== undefined && this.#lock.hosts.includes(headers.host)) return;
    throw new VolleyError(
      'wrong-host',
      'The server does not go by this name.',
      `Call it ${this.#lock.hosts[0] ?? ''}, or start it with --allow-host and the name that your proxy uses.`,
    );
  }

  /** A request without an origin comes from a program or is a plain GET of a page; a page of somebody else is named. */
  #checkOrigin({ rawHeaders, headers }: Knock): void {
    const origins = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'origin');
    const site = headers['sec-fetch-site'];
    const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none';
    if (origins.length === 0 && !isForeign) return;
    if (origins.length === 1 && this.#lock.origins.includes(headers.origin ?? '') && !isForeign) return;
    throw wrongOrigin('A page of another origin may not ask this server.');
  }

  /** Those of some cookies that count. */
  #loginsOf(cookies: readonly string[]): readonly Login[] {
    return cookies.flatMap((cookie) => {
      const [id = '', until = '', signature = ''] = cookie.split('.');
      const login = { id, untilMs: Number(until) };
      return isSame(signature, this.#sign(`${id}.${until}`)) && !this.isOver(login) ? [login] : [];
    });
  }

  #pageKey(id: string): string {
    return createHmac('sha256', this.#lock.token).update(`page ${id}`).digest('base64url');
  }

  /** The cookie follows from the token, so that it lives as long as that does, also when the server is started again. */
  #sign(id: string): string {
    return createHmac('sha256', this.#lock.token).update(`cookie ${id}`).digest('base64url');
  }

  /**
   * A failed try; after many of them in a minute they are too many. Whoever has the token, or a good code, is let in all the same: nobody can guess
   * either, and nobody should be able to keep its holder out.
   */
  #failed(what: string): VolleyError {
    const now = this.#lock.nowMs();
    this.#failures = [...this.#failures.filter((at) => now - at < TRIES_MS), now].slice(-TRIES - 1);
    return this.#failures.length <= TRIES ? notLoggedIn(what) : tooMany();
  }
}

/** A link to a page may stand anywhere: the pages hold nothing. What puts them into a frame is no document of its own. */
function isOpened({ method, headers, isSocket }: Knock): boolean {
  const isNavigation = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return isNavigation && method === 'GET' && !isSocket && headers.origin === undefined;
}

/** A browser says of a request whether our own page made it, or its user. Sockets and whatever changes something have to name their origin. */
function isFromOurPage({ method, headers, isSocket }: Knock): boolean {
  if (headers.origin !== undefined) return true;
  const site = headers['sec-fetch-site'];
  return !isSocket && method === 'GET' && (site === 'same-origin' || site === 'none');
}

/** The token that a header carries; nothing where it is of another kind. */
function bearerOf(authorization: string): string {
  const [scheme = '', token = ''] = authorization.split(' ');
  return scheme.toLowerCase() === 'bearer' ? token : '';
}

type CookieLife = { readonly secure: boolean; readonly ageMs: number; readonly path?: string };

function cookiesOf({ cookie = '' }: IncomingHttpHeaders, name: string): readonly string[] {
  return cookie.split(/; */).flatMap((pair) => (pair.startsWith(`${name}=`) ? [pair.slice(name.length + 1)] : []));
}

/** The key that a page sends beside its cookie. A browser cannot set headers on a WebSocket, but it can offer protocols. */
function keyOf({ headers, isSocket }: Knock): string | null {
  if (!isSocket) return [headers[PAGE_HEADER] ?? null].flat()[0] ?? null;
  const offered = headers['sec-websocket-protocol']?.split(',').map((one) => one.trim()) ?? [];
  return offered.find((one) => one.startsWith(PAGE_PROTOCOL))?.slice(PAGE_PROTOCOL.length) ?? null;
}

function needsToken(): VolleyError {
  return new VolleyError(
    'needs-token',
    'A browser that is logged in may not let others in.',
    'Press Enter where volley serve runs, or type volley serve: that makes a new address.',
  );
}

function notLoggedIn(what: string): VolleyError {
  return new VolleyError(
    'not-logged-in',
    what,
    'Send Authorization: Bearer with the token of the token file, or open a new address: volley serve.',
  );
}

function tooMany(): VolleyError {
  return new VolleyError('too-many-tries', 'Too many tries failed.', 'Wait a minute, then try again.');
}

function wrongOrigin(what: string): VolleyError {
  return new VolleyError('wrong-origin', what, 'Use the page that the server itself serves, or send the token from a program.');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest());
}
