import { useSyncExternalStore } from 'react';

/** Whether a question about the screen is answered with yes, as that changes. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (tell) => {
      const asked = matchMedia(query);
      asked.addEventListener('change', tell);
      return () => asked.removeEventListener('change', tell);
    },
    () => matchMedia(query).matches,
  );
}

/** Whether the panel is as narrow as a phone: one thing after the other, and a bar for the thumb. */
export function useNarrow(): boolean {
  return useMedia('(width < 720px)');
}
