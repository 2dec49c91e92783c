import type { JSX } from 'react';
import { Button } from '../ui/button.tsx';
import { copyText } from '../ui/copy.ts';
import { Icon } from '../ui/icon.tsx';

/** A button that copies something, and says so. */
export function CopyButton({
  text,
  label,
  said,
  bare = false,
}: {
  readonly text: string;
  readonly label: string;
  readonly said: string;
  /** Without its word, which is told to screen readers still. */
  readonly bare?: boolean;
}): JSX.Element {
  return (
    <Button
      size="small"
      kind="ghost"
      className={bare ? '!px-1.5' : ''}
      aria-label={bare ? label : undefined}
      title={bare ? label : undefined}
      onClick={() => void copyText(text, { said })}
    >
      <Icon name={bare ? 'link' : 'copy'} size={13} />
      {bare ? null : label}
    </Button>
  );
}
