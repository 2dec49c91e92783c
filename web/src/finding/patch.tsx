import { useMemo, useState } from 'react';
import type { JSX } from 'react';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Plain } from '../ui/plain.tsx';
import { CopyButton } from './copy-button.tsx';
import { patchRows } from './patch-lines.ts';
import type { PatchRow } from './patch-lines.ts';
import { Well } from './well.tsx';

const SHOWN_ROWS = 40;

/** The exact patch that a finding suggests, as a small diff; `problem` says why it cannot be applied now, and is left out while nobody knows. */
export function Patch({
  patch,
  file,
  problem,
}: {
  readonly patch: string;
  readonly file: string | null;
  readonly problem?: string | null;
}): JSX.Element {
  const rows = useMemo(() => patchRows(patch, file), [patch, file]);
  const [whole, setWhole] = useState(false);
  if (rows === null) return <Well label="Suggested patch, as it was written" text={patch} />;
  const isLong = rows.length > SHOWN_ROWS && !whole;
  return (
    <div className="mt-2.5 overflow-hidden rounded-2 bg-surface p-px shadow-[inset_0_0_0_1px_var(--line-strong)]">
      <div className="flex min-h-9 flex-wrap items-center gap-x-2 py-[5px] pr-1.5 pl-2.5 text-small text-fg-3">
        <b className="text-fg">Suggested patch</b>
        <Fits problem={problem} />
        <span className="grow" />
        <CopyButton text={patch} label="Copy" said="The patch is copied." />
      </div>
      {/* A region that scrolls has to be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div tabIndex={0} role="group" aria-label="Suggested patch" className="overflow-x-auto pb-1 focus-visible:outline-offset-[-2px]">
        <div className="min-w-fit font-mono text-code">
          {(isLong ? rows.slice(0, SHOWN_ROWS) : rows).map((row, index) => (
            <Row key={index} row={row} />
          ))}
        </div>
      </div>
      {isLong ? (
        <Button size="small" kind="ghost" className="m-1" onClick={() => setWhole(true)}>
          Show all {rows.length} lines
        </Button>
      ) : null}
    </div>
  );
}

function Fits({ problem }: { readonly problem: string | null | undefined }): JSX.Element | null {
  if (problem === undefined) return null;
  if (problem === null)
    return (
      <span className="inline-flex items-center gap-1 text-settled">
        <Icon name="check" size={13} />
        applies cleanly
      </span>
    );
  return (
    <span className="min-w-0">
      <Plain text={problem} />
    </span>
  );
}

const ROWS = {
  context: { look: '', edge: '', number: 'text-fg-3', word: '', mark: ' ' },
  added: { look: 'bg-add-bg', edge: 'bg-add-bar', number: 'text-add-text', word: 'bg-add-word', mark: '+' },
  removed: {
    look: 'bg-del-bg',
    // Hatched, so that it is told from what was added without its colour.
    edge: 'bg-[repeating-linear-gradient(var(--del-bar)_0_3px,transparent_3px_5px)]',
    number: 'text-del-text',
    word: 'bg-del-word',
    mark: '−',
  },
} as const;

function Row({ row }: { readonly row: PatchRow }): JSX.Element {
  if (row.kind === 'gap')
    return (
      <div className="border-y border-line bg-sunken px-2.5 text-small/[18px] text-fg-3">
        <Plain text={row.text === '' ? '⋯' : row.text} />
      </div>
    );
  const { look, edge, number, word, mark } = ROWS[row.kind];
  return (
    <div className={`relative flex whitespace-pre ${look}`}>
      <i className={`absolute inset-y-0 left-0 w-[3px] ${edge}`} />
      <span className={`w-10 shrink-0 pr-2.5 text-right text-small/5 select-none ${number}`}>{row.number}</span>
      <span aria-hidden={mark === ' '} className={`w-4 shrink-0 select-none ${number}`}>
        {mark}
      </span>
      <code className="pr-3 text-code">
        {row.words.map(({ text, changed }, index) => (
          <span key={index} className={changed ? `rounded-[2px] ${word}` : ''}>
            <Plain text={text} />
          </span>
        ))}
      </code>
    </div>
  );
}
