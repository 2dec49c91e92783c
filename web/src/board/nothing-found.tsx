import { useNavigate } from '@tanstack/react-router';
import type { JSX } from 'react';
import { Button } from '../ui/button.tsx';
import { useLoops } from './loops.ts';

/** Said once where a filter leaves nothing of the whole board, with the way out of it. */
export function NothingFound(): JSX.Element {
  const navigate = useNavigate({ from: '/' });
  const isLooking = useLoops(({ finishedNext }) => finishedNext !== null);
  return (
    <div role="status" className="grid justify-items-center gap-3 px-4 py-6 text-fg-3">
      {isLooking ? 'Looking further back…' : 'No loop has these words.'}
      <Button onClick={() => void navigate({ search: (search) => ({ ...search, q: undefined }), replace: true })}>Clear the filter</Button>
    </div>
  );
}
