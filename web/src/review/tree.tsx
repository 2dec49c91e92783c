import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import type { JSX, KeyboardEvent } from 'react';
import type { ChangeFile } from '../../../src/core/change-view.ts';
import type { FindingOutput } from '../../../src/core/output.ts';
import { pathParts } from '../diff/diff-file.ts';
import { isViewed, useViewed } from '../diff/viewed.ts';
import { useKeys } from '../shell/keys.ts';
import { Icon } from '../ui/icon.tsx';
import { Key } from '../ui/key.tsx';
import { Plain } from '../ui/plain.tsx';
import { Severity } from '../ui/severity.tsx';
import { useSteady } from '../ui/use-steady.ts';
import { findingsByFile, treeRows } from './tree-rows.ts';
import type { FileFindings, TreeRow } from './tree-rows.ts';
import { seenText } from '../ui/hidden-characters.ts';

const ROW = 27;

type Given = {
  readonly files: readonly ChangeFile[];
  readonly findings: readonly FindingOutput[];
  /** By what files are ticked off. */
  readonly scope: string;
  readonly current: string | undefined;
  readonly onOpen: (path: string) => void;
};

/** The files of a change under their folders. Arrows move, Enter opens; ten thousand files scroll as ten do. */
export function Tree({ files, findings, scope, current, onOpen }: Given): JSX.Element {
  const [filter, setFilter] = useState('');
  const [closed, setClosed] = useState<ReadonlySet<string>>(() => new Set());
  const rows = useMemo(() => treeRows(files, { filter, closed }), [files, filter, closed]);
  const counts = useMemo(() => findingsByFile(findings), [findings]);
  const toggle = (folder: string): void => setClosed((before) => toggled(before, folder));
  const act = (row: TreeRow): void => (row.kind === 'folder' ? toggle(row.path) : onOpen(row.file.path));
  return (
    <>
      <Filter
        value={filter}
        onChange={setFilter}
        onEnter={() => {
          const first = rows.find((row) => row.kind === 'file');
          if (first !== undefined) act(first);
        }}
      />
      {rows.length === 0 ? (
        <p className="px-4 py-2 text-small text-fg-3">
          {files.length === 0 ? 'Nothing changed here.' : 'No file has these words in its path.'}
        </p>
      ) : (
        <Rows rows={rows} counts={counts} scope={scope} current={current} onAct={act} onToggle={toggle} />
      )}
    </>
  );
}

function toggled(set: ReadonlySet<string>, one: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(one)) next.add(one);
  return next;
}

function Filter({
  value,
  onChange,
  onEnter,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onEnter: () => void;
}): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  useKeys(useMemo(() => ({ '/': () => input.current?.focus() }), []));
  return (
    <label className="mx-3 mt-0.5 mb-2 flex h-7 items-center gap-1.5 rounded-2 px-2 text-small text-fg-3 shadow-[inset_0_0_0_1px_var(--line-strong)] focus-within:shadow-[inset_0_0_0_1px_var(--control)] coarse:h-11">
      <Icon name="search" size={14} />
      <span className="sr-only">Filter files</span>
      <input
        ref={input}
        value={value}
        placeholder="Filter files"
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onEnter();
          if (event.key === 'Escape') {
            onChange('');
            event.currentTarget.blur();
          }
        }}
        className="min-w-0 flex-1 bg-transparent text-fg outline-none placeholder:text-fg-3"
      />
      <Key name="/" />
    </label>
  );
}

type RowsGiven = {
  readonly rows: readonly TreeRow[];
  readonly counts: ReadonlyMap<string, FileFindings>;
  readonly scope: string;
  readonly current: string | undefined;
  readonly onAct: (row: TreeRow) => void;
  readonly onToggle: (folder: string) => void;
};

