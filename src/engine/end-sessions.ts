import type { Loop } from '../core/loop.ts';
import type { Engine } from './engine.ts';
import { markerOf } from './sessions.ts';

/** Ends whatever the sessions of an action left running. */
export async function endSessions(engine: Engine, loop: Loop, token: number): Promise<void> {
  const seats = loop.current?.action.do === 'review' ? loop.current.action.sessions.length : 1;
  await Promise.all(Array.from({ length: seats }, async (_, seat) => await engine.killMarked(markerOf(loop, token, seat))));
}
