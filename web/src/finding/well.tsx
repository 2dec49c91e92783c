import { useState } from 'react';
import type { JSX, ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { Plain } from '../ui/plain.tsx';

const SHOWN_LINES = 14;

/** Something that was printed or quoted, in a well of its own. A long one begins, and goes on when somebody asks. */
export function Well({
  label,
  text,
  lead = null,
}: {
  readonly label: string;
  readonly text: string;
  readonly lead?: ReactNode;
}): JSX.Element {
  const [whole, setWhole] = useState(false);
  const lines = text.replace(/\s+$/, '').split('\n');
  const isLong = lines.length > SHOWN_LINES || text.length > SHOWN_LINES * 200;
  const shown =
    whole || !isLong
      ? lines.join('\n')
      : lines
          .slice(0, SHOWN_LINES)
          .join('\n')
          .slice(0, SHOWN_LINES * 200);
  return (
    <div className="mt-2 rounded-2 bg-sunken px-2.5 py-[7px] font-mono text-[12px]/[18px] text-fg-2">
      <span className="mb-px block font-sans text-micro text-fg-3">
        <Plain text={label} />
      </span>
      <div className="whitespace-pre-wrap [overflow-wrap:anywhere]">
        {lead}
        <Plain text={shown} />
      </div>
      {isLong && !whole ? (
        <Button size="small" kind="ghost" className="mt-1 -ml-2 font-sans" onClick={() => setWhole(true)}>
          Show all {lines.length} lines
        </Button>
      ) : null}
    </div>
  );
}
