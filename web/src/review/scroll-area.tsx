import type { JSX, ReactNode } from 'react';

/** A part of the panel that scrolls by itself, by keys too. */
export function ScrollArea({
  label,
  className = '',
  children,
}: {
  readonly label: string;
  readonly className?: string;
  readonly children: ReactNode;
}): JSX.Element {
  return (
    <div
      role="region"
      aria-label={label}
      // Whoever cannot point at it scrolls it by keys.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className={`min-h-0 flex-1 overflow-y-auto focus-visible:outline-offset-[-2px] ${className}`}
    >
      {children}
    </div>
  );
}
