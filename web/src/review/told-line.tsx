import type { JSX } from 'react';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Plain } from '../ui/plain.tsx';

/** Something to know about what is shown, and the one thing to do about it. */
export type Told = { readonly text: string; readonly label: string; readonly act: () => void };

/** A line above the diff that tells it. */
export function ToldLine({ told: { text, label, act } }: { readonly told: Told }): JSX.Element {
  return (
    <p className="flex min-h-8 items-center gap-2 border-b border-line bg-bg px-4 text-small text-fg-2">
      <Icon name="alert" size={13} />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <Plain text={text} />
      </span>
      <Button size="small" kind="ghost" onClick={act}>
        {label}
      </Button>
    </p>
  );
}
