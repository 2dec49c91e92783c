import { useMemo, useState } from 'react';
import { heldBack } from './held-back.ts';
import type { Drawn, HeldBack } from './held-back.ts';

/** What is shown, and what is held back until the reader asks for it. Where there is nothing to read nothing is held back. */
export function useNews({
  head,
  findings,
  comments,
  reading,
}: Omit<Drawn, 'findings'> & {
  readonly findings: Drawn['findings'] | undefined;
  readonly reading: boolean;
}): HeldBack & { readonly newest: Drawn; readonly catchUp: () => void } {
  const [known, setKnown] = useState<Drawn | null>(null);
  const newest = useMemo(() => ({ head, findings: findings ?? NONE, comments }), [head, findings, comments]);
  const shown = useMemo(() => (known === null ? null : heldBack(known, newest)), [known, newest]);
  const catchUp = (): void => setKnown(newest);
  if (known === null || shown === null || findings === undefined) {
    if (findings !== undefined) setKnown(newest);
    return { ...newest, news: null, newest, catchUp };
  }
  // Without news the newest is what is known from now on: its lines are those that stay.
  const isStale = shown.news === null ? known.findings !== findings || known.comments !== comments : !reading;
  if (isStale) setKnown(newest);
  return { ...shown, newest, catchUp };
}

const NONE: readonly never[] = [];
