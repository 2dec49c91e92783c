import type { JSX, ReactNode } from 'react';
import { Plain } from '../ui/plain.tsx';

/** What is drawn, faded while something else in its place is on its way; what comes at once does not flicker. */
export function Fading({ until, children }: { readonly until: string | null; readonly children: ReactNode }): JSX.Element {
  return (
    <div aria-busy={until !== null} className="relative flex min-h-0 flex-1 flex-col">
      <div className={`flex min-h-0 flex-1 flex-col transition-opacity duration-(--fast) ${until === null ? '' : 'opacity-40 delay-200'}`}>
        {children}
      </div>
      <p role="status" className="pointer-events-none absolute inset-x-0 top-14 text-center">
        {until === null ? null : (
          <span className="inline-block max-w-[90%] animate-[appear_var(--fast)_200ms_both] truncate rounded-2 bg-raised px-3 py-1.5 text-small text-fg-2 shadow-[0_0_0_1px_var(--line)]">
            Loading <Plain text={until} />…
          </span>
        )}
      </p>
    </div>
  );
}
