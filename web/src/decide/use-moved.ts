import { useState } from 'react';
import type { ListedLoop } from '../../../src/api/contract/loops.ts';
import { useLoops } from '../board/loops.ts';
import { watchOn } from './moved.ts';
import type { Watch } from './moved.ts';
import type { Proposal } from './propose.ts';

/** The loop that is decided about: as it was looked at, as it is now, and whether that is something else to decide about. */
export type Watched = Pick<Watch, 'seen' | 'moved'> & { readonly now: ListedLoop | undefined };

/** Watches the loop of a proposal as long as somebody thinks about it. */
export function useMoved(proposal: Proposal): Watched {
  const now = useLoops(({ loops }) => loops.get(proposal.loop));
  const [watch, setWatch] = useState<Watch>({ of: proposal, seen: now, moved: false });
  const next = watchOn(watch, proposal, now);
  if (next.of !== watch.of || next.seen !== watch.seen || next.moved !== watch.moved) setWatch(next);
  return { seen: next.seen, now, moved: next.moved };
}
