import { followBranch } from './branch.ts';
import type { Engine } from './engine.ts';

const PERIOD_MS = 400;
/** The branch is looked at less often: it costs a git process. */
const BRANCH_TURNS = 5;

/** Aborts an action as soon as it was superseded, also by another process: a decision, a cancellation, a moved branch. */
export function watchToken(
  engine: Engine,
  { id, token }: { readonly id: number; readonly token: number },
  outer: AbortSignal,
): { readonly signal: AbortSignal; stop(): void } {
  const superseded = new AbortController();
  let turn = 0;
  const look = async (): Promise<void> => {
    turn += 1;
    const loop = await engine.store.load(id);
    const seen = loop !== null && turn % BRANCH_TURNS === 0 ? await followBranch(engine, loop) : loop;
    if (seen?.current?.token !== token) superseded.abort();
  };
  const timer = setInterval(() => {
    // What cannot be read for a moment says nothing; the append after the action will tell.
    look().catch(() => undefined);
  }, PERIOD_MS);
  timer.unref();
  return { signal: AbortSignal.any([outer, superseded.signal]), stop: () => clearInterval(timer) };
}
