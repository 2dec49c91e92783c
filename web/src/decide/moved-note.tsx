import type { JSX } from 'react';
import type { ListedLoop } from '../../../src/api/contract/loops.ts';
import { Icon } from '../ui/icon.tsx';
import { Plain } from '../ui/plain.tsx';
import { standsWords } from './moved.ts';

/** Says that a loop is not any more what somebody is about to decide on, and what it is now; null while that is being read. */
export function MovedNote({ now, isOffered }: { readonly now: ListedLoop | null; readonly isOffered: boolean }): JSX.Element {
  return (
    <div role="alert" className="mt-3 flex gap-2 rounded-2 bg-warn-tint px-3 py-2 text-small text-fg">
      <span className="pt-0.5 text-warn">
        <Icon name="alert" size={14} />
      </span>
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <b className="font-semibold">It moved on since you looked at it. Nothing was sent.</b>
        {now === null ? null : (
          <p>
            It is now: <Plain text={standsWords(now)} />
          </p>
        )}
        {now === null || isOffered ? null : <p>What you chose is not asked any more.</p>}
      </div>
    </div>
  );
}
