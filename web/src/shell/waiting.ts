import { useNavigate, useParams } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useLoops } from '../board/loops.ts';
import { waitingForYou } from '../board/order.ts';

/** How to go to the next loop that waits for a person: behind the one that is open, or to the oldest. */
export function useNextWaiting(): () => void {
  const navigate = useNavigate();
  const { id } = useParams({ strict: false });
  return useCallback(() => {
    const waiting = waitingForYou(useLoops.getState().loops.values());
    const at = waiting.findIndex((loop) => String(loop.id) === id);
    const next = waiting[(at + 1) % Math.max(1, waiting.length)];
    if (next !== undefined) void navigate({ to: '/loop/$id', params: { id: String(next.id) } });
  }, [navigate, id]);
}
