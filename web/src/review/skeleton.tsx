import { useEffect, useState } from 'react';
import type { JSX } from 'react';

/** So long nothing is shown: what comes sooner needs no sign that it comes. */
const PATIENCE_MS = 150;

/** Whether one waits long enough for a sign. */
export function useSlow(): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return slow;
}

function Bar({ width, className = '' }: { readonly width: string; readonly className?: string }): JSX.Element {
  return <i className={`block h-2.5 rounded-[3px] bg-selected ${className}`} style={{ width }} />;
}

const WIDTHS = ['38%', '62%', '54%', '47%', '71%', '33%', '58%', '66%', '42%', '51%', '60%', '36%'];

/** The shape of a diff that comes. */
export function DiffSkeleton(): JSX.Element | null {
  if (!useSlow()) return null;
  return (
    <div aria-hidden className="flex-1 overflow-hidden bg-surface">
      <div className="flex h-10 items-center border-b border-line px-4">
        <Bar width="260px" />
      </div>
      {WIDTHS.map((width, index) => (
        <div
          key={width}
          className={`flex h-5 items-center pl-[62px] ${index === 3 || index === 4 ? 'bg-del-bg' : index > 4 && index < 9 ? 'bg-add-bg' : ''}`}
        >
          <Bar width={width} className="opacity-70" />
        </div>
      ))}
    </div>
  );
}

/** The shape of a panel that comes. */
export function PanelSkeleton(): JSX.Element | null {
  if (!useSlow()) return <main className="h-full" aria-busy />;
  return (
    <main aria-busy aria-label="Loading" className="grid h-full grid-rows-[44px_auto_minmax(0,1fr)]">
      <div className="flex items-center gap-3 px-4">
        <Bar width="32px" />
        <Bar width="280px" />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)_424px] gap-6 px-4 pb-3.5 max-md:grid-cols-1">
        <svg viewBox="0 0 1000 152" preserveAspectRatio="none" className="h-[152px] w-full fill-none stroke-selected stroke-2">
          <path vectorEffect="non-scaling-stroke" d="M0 82H1000" />
          <path vectorEffect="non-scaling-stroke" d="M10 82 210 50 400 112 600 62 800 96 1000 82" />
        </svg>
        <div className="h-[146px] rounded-3 bg-selected" />
      </div>
      <div className="grid grid-cols-[252px_minmax(0,1fr)] border-t border-line max-sm:grid-cols-1">
        <div className="grid content-start gap-3.5 border-r border-line p-4 max-sm:hidden">
          {WIDTHS.slice(0, 9).map((width) => (
            <Bar key={width} width={width} />
          ))}
        </div>
        <DiffSkeleton />
      </div>
    </main>
  );
}
