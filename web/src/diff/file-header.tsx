import { useSyncExternalStore } from 'react';
import type { JSX } from 'react';
import { Icon } from '../ui/icon.tsx';
import { Key } from '../ui/key.tsx';
import { Plain } from '../ui/plain.tsx';
import { grouped, kindWords, pathParts } from './diff-file.ts';
import type { DiffFile } from './diff-file.ts';
import { useDiff } from './diff-context.ts';
import type { Entry } from './entry.ts';
import { isViewed, setViewed, useViewed } from './viewed.ts';
import { seenText } from '../ui/hidden-characters.ts';

/** The head of a file: what it is called, how much of it changed and how, and whether somebody is done with it. */
export function FileHeader({ id }: { readonly id: string }): JSX.Element | null {
  const { model } = useDiff();
  const isLed = useSyncExternalStore(model.led.subscribe, () => model.led.id() === id);
  // An entry changes in place.
  useSyncExternalStore(model.heads.subscribe, () => model.entry(id)?.item);
  useSyncExternalStore(model.heads.subscribe, () => model.entry(id)?.file);
  const entry = model.entry(id);
  if (entry === undefined) return null;
  const { file, folded } = entry;
  return (
    <div
      aria-current={isLed ? 'true' : undefined}
      className="flex h-10 items-center gap-2 border-b border-line bg-surface pr-3 shadow-[0_-1px_0_var(--line)] pl-2.5 font-sans text-base whitespace-nowrap text-fg aria-current:shadow-[0_-1px_0_var(--line),inset_2px_0_0_var(--focus)]"
    >
      <button
        type="button"
        aria-expanded={!folded}
        aria-label={`${folded ? 'Open' : 'Fold'} ${seenText(file.path, 'name')}`}
        className="grid size-6 shrink-0 place-items-center rounded-2 text-fg-2 hover:bg-hover"
        onClick={() => model.fold(entry, !folded)}
      >
        <Icon name={folded ? 'right' : 'down'} size={14} />
      </button>
      <FilePath path={file.path} />
      <Counts file={file} />
      <Words entry={entry} />
      <span className="flex-1" />
      <ViewedBox entry={entry} />
    </div>
  );
}

function FilePath({ path }: { readonly path: string }): JSX.Element {
  const [folder, name] = pathParts(path);
  return (
    <h2 className="flex min-w-0 font-mono text-code font-normal text-fg-3" title={seenText(path, 'name')}>
      {/* Where there is not room for all of it, the folder gives way: by its name a file is known. */}
      <span className="min-w-0 shrink-9999 truncate">
        <Plain text={folder} as="name" />
      </span>
      <b className="min-w-0 truncate text-fg">
        <Plain text={name} as="name" />
      </b>
    </h2>
  );
}

function Counts({ file: { added, removed } }: { readonly file: DiffFile }): JSX.Element | null {
  if (added + removed === 0) return null;
  return (
    <span className="inline-flex shrink-0 gap-1.5 font-mono text-small">
      {added === 0 ? null : (
        <span className="text-add-text">
          <span className="sr-only">lines added: </span>+{grouped(added)}
        </span>
      )}
      {removed === 0 ? null : (
        <span className="text-del-text">
          <span className="sr-only">lines removed: </span>−{grouped(removed)}
        </span>
      )}
    </span>
  );
}

function Words({ entry }: { readonly entry: Entry }): JSX.Element {
  const { model, since } = useDiff();
  const words = [
    ...kindWords(entry.file),
    ...(entry.isUtf8 ? [] : ['not UTF-8: \uFFFD stands for other bytes']),
    ...(entry.endings.words === null ? [] : [entry.endings.words]),
    ...(since?.(entry.file) ?? []),
  ];
  return (
    <span className="min-w-0 shrink-9999 truncate text-small text-fg-3">
      <Plain text={words.join(' · ')} as="name" />
      {entry.state !== 'failed' ? null : (
        <span role="alert" className="text-failed">
          {' '}
          <Plain text={entry.problem} />{' '}
          <button type="button" className="font-medium text-fg underline" onClick={() => model.retry(entry)}>
            Ask again
          </button>
        </span>
      )}
    </span>
  );
}

function ViewedBox({ entry }: { readonly entry: Entry }): JSX.Element {
  const { model, scope } = useDiff();
  const on = useViewed(({ viewed }) => isViewed(viewed, scope, entry.file));
  return (
    <label className="inline-flex h-[26px] shrink-0 cursor-pointer items-center gap-1.5 rounded-2 px-2 text-small text-fg-2 hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-focus coarse:min-h-11">
      <span className="relative grid size-3.5 place-items-center text-on-ink">
        <input
          type="checkbox"
          checked={on}
          onChange={({ target }) => {
            setViewed(scope, entry.file, target.checked);
            model.fold(entry, target.checked);
          }}
          className="absolute inset-0 appearance-none rounded-[3px] border-[1.5px] border-control bg-surface outline-none checked:border-ink checked:bg-ink"
        />
        <span className="relative">{on ? <Icon name="check" size={11} /> : null}</span>
      </span>
      Viewed <Key name="V" />
    </label>
  );
}
