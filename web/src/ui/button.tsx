import type { ButtonHTMLAttributes, JSX } from 'react';
import { Key } from './key.tsx';

const KINDS = {
  plain: 'bg-surface text-fg font-medium shadow-[inset_0_0_0_1px_var(--line-strong)] hover:bg-hover',
  /** One in a region. */
  primary: 'bg-ink text-on-ink font-semibold hover:opacity-90',
  ghost: 'text-fg-2 font-medium hover:bg-hover hover:text-fg',
  danger: 'bg-surface text-failed font-medium shadow-[inset_0_0_0_1px_var(--line-strong)] hover:bg-failed-tint',
  /** On yellow ground: what a person may answer. */
  choice: 'text-on-you font-semibold shadow-[inset_0_0_0_1px_color-mix(in_oklab,var(--on-you)_55%,transparent)] hover:bg-you-deep',
  firstChoice: 'bg-on-you text-you font-semibold hover:opacity-90',
} as const;

const SIZES = { small: 'h-[26px] px-2.5 text-small gap-1.5', base: 'h-[30px] px-3 text-base gap-1.5' } as const;

type Looks = {
  readonly kind?: keyof typeof KINDS;
  readonly size?: keyof typeof SIZES;
  /** The keys that do the same. */
  readonly keys?: readonly string[];
};

/** How a button looks, for links that look like one. */
export function buttonLooks({ kind = 'plain', size = 'base' }: Looks): string {
  return `inline-flex shrink-0 items-center justify-center whitespace-nowrap rounded-2 select-none transition-colors duration-[var(--fast)] disabled:opacity-50 disabled:pointer-events-none aria-disabled:opacity-50 coarse:min-h-11 ${KINDS[kind]} ${SIZES[size]}`;
}

/** A button that does one thing. */
export function Button({
  kind = 'plain',
  size = 'base',
  keys = [],
  className = '',
  children,
  ...rest
}: Looks & ButtonHTMLAttributes<HTMLButtonElement>): JSX.Element {
  return (
    <button type="button" className={`${buttonLooks({ kind, size })} ${className}`} {...rest}>
      {children}
      {keys.map((key) => (
        <Key key={key} name={key} />
      ))}
    </button>
  );
}
