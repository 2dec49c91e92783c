import type { ComponentProps, InputHTMLAttributes, JSX, ReactNode } from 'react';

/** How a field for words looks. */
export const FIELD =
  'block w-full rounded-2 bg-surface px-2.5 text-body text-fg shadow-[inset_0_0_0_1px_var(--control)] placeholder:text-fg-3 focus-visible:outline-offset-[-1px] disabled:opacity-50';

/** A field with its name above it. */
export function Field({
  name,
  children,
  note,
}: {
  readonly name: string;
  readonly children: ReactNode;
  readonly note?: ReactNode;
}): JSX.Element {
  return (
    <label className="block">
      <span className="mb-1 block text-small text-fg-2">{name}</span>
      {children}
      {note === undefined ? null : <span className="mt-1 block text-small text-fg-3">{note}</span>}
    </label>
  );
}

/** A line of words. */
export function TextField({ className = '', ...rest }: InputHTMLAttributes<HTMLInputElement>): JSX.Element {
  return <input type="text" className={`${FIELD} h-[30px] coarse:h-11 ${className}`} {...rest} />;
}

/** Some lines of words. */
export function TextArea({ className = '', ...rest }: ComponentProps<'textarea'>): JSX.Element {
  return <textarea className={`${FIELD} field-sizing-content min-h-16 resize-y py-2 ${className}`} {...rest} />;
}
