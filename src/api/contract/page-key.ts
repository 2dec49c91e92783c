/** In which header a page sends its key, without which its cookie does not count. */
export const PAGE_HEADER = 'x-volley-page';

/** What a live socket speaks; it is what the server answers with where protocols are offered. */
export const LIVE_PROTOCOL = 'volley';

/** Before the key in a protocol that a page offers, because a browser sends no headers of a page's own with a socket. */
export const PAGE_PROTOCOL = 'page.';

/** Where the live channel is: a WebSocket that asks for the same token, host and origin as every route. */
export const LIVE_PATH = '/api/live';
