import type { Event } from './event.ts';

/**
 * Whether an entry says only that somebody tried to drive a loop: nothing came of it that could make another try, by whomever, end
 * differently.
 */
export function isMereTry({ type }: Event): boolean {
  return type === 'started' || type === 'interrupted' || type === 'tallied' || type === 'postponed' || type === 'refused';
}
