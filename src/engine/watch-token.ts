import type { Engine } from './engine.ts';

const PERIOD_MS = 400;

/** Aborts an action as soon as it was superseded, also by another process: a decision, a cancellation, a moved branch. */
export function watchToken(
  engine: Engine,
  { id, token }: { readonly id: number; readonly token: number },
  outer: AbortSignal,
): { readonly signal: AbortSignal; stop(): void } {
  const superseded = new AbortController();
  const timer = setInterval(() => {
    engine.store
      .load(id)
      .then((loop) => {
        if (loop?.current?.token !== token) superseded.abort();
      })
      // A store that cannot be read for a moment says nothing; the append after the action will tell.
      .catch(() => undefined);
  }, PERIOD_MS);
  timer.unref();
  return { signal: AbortSignal.any([outer, superseded.signal]), stop: () => clearInterval(timer) };
}
