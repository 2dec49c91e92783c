import { openStore } from './app-store.ts';
import { analyticsOf } from './core/analytics.ts';
import type { Analytics } from './core/analytics-output.ts';
import type { DayRange } from './core/counts.ts';
import { openProject } from './git/project.ts';
import { utcDay } from './lib/utc-day.ts';

/** What the loops of the project that a folder belongs to came to, in the last so many days or ever. */
export async function readAnalytics(cwd: string, days: number | null): Promise<Analytics> {
  const { root } = await openProject(cwd);
  const now = new Date().toISOString();
  const range: DayRange = days === null ? { from: null, to: null } : { from: utcDay(now, days - 1), to: utcDay(now) };
  const store = openStore(root);
  try {
    return analyticsOf(await store.counts(range), range);
  } finally {
    await store.close();
  }
}
