import type { z } from 'zod';
import type { RateLimit, Retry } from './claude-lines.ts';
import { resetTime } from './reset-time.ts';
import type { StreamEvent } from './stream-agent.ts';

/** Follows the limits that a session of Claude Code meets. */
export type ClaudeLimits = {
  readonly retried: (retry: z.infer<typeof Retry>) => readonly StreamEvent[];
  readonly limited: (limit: z.infer<typeof RateLimit>) => readonly StreamEvent[];
  /** What is still to be said of them when a turn has failed. */
  readonly ended: () => readonly StreamEvent[];
};

/** Claude Code waits at most 40 seconds by itself; who waits longer was told to by its server. */
const OWN_WAIT_MS = 60_000;
/** Whoever waits for less, or for what is past, tries again and again. */
const SOONEST_MS = 30_000;

/** A follower for one session; `now` is the time in milliseconds. */
export function followLimits(now: () => number): ClaudeLimits {
  let resetMs: number | null = null;
  let told: string | null = null;
  const tell = (words: (until: string | null) => string): StreamEvent[] => {
    told = resetMs !== null && resetMs >= now() + SOONEST_MS ? resetTime(resetMs, now()) : null;
    return [{ type: 'limited', until: told, message: words(told) }];
  };
  return {
    /** Errors of the server and of the network pass by themselves; a limit is worth to be told, but the next try is not its end. */
    retried({ error_status: status, attempt, max_retries: most, retry_delay_ms: delayMs }) {
      if (status !== 429) return [];
      if (delayMs > OWN_WAIT_MS) resetMs = Math.max(resetMs ?? 0, now() + delayMs);
      return tell(() => `Rate-limited; attempt ${attempt + 1} of ${most + 1} follows in ${Math.ceil(delayMs / 1000)} s.`);
    },
    /** One that is paid beyond holds nobody up. */
    limited({ rate_limit_info: info }) {
      if (info.status !== 'rejected' || info.isUsingOverage === true) return [];
      resetMs = typeof info.resetsAt === 'number' ? info.resetsAt * 1000 : null;
      const which = (info.rateLimitType ?? 'usage').replaceAll('_', ' ');
      return tell((until) => `The ${which} limit is reached${until === null ? '' : ` until ${until}`}.`);
    },
    ended() {
      const isPast = told !== null && Date.parse(told) < now() + SOONEST_MS;
      return isPast ? tell(() => 'The limit is not over at the time that was told.') : [];
    },
  };
}
