import { openApp } from './app.ts';
import { openDesk } from './app-desk.ts';
import { trustFromNow } from './app-trusted-commit.ts';
import type { TrustedCommit } from './app-trusted-commit.ts';
import { startWorker } from './app-worker.ts';
import type { Worker } from './app-worker.ts';
import type { Desk } from './engine/desk.ts';

/** A project that is open, whose loops are driven as far as this process touched them. */
export type Driven = { readonly desk: Desk; close(): Promise<void> };

/** Where the project is, who hears of what is broken, and what was known to be trusted before anybody asked for anything. */
export type Opening = { readonly cwd: string; readonly broke: (error: unknown) => void; readonly trusted: TrustedCommit | null };

/** So many loops of one client are driven at once; the others wait their turn. */
const SLOTS = 4;

/** Opens a project and drives what is asked for by its desk; what others started is left to them. */
export async function openDriven({ cwd, broke, trusted }: Opening): Promise<Driven> {
  const ids: number[] = [];
  const app = await openApp({
    cwd,
    report: (progress) => {
      if (progress.type === 'journal' && !ids.includes(progress.loop.id)) ids.push(progress.loop.id);
    },
  });
  let worker: Worker | null = null;
  const stir = (): void => {
    worker ??= startWorker(app, { slots: SLOTS, only: ids, broke });
    worker.stir();
  };
  return {
    desk: openDesk(app, stir, trusted ?? trustFromNow(app.project)),
    close: async () => {
      await worker?.stop();
      await app.close();
    },
  };
}
