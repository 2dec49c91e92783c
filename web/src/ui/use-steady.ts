import { useCallback, useEffect, useRef } from 'react';

/** A function that stays the same one from drawing to drawing and does what the newest does, for parts that are drawn only when they change. */
export function useSteady<A extends readonly unknown[]>(act: (...given: A) => void): (...given: A) => void {
  const newest = useRef(act);
  useEffect(() => void (newest.current = act));
  return useCallback((...given: A) => newest.current(...given), []);
}