function Rows({ rows, counts, scope, current, onAct, onToggle }: RowsGiven): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const { viewed } = useViewed();
  const [cursor, setCursor] = useState(0);
  const virtual = useVirtualizer({ count: rows.length, getScrollElement: () => scroller.current, estimateSize: () => ROW, overscan: 12 });
  const at = Math.min(cursor, rows.length - 1);
  const currentRow = rows.findIndex((row) => row.kind === 'file' && row.file.path === current);
  useEffect(() => {
    if (currentRow >= 0) virtual.scrollToIndex(currentRow, { align: 'auto' });
    // Only a new file moves the tree; a folder that opens does not.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [current]);
  const act = useSteady((row: TreeRow, index: number): void => (setCursor(index), onAct(row)));
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[at];
    const next = stepOf(event.key, at, rows);
    if (next !== null) {
      event.preventDefault();
      setCursor(next);
      virtual.scrollToIndex(next, { align: 'auto' });
    } else if (row !== undefined && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault();
      onAct(row);
    } else if (row?.kind === 'folder' && event.key === (row.open ? 'ArrowLeft' : 'ArrowRight')) {
      event.preventDefault();
      onToggle(row.path);
    }
  };
  return (
    <div
      ref={scroller}
      role="tree"
      aria-label="Files"
      tabIndex={0}
      aria-activedescendant={`tree-${at}`}
      onKeyDown={onKeyDown}
      className="group min-h-0 flex-1 overflow-y-auto px-2 focus-visible:outline-offset-[-2px]"
    >
      <div className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <Line
              key={row.kind === 'folder' ? `${row.path}/` : `${row.file.path} ${row.file.newBlob ?? ''}`}
              row={row}
              index={index}
              start={start}
              underCursor={index === at}
              isCurrent={index === currentRow}
              isSeen={row.kind === 'file' && isViewed(viewed, scope, row.file)}
              found={row.kind === 'file' ? counts.get(row.file.path) : undefined}
              onAct={act}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Where a key leads; null where it leads nowhere. */
function stepOf(key: string, at: number, rows: readonly TreeRow[]): number | null {
  const last = rows.length - 1;
  const row = rows[at];
  switch (key) {
    case 'ArrowDown':
      return Math.min(last, at + 1);
    case 'ArrowUp':
      return Math.max(0, at - 1);
    case 'Home':
      return 0;
    case 'End':
      return last;
    case 'ArrowLeft':
      return row?.kind === 'file' && row.depth > 0 ? rows.findLastIndex((one, index) => index < at && one.kind === 'folder') : null;
    default:
      return null;
  }
}

type LineGiven = {
  readonly row: TreeRow;
  readonly index: number;
  readonly start: number;
  readonly underCursor: boolean;
  readonly isCurrent: boolean;
  readonly isSeen: boolean;
  readonly found: FileFindings | undefined;
  readonly onAct: (row: TreeRow, index: number) => void;
};

const Line = memo(function Line({ row, index, start, underCursor, isCurrent, isSeen, found, onAct }: LineGiven): JSX.Element {
  const id = `tree-${index}`;
  const place = { transform: `translateY(${start}px)` };
  const looks = `absolute inset-x-0 top-0 flex h-[27px] cursor-pointer items-center gap-1.5 rounded-2 pr-2 whitespace-nowrap hover:bg-hover ${isCurrent ? 'bg-selected' : ''} ${underCursor ? 'group-focus-visible:outline-2 group-focus-visible:-outline-offset-2 group-focus-visible:outline-focus' : ''}`;
  if (row.kind === 'folder')
    return (
      // The tree itself takes the keys; what is under its cursor is named to screen readers.
      // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
      <div
        id={id}
        role="treeitem"
        tabIndex={-1}
        aria-level={1}
        aria-expanded={row.open}
        aria-selected={false}
        style={place}
        className={`${looks} pl-2 text-small text-fg-3`}
        onClick={() => onAct(row, index)}
      >
        <Icon name={row.open ? 'down' : 'right'} size={14} />
        <Folder path={row.path} />
        {row.open ? null : <span className="ml-auto text-micro">{row.files}</span>}
      </div>
    );
  const { file, name, depth } = row;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      role="treeitem"
      tabIndex={-1}
      aria-level={depth + 1}
      aria-selected={isCurrent}
      title={seenText(file.path)}
      style={place}
      className={`${looks} ${depth === 0 ? 'pl-2' : 'pl-[22px]'}`}
      onClick={() => onAct(row, index)}
    >
      <span className="text-fg-3">
        <Icon name={isSeen ? 'check' : 'file'} size={13} />
      </span>
      <span className={`min-w-0 flex-1 truncate ${isSeen ? 'text-fg-3' : ''} ${file.status === 'deleted' ? 'line-through' : ''}`}>
        <Plain as="name" text={name} />
        {isSeen ? <span className="sr-only">, viewed</span> : null}
      </span>
      {found === undefined ? <Counts file={file} /> : <Found found={found} />}
    </div>
  );
});

/** A folder whose last part is always to be read. */
function Folder({ path }: { readonly path: string }): JSX.Element {
  const [above, last] = pathParts(path);
  return (
    <span className="flex min-w-0 flex-1" title={seenText(path)}>
      <span className="min-w-0 shrink truncate">
        <Plain as="name" text={above} />
      </span>
      <span className="max-w-full shrink-0 truncate">
        <Plain as="name" text={last} />
      </span>
    </span>
  );
}

function Counts({ file }: { readonly file: ChangeFile }): JSX.Element {
  const words =
    file.generated !== null
      ? 'generated'
      : file.binary
        ? 'binary'
        : [file.added === 0 ? '' : `+${file.added}`, file.removed === 0 ? '' : `−${file.removed}`].filter(Boolean).join(' ');
  return (
    <span className="text-micro text-fg-3" title={file.generated ?? undefined}>
      {words === '' ? (file.status === 'renamed' ? 'moved' : '') : words}
    </span>
  );
}

function Found({ found }: { readonly found: FileFindings }): JSX.Element {
  return (
    <span className="inline-flex items-center gap-1 text-small">
      {found.slice(0, 3).map(({ severity, count }) => (
        <span key={severity} className="inline-flex items-center [&_svg]:size-[9px]">
          <SeverityCount severity={severity} count={count} />
        </span>
      ))}
    </span>
  );
}

const INK = {
  critical: 'text-critical',
  high: 'text-high',
  medium: 'text-medium',
  low: 'text-low',
  suggestion: 'text-suggestion',
} as const;

function SeverityCount({ severity, count }: { readonly severity: FileFindings[number]['severity']; readonly count: number }): JSX.Element {
  return (
    <>
      <Severity grade={severity} bare />
      <b className={`ml-1 font-semibold ${INK[severity]}`}>{count}</b>
    </>
  );
}
