import { unknownTask } from '../core/errors.ts';
import type { Loop } from '../core/loop.ts';
import type { Engine } from './engine.ts';

/** The loop with this number, or an error that helps. */
export async function requireLoop(engine: Pick<Engine, 'store'>, id: number): Promise<Loop> {
  const loop = await engine.store.load(id);
  if (loop === null) throw unknownTask(id);
  return loop;
}
