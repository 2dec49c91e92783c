import { useSyncExternalStore } from 'react';
import type { JSX } from 'react';

const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | null = null;

function listen(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const one of listeners) one();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}

/** How long something took, or is ago, in the words of a board. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}

/** How long ago something was; goes on by itself, and only where the words change. */
export function Age({ at }: { readonly at: string }): JSX.Element {
  const words = useSyncExternalStore(listen, () => duration(now - Date.parse(at)));
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()} className="whitespace-nowrap">
      {words}
    </time>
  );
}
