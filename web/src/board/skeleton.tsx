import { useEffect, useState } from 'react';
import type { JSX } from 'react';
import { COLUMN_NAMES, COLUMNS } from './columns.ts';

/** What comes soon is not announced. */
const PATIENCE_MS = 150;

/** The shape of what comes, after a moment. */
export function BoardSkeleton(): JSX.Element | null {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isLate) return null;
  return (
    <div role="status" aria-label="Loading the loops" className="flex h-full animate-[appear_320ms_var(--ease-out)] flex-col">
      <div className="flex gap-2.5 px-4 pt-3 pb-1.5">
        <i className="h-[30px] w-28 rounded-2 bg-selected" />
        <i className="h-[30px] w-[220px] rounded-2 bg-sunken" />
      </div>
      <div className="board-columns min-h-0 flex-1 px-2">
        {COLUMNS.map((column, index) => (
          <div key={column} className="grid content-start gap-2 overflow-hidden px-2 pb-2 max-sm:w-[88vw] max-sm:shrink-0">
            <p aria-hidden className="flex h-9 items-center px-1 pt-2 font-semibold text-fg-3">
              {COLUMN_NAMES[column]}
            </p>
            {Array.from({ length: [2, 3, 3, 2, 3][index] ?? 2 }, (_none, card) => (
              <Blank key={card} />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

function Blank(): JSX.Element {
  return (
    <div className="grid gap-2.5 rounded-3 bg-surface p-3 shadow-card">
      <i className="h-2.5 w-12 rounded-1 bg-selected" />
      <i className="h-3 w-4/5 rounded-1 bg-selected" />
      <svg viewBox="0 0 214 30" className="w-full fill-none stroke-[var(--selected)] stroke-3" aria-hidden>
        <path d="M4 15H210" strokeWidth="1.5" />
        <path d="M8 15 41 4 74 26 107 9 140 20 173 15" strokeLinejoin="round" />
      </svg>
      <i className="h-2.5 w-3/5 rounded-1 bg-selected" />
    </div>
  );
}
