import type { JSX } from 'react';
import { useConnection } from '../api/live.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';

/** Says quietly that nothing is heard, and how old what is shown is. */
export function OfflineBar(): JSX.Element | null {
  const { state, since } = useConnection();
  if (state === 'outdated')
    return (
      <p role="status" className="flex items-center gap-2 border-b border-line bg-sunken px-4 py-1.5 text-small text-fg-2">
        Volley was updated. What you see is from before.
        <Button size="small" onClick={() => location.reload()}>
          Reload
        </Button>
      </p>
    );
  if (state !== 'offline') return null;
  return (
    <p role="status" className="flex items-center gap-2 border-b border-line bg-sunken px-4 py-1.5 text-small text-fg-2">
      <Icon name="offline" size={14} />
      Not connected. This is {new Date(since).toLocaleTimeString()}; it is tried again by itself, and decisions wait until then.
    </p>
  );
}
