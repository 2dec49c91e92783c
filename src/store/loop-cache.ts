import type { Loop } from '../core/loop.ts';

const KEPT_LOOPS = 512;

/** Loops that were folded before, so that a step folds only what is new. */
export type LoopCache = {
  get(id: number): Loop | null;
  put(loop: Loop): void;
  /** Visits what was put here, not what lies beneath. */
  forEach(visit: (loop: Loop) => void): void;
};

/** An empty cache, which forgets the least recently put; what it does not have it looks up in the one beneath. */
export function loopCache(beneath: LoopCache | null = null): LoopCache {
  const loops = new Map<number, Loop>();
  return {
    get: (id) => loops.get(id) ?? beneath?.get(id) ?? null,
    put: (loop) => {
      loops.delete(loop.id);
      loops.set(loop.id, loop);
      const [oldest] = loops.keys();
      if (loops.size > KEPT_LOOPS && oldest !== undefined) loops.delete(oldest);
    },
    forEach: (visit) => loops.forEach(visit),
  };
}
