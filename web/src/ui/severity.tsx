import type { JSX } from 'react';
import type { Severity as Grade } from '../../../src/core/finding.ts';

const SHAPES: Readonly<Record<Grade, JSX.Element>> = {
  critical: (
    <>
      <path d="M4 0h4l4 4v4l-4 4H4L0 8V4z" />
      <path d="M6 3v3.5M6 8.7v.1" className="fill-none stroke-surface stroke-[1.6]" strokeLinecap="round" />
    </>
  ),
  high: <path d="M6 .6 12 11.4H0z" />,
  medium: <path d="M6 0 12 6 6 12 0 6z" />,
  low: <circle cx="6" cy="6" r="4.6" className="fill-none stroke-current stroke-[2.2]" />,
  suggestion: <circle cx="6" cy="6" r="4.6" className="fill-none stroke-current stroke-[1.8]" strokeDasharray="2.4 2.4" />,
};

const COLOURS: Readonly<Record<Grade, string>> = {
  critical: 'text-critical',
  high: 'text-high',
  medium: 'text-medium',
  low: 'text-low',
  suggestion: 'text-suggestion',
};

/** How grave a finding is: its shape first, its colour second; the word is there also where it is not shown. */
export function Severity({ grade, bare = false }: { readonly grade: Grade; readonly bare?: boolean }): JSX.Element {
  return (
    <span className={`inline-flex items-center gap-1.5 font-semibold whitespace-nowrap ${COLOURS[grade]}`}>
      <svg viewBox="0 0 12 12" className="size-2.5 shrink-0 overflow-visible fill-current" aria-hidden>
        {SHAPES[grade]}
      </svg>
      <span className={bare ? 'sr-only' : 'first-letter:uppercase'}>{grade}</span>
    </span>
  );
}
