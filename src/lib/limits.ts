/** How long something may take: in all, and without a sign of life. */
export type Limits = {
  readonly wallMs: number;
  readonly idleMs: number;
  readonly onWall: () => void;
  readonly onIdle: () => void;
  /** Whether silence is no sign of trouble just now; the idle time stands still meanwhile. */
  readonly isBusy?: () => boolean;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
};

/** Limits that are being watched. */
export type RunningLimits = { readonly touch: () => void; readonly stop: () => void };

const SLOWEST_TICK_MS = 250;
const FASTEST_TICK_MS = 10;

/**
 * Watches a wall limit and an idle limit and calls one of them, once.
 * Time is counted in small steps, so that the sleep of a laptop, which is one large step, is no timeout.
 */
export function watchLimits(limits: Limits): RunningLimits {
  const now = limits.now ?? ((): number => performance.now());
  const tickMs = Math.min(SLOWEST_TICK_MS, Math.max(FASTEST_TICK_MS, Math.min(limits.wallMs, limits.idleMs) / 10));
  let lastTick = now();
  let wallMs = 0;
  let idleMs = 0;
  const tick = (): void => {
    const present = now();
    const stepMs = Math.min(present - lastTick, 4 * tickMs);
    lastTick = present;
    wallMs += stepMs;
    if (limits.isBusy?.() !== true) idleMs += stepMs;
    if (wallMs < limits.wallMs && idleMs < limits.idleMs) return;
    clearInterval(timer);
    if (wallMs >= limits.wallMs) limits.onWall();
    else limits.onIdle();
  };
  const timer = setInterval(tick, tickMs);
  return {
    touch: () => {
      idleMs = 0;
    },
    stop: () => clearInterval(timer),
  };
}
