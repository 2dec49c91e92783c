import { VolleyError } from '../core/errors.ts';

/** What was read to say something is no more as it was. */
export class Moved extends Error {}

const TRIES = 5;

/** Says something about a loop that rests on what was read for it; where that moved meanwhile, it is read anew. */
export async function untilUnmoved<T>(id: number, say: () => Promise<T>): Promise<T> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    try {
      return await say();
    } catch (error) {
      if (!(error instanceof Moved)) throw error;
    }
  }
  throw new VolleyError('busy', `Task ${id} changes faster than it can be commented on.`, 'Try again in a moment.');
}
