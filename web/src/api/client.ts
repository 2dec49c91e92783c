import { createClient } from '../../../src/api/contract/client.ts';
import type { Client, ClientOptions } from '../../../src/api/contract/client.ts';

const KEY = 'volley-page';

/** The key of this page, without which its cookie does not count: a cookie goes to every server of the host, this to none. */
export function pageKey(): Pick<ClientOptions, 'page'> {
  const page = localStorage.getItem(KEY);
  return page === null ? {} : { page };
}

/** Keeps the key that came with the cookie. */
export function keepPageKey(page: string): void {
  localStorage.setItem(KEY, page);
}

/** A client of the server of this page, whose questions end with the signal. */
export function clientFor(signal?: AbortSignal): Client {
  return createClient({ ...pageKey(), ...(signal === undefined ? {} : { signal }) });
}
