import { VolleyError } from '../core/errors.ts';
import type { Loop } from '../core/loop.ts';
import { appendEvent } from './append.ts';
import type { Engine } from './engine.ts';

/** A repository that git cannot read ends the loop as failed, which can be retried; every other error is thrown on. */
export async function failByGit(engine: Engine, id: number, error: unknown): Promise<Loop> {
  if (!(error instanceof VolleyError) || error.code !== 'git-failed') throw error;
  return await appendEvent(engine, id, { type: 'failed', message: error.message, stack: error.stack ?? null });
}
