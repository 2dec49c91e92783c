import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { VolleyError } from '../core/errors.ts';

/** What of a request says who asks, and from where. */
export type Knock = {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** As they came, names and values in turn: a header that comes twice is not folded. */
  readonly rawHeaders: readonly string[];
  readonly isSocket: boolean;
};

/** What the door is locked with: the token, and the names under which the server may be called. */
export type Lock = {
  readonly token: string;
  /** With their ports, as they stand in the `Host` header. */
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
  nowMs(): number;
  /** The cookies that were taken back, by their ids; kept as long as they would have lasted. */
  readonly revoked: Revoked;
};

/** Remembers cookies that count no more, also when the server is started again. */
export type Revoked = { has(id: string): boolean; add(id: string, untilMs: number): void };

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

  constructor(lock: Lock, port: number) {
    this.#lock = lock;
    // With the port, because browsers send a cookie to every port of a host.
    this.#cookie = `volley-${port}`;
  }

  /** Throws unless the request may come in. */
  check(knock: Knock, access: 'token' | 'page'): void {
    this.#checkHost(knock);
    this.#checkOrigin(knock);
    if (access === 'page') return;
    const { authorization } = knock.headers;
    if (authorization !== undefined) {
      if (this.#isToken(authorization)) return;
      throw this.#failed('The token is wrong.');
    }
    const cookie = cookieOf(knock.headers, this.#cookie);
    if (cookie === null) throw notLoggedIn('This needs a token.');
    if (!this.#isCookie(cookie)) throw this.#failed('The cookie is wrong or too old.');
    if (!isFromOurPage(knock)) throw wrongOrigin('A cookie counts only in requests of our own page.');
  }

  /** A code that lets one browser in, once, within ten minutes. */
  makeCode(): string {
    const now = this.#lock.nowMs();
    for (const [hash, until] of this.#codes) if (until < now || this.#codes.size >= MOST_CODES) this.#codes.delete(hash);
    const code = randomBytes(24).toString('base64url');
    this.#codes.set(hashOf(code), now + CODE_MS);
    return code;
  }

  /** Takes a code and gives the cookie in its place, as a header; a code that was used, or never given, is an error. */
  logIn(code: string, { secure }: { readonly secure: boolean }): string {
    const hash = hashOf(code);
    const until = this.#codes.get(hash);
    this.#codes.delete(hash);
    if (until === undefined || until < this.#lock.nowMs()) throw this.#failed('The code was used already, or is too old.');
    const ends = this.#lock.nowMs() + COOKIE_MS;
    const id = `${randomBytes(12).toString('base64url')}.${ends}`;
    return this.#setCookie(`${id}.${this.#sign(id)}`, { secure, ageMs: COOKIE_MS });
  }

  /** Takes the cookie of a request back, also from whoever kept a copy; the header tells its browser. */
  logOut(headers: IncomingHttpHeaders, { secure }: { readonly secure: boolean }): string {
    const cookie = cookieOf(headers, this.#cookie);
    const [id = '', until = ''] = cookie?.split('.') ?? [];
    if (cookie !== null && this.#isCookie(cookie)) this.#lock.revoked.add(id, Number(until));
    return this.#setCookie('', { secure, ageMs: 0 });
  }

  #setCookie(value: string, { secure, ageMs }: { readonly secure: boolean; readonly ageMs: number }): string {
    return `${this.#cookie}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${ageMs / 1000}${secure ? '; Secure' : ''}`;
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

  #isToken(authorization: string): boolean {
    const [scheme = '', token = ''] = authorization.split(' ');
    return scheme.toLowerCase() === 'bearer' && isSame(token, this.#lock.token);
  }

  #isCookie(cookie: string): boolean {
    const [id = '', until = '', signature = ''] = cookie.split('.');
    const isOurs = isSame(signature, this.#sign(`${id}.${until}`)) && Number(until) > this.#lock.nowMs();
    return isOurs && !this.#lock.revoked.has(id);
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

/** A browser says of a request whether our own page made it, or its user. Sockets and whatever changes something have to name their origin. */
function isFromOurPage({ method, headers, isSocket }: Knock): boolean {
  if (headers.origin !== undefined) return true;
  const site = headers['sec-fetch-site'];
  return !isSocket && method === 'GET' && (site === 'same-origin' || site === 'none');
}

function cookieOf({ cookie = '' }: IncomingHttpHeaders, name: string): string | null {
  const found = cookie.split(/; */).find((pair) => pair.startsWith(`${name}=`));
  return found === undefined ? null : found.slice(name.length + 1);
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
