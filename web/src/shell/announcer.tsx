import { useEffect, useRef, useState } from 'react';
import type { JSX } from 'react';
import { useLoops } from '../board/loops.ts';
import { waitingForYou } from '../board/order.ts';
import { Plain } from '../ui/plain.tsx';

/** Says once to those who do not see it that a loop waits for a person. It takes no focus. */
export function Announcer(): JSX.Element {
  const loops = useLoops((known) => known.loops);
  const isLoaded = useLoops(({ loaded }) => loaded !== 'nothing');
  const told = useRef<ReadonlySet<number> | null>(null);
  const [words, setWords] = useState('');
  useEffect(() => {
    if (!isLoaded) return;
    const waiting = waitingForYou(loops.values());
    const before = told.current;
    told.current = new Set(waiting.map(({ id }) => id));
    const fresh = before === null ? [] : waiting.filter(({ id }) => !before.has(id));
    if (fresh.length > 0) setWords(fresh.map(({ id, title, card }) => `#${id} ${title} needs you. ${card?.question ?? ''}`).join(' '));
  }, [loops, isLoaded]);
  return (
    <p aria-live="polite" className="sr-only">
      <Plain text={words} />
    </p>
  );
}
