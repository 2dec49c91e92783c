import type { Usage } from '../review.ts';
import { isRecord, parseWholeJson, pick } from './coerce.ts';
import { usageOf } from './result-json.ts';

/** What a session reports about its cost, whatever else becomes of its result. */
export function readUsage(result: string | null): Usage | null {
  const parsed = parseWholeJson(result ?? '');
  return parsed.ok && isRecord(parsed.value) ? usageOf(pick(parsed.value, 'usage')) : null;
}
