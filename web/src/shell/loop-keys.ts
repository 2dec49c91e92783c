import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Override } from '../../../src/core/event.ts';
import { refresh, useLoops } from '../board/loops.ts';
import { movesOf } from '../board/moves.ts';
import { proposalOf } from '../board/proposal.ts';
import { deedName } from '../decide/deed.ts';
import { propose } from '../decide/propose.ts';
import { refused } from '../ui/toast.tsx';
import { useKeys } from './keys.ts';
import type { KeyMap } from './keys.ts';

/** The keys for what may be done at any time to the loop that is open; what is not legal now does nothing. */
export function useLoopKeys(): void {
  const { id } = useParams({ strict: false });
  useKeys(
    useMemo((): KeyMap => {
      if (id === undefined) return {};
      const to = (...names: Override[]) => {
        return (): void => void act(Number(id), names).catch(refused);
      };
      return { s: to('skip'), 'Shift+T': to('retry'), 'Shift+O': to('takeover', 'handback'), 'Shift+R': to('review') };
    }, [id]),
  );
}

/** Looks first at how the loop is now. */
async function act(id: number, names: readonly Override[]): Promise<void> {
  await refresh([id]);
  const loop = useLoops.getState().loops.get(id);
  const move = loop === undefined ? undefined : movesOf(loop).find(({ deed }) => names.some((name) => name === deedName(deed)));
  if (loop !== undefined && move !== undefined) propose(proposalOf(loop, move));
}
