import { clientFor, keepPageKey } from './client.ts';

/**
 * Trades the one-time code of the address for the cookie. It stands behind the #, so that no server, log or other page ever sees it,
 * and is gone from the history before it is used. One that was used already is no matter where the browser has its cookie: what the
 * page asks next tells.
 */
export async function logIn(): Promise<void> {
  const code = codeOf(location.hash);
  if (code === null) return;
  history.replaceState(null, '', location.pathname + location.search);
  await clientFor()
    .ask('logIn', { body: { code } })
    .then(({ page }) => keepPageKey(page))
    .catch(() => undefined);
}

/** Logs in with a new address that is opened where the app is already: no page is loaded for what changes behind the #, so it is begun anew. */
export function followAddress(): void {
  addEventListener('hashchange', () => {
    if (codeOf(location.hash) !== null) void logIn().then(() => location.reload());
  });
}

function codeOf(hash: string): string | null {
  return new URLSearchParams(hash.slice(1)).get('code');
}
