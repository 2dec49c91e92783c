import type { JSX } from 'react';

/** The mark: one bounce across the net. */
export function Mark(): JSX.Element {
  return (
    <svg viewBox="0 0 24 24" className="block size-6" fill="none" strokeLinecap="round" strokeLinejoin="round" aria-hidden>
      <path d="M1.5 12h21" className="stroke-control stroke-[1.25]" />
      <path d="M3.5 4.5 11 19.5 17.8 6" className="stroke-fg stroke-[2.6]" />
      <circle cx="19.8" cy="4.3" r="2.7" className="fill-you stroke-fg stroke-[1.2]" />
    </svg>
  );
}
