import type { JSX } from 'react';
import { Mark } from '../ui/mark.tsx';

/** For a browser that the server does not know. */
export function Locked(): JSX.Element {
  return (
    <main className="grid h-full place-content-center justify-items-center gap-3 p-6 text-center">
      <Mark />
      <h1 className="text-title font-semibold">This browser is not let in yet</h1>
      <p className="max-w-[44ch] text-body text-fg-2">
        Open the address that <code>volley serve</code> prints: it works once, for one browser. For another one, run it again.
      </p>
    </main>
  );
}
