/** What of a document tells whether somebody may be looking at it. */
export type Page = EventTarget & Pick<Document, 'visibilityState'>;

type Reading = {
  readonly page: Page;
  /** How long it was read before. */
  readonly earlierMs: number;
  /** After so long in all it is told at once, and not only when somebody goes. */
  readonly enoughMs: number;
};

/**
 * Counts how long a page is in sight: one in another tab is read by nobody. Tells the sum whenever somebody looks away or goes, and once
 * it is enough. Returns how to stop.
 */
export function countReading({ page, earlierMs, enoughMs }: Reading, onRead: (sumMs: number) => void): () => void {
  let sum = earlierMs;
  let since: number | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = (): void => {
    if (since === null) return;
    const now = performance.now();
    sum += now - since;
    since = now;
    onRead(sum);
  };
  const pause = (): void => {
    clearTimeout(timer);
    tell();
    since = null;
  };
  const look = (): void => {
    pause();
    if (page.visibilityState === 'hidden') return;
    since = performance.now();
    // A little later, because timers round down.
    timer = setTimeout(tell, Math.max(0, enoughMs - sum) + 50);
  };
  look();
  page.addEventListener('visibilitychange', look);
  return () => {
    pause();
    page.removeEventListener('visibilitychange', look);
  };
}
