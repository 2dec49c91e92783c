/** What tells whether a task needs somebody. */
export type Standing = {
  readonly state: string;
  readonly kind: string;
  readonly waiting: string | null;
  /** Whether it has something to do that needs a driver. */
  readonly wantsWork: boolean;
};

/** States in which nothing more happens to a task by itself, whatever it once waited for. */
const OVER: ReadonlySet<string> = new Set(['approved', 'merged', 'cancelled', 'failed', 'self_review_failed', 'ready_for_human_review']);

/** Whether a task came to an end or to rest. */
export function isOver({ state }: Pick<Standing, 'state'>): boolean {
  return OVER.has(state);
}

/** Whether nothing happens to a task until somebody does something. A review that was asked for alone is answered when it is read. */
export function needsYou({ state, kind, waiting, wantsWork }: Standing): boolean {
  if (state === 'needs_human' || state === 'blocked' || state === 'failed') return true;
  if (wantsWork) return false;
  if (waiting === 'login') return !isOver({ state });
  if (state === 'pending_self_review' && waiting === null) return true;
  return state === 'ready_for_human_review' || (state === 'self_review_failed' && kind === 'implement');
}
