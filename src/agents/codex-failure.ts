import { z } from 'zod';
import { parseJson } from '../core/readers/coerce.ts';
import { redact } from '../core/secrets.ts';
import type { FailureReason } from './agent.ts';
import { resetTime } from './reset-time.ts';

/** Why a turn of Codex failed; `until` is when a limit is over, as ISO. */
export type CodexFailure = { readonly reason: FailureReason; readonly message: string; readonly until: string | null };

const LOGGED_OUT =
  /\b401 Unauthorized\b|\(401\)|\bcould not be refreshed\b|^Failed to refresh token: 4\d\d\b|\b(?:sign|log) ?in again\b|\bNot logged in\b/i;
const LIMITED = /\busage limit\b|\b429 Too Many Requests\b|\brate limit\b|\bQuota exceeded\b|\bout of credits\b|\bcredit limit\b/i;

/** Understands what Codex says when it gives up; its clock is UTC. */
export function readFailure(said: string, nowMs: number): CodexFailure {
  const words = wordsOf(said);
  if (LOGGED_OUT.test(words)) return { reason: 'logged-out', message: words, until: null };
  if (LIMITED.test(words)) return { reason: 'limited', message: words, until: untilOf(words, nowMs) };
  return { reason: 'crashed', message: `It gave up: ${words}`, until: null };
}

const ApiError = z.object({ error: z.object({ message: z.string() }) });
const LONGEST = 500;

/** One line without addresses of requests, and without the JSON around it. */
function wordsOf(said: string): string {
  const parsed = parseJson(said.trim());
  const inner = parsed.ok ? (ApiError.safeParse(parsed.value).data?.error.message ?? said) : said;
  const plain = inner
    .replace(/^unexpected status /, '')
    .replace(/,\s*(?:url|cf-ray|request id): .*$/s, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const words = redact(plain).slice(0, LONGEST);
  return words === '' ? 'It gave no reason.' : /[.!?]$/.test(words) ? words : `${words}.`;
}

/** When it may be tried again, as ISO; null where it does not say so. */
export function untilOf(words: string, nowMs: number): string | null {
  return resetTime(momentOf(words, nowMs) ?? spanOf(words, nowMs), nowMs);
}

const MOMENT = /try again at (?:([A-Z][a-z]{2}) (\d{1,2})(?:st|nd|rd|th), (\d{4}) )?(\d{1,2}):(\d{2}) ([AP]M)/i;
const DAY_MS = 24 * 60 * 60_000;

function momentOf(words: string, nowMs: number): number | null {
  const [found, month, day = '', year = '', hours = '', minutes = '', half = ''] = MOMENT.exec(words) ?? [];
  if (found === undefined) return null;
  const timeMs = ((Number(hours) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0)) * 3_600_000 + Number(minutes) * 60_000;
  if (month !== undefined) {
    const dayMs = Date.parse(`${day} ${month} ${year} 00:00:00 GMT`);
    return Number.isNaN(dayMs) ? null : dayMs + timeMs;
  }
  const todayMs = nowMs - (nowMs % DAY_MS) + timeMs;
  // It says minutes only, so a moment that has just passed is meant, but not one of hours ago.
  return todayMs < nowMs - 60_000 ? todayMs + DAY_MS : todayMs;
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: DAY_MS };
const SPAN = /try again in ((?:\d+(?:\.\d+)? ?(?:ms|milliseconds?|s|seconds?|m|minutes?|h|hours?|d|days?)\b[ ,]*)+)/i;

function spanOf(words: string, nowMs: number): number | null {
  const span = SPAN.exec(words)?.[1];
  if (span === undefined) return null;
  const parts = [...span.matchAll(/(\d+(?:\.\d+)?) ?(ms|[a-z])/gi)];
  return nowMs + parts.reduce((sum, [, count = '', unit = '']) => sum + Number(count) * (UNIT_MS[unit.toLowerCase()] ?? 0), 0);
}
