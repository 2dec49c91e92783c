import type { JSX } from 'react';
import type { LoopView } from '../../../src/core/view.ts';
import { useConnection } from '../api/live.ts';
import { LANDING } from '../decide/deed.ts';
import { propose } from '../decide/propose.ts';
import { Button } from '../ui/button.tsx';

/** Brings the work of an approved loop to a branch, wholly or not at all. */
export function LandButton({ loop: { id } }: { readonly loop: LoopView }): JSX.Element {
  const offline = useConnection(({ state }) => state === 'offline');
  return (
    <Button kind="primary" size="small" disabled={offline} onClick={() => propose({ loop: id, ...LANDING })}>
      {LANDING.label}
    </Button>
  );
}
