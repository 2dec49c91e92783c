/** What is not needed at first, in the order in which it is likely to be wanted. */
const PARTS: readonly (() => Promise<unknown>)[] = [
  async () => await import('../decide/decision-dialog.tsx'),
  async () => await import('../review/loop-panel.tsx'),
  async () => await import('./palette.tsx'),
  async () => await import('../board/board.tsx'),
  async () => await import('../board/task-form.tsx'),
  async () => await import('../board/runs.tsx'),
  async () => await import('./key-map.tsx'),
  async () => await import('../review/change-panel.tsx'),
];

const QUIET_MS = 1500;

/** Fetches the rest of the app once the page is quiet, so that all of it is there when the server is not. Returns how to stop. */
export function fetchAhead(): () => void {
  let stopped = false;
  const timer = setTimeout(() => {
    void (async () => {
      for (const fetch of PARTS) {
        if (stopped) return;
        // Whoever wants it asks for it again.
        await fetch().catch(() => undefined);
      }
    })();
  }, QUIET_MS);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
