import { useCallback, useState } from 'react';

/** How wide an element is, as it changes: what is drawn in it depends on that. The first number is a guess that lasts one frame. */
export function useWidth(guess: number): readonly [width: number, ref: (element: HTMLElement | null) => (() => void) | undefined] {
  const [width, setWidth] = useState(guess);
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return;
    const watcher = new ResizeObserver(() => setWidth(element.clientWidth));
    watcher.observe(element);
    setWidth(element.clientWidth);
    return () => watcher.disconnect();
  }, []);
  return [width, ref];
}
