import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';
import type { JSX, ReactNode } from 'react';
import { useKeys } from '../shell/keys.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Segmented } from '../ui/segmented.tsx';

type Counts = { readonly working: number; readonly queued: number; readonly doneToday: string };

/** What can be done with the whole board, and what the drawings on it mean. */
export function BoardBar({ counts }: { readonly counts: Counts }): JSX.Element {
  const { by = 'state' } = useSearch({ from: '/' });
  const navigate = useNavigate({ from: '/' });
  return (
    <div className="flex flex-wrap items-center gap-x-2.5 gap-y-2 px-4 pt-3 pb-1.5">
      <Button kind="primary" keys={['T']} onClick={() => void navigate({ search: (search) => ({ ...search, new: true }) })}>
        <Icon name="plus" />
        New task
      </Button>
      <FilterBox />
      <Segmented
        label="Group"
        value={by}
        options={[
          { value: 'state', label: 'By state' },
          { value: 'run', label: 'By run' },
        ]}
        onChange={(value) =>
          void navigate({ search: (search) => ({ ...search, by: value === 'state' ? undefined : value }), replace: true })
        }
      />
      <div className="ml-2.5 flex gap-[18px] text-small text-fg-3 max-sm:hidden">
        <Fact count={counts.working} word="working" />
        <Fact count={counts.queued} word="queued" />
        <Fact count={counts.doneToday} word="done today" />
      </div>
      <span className="flex-1" />
      <Legend />
    </div>
  );
}

/** So long nobody types before the address changes. */
const PAUSE_MS = 120;

/** Leaves only what has some words; what is typed stands in the address. */
function FilterBox(): JSX.Element {
  const { q = '' } = useSearch({ from: '/' });
  const navigate = useNavigate({ from: '/' });
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useKeys(useMemo(() => ({ '/': () => input.current?.focus() }), []));
  // Where the address says something else than what stands here, somebody went there.
  useEffect(() => {
    if (input.current !== null && input.current !== document.activeElement) input.current.value = q;
  }, [q]);
  const filter = (words: string): void => {
    clearTimeout(timer.current);
    const show = (): void => void navigate({ search: (search) => ({ ...search, q: words === '' ? undefined : words }), replace: true });
    timer.current = setTimeout(show, words === '' ? 0 : PAUSE_MS);
  };
  const clear = (): void => {
    if (input.current !== null) input.current.value = '';
    filter('');
  };
  return (
    <label className="flex h-[30px] w-[220px] items-center gap-1.5 rounded-2 px-2.5 text-fg-3 shadow-[inset_0_0_0_1px_var(--line-strong)] focus-within:text-fg focus-within:shadow-[inset_0_0_0_1px_var(--control)] has-focus-visible:outline-2 has-focus-visible:outline-focus coarse:h-11 max-sm:order-last max-sm:w-full">
      <Icon name="filter" />
      <input
        ref={input}
        type="search"
        aria-label="Filter the board"
        placeholder="Filter by words, agent, run"
        defaultValue={q}
        onChange={({ target }) => filter(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          clear();
          event.currentTarget.blur();
        }}
        className="w-full min-w-0 flex-1 bg-transparent text-fg outline-none placeholder:text-fg-3 [&::-webkit-search-cancel-button]:hidden"
      />
      {q === '' ? null : (
        <button
          type="button"
          aria-label="Clear the filter"
          className="-mr-1 grid size-5 shrink-0 place-items-center rounded-1 hover:bg-hover coarse:-mr-2.5 coarse:size-11"
          onClick={clear}
        >
          <Icon name="x" size={14} />
        </button>
      )}
    </label>
  );
}

function Fact({ count, word }: { readonly count: number | string; readonly word: string }): JSX.Element {
  return (
    <span className="whitespace-nowrap">
      <b className="text-fg">{count}</b> {word}
    </span>
  );
}

/** What is above, below and on the line of a rally. */
function Legend(): JSX.Element {
  const part = (shape: ReactNode, words: string): JSX.Element => (
    <span className="inline-flex items-center gap-1.5">
      <svg viewBox="0 0 10 10" className="size-2.5 fill-fg-2" aria-hidden>
        {shape}
      </svg>
      {words}
    </span>
  );
  return (
    <div className="hidden items-center gap-3.5 text-small whitespace-nowrap text-fg-3 lg:flex">
      {part(<circle cx="5" cy="5" r="3" />, 'above the line: asked')}
      {part(<rect x="2" y="2" width="6" height="6" rx="1" />, 'below: answered')}
      {part(<circle cx="5" cy="5" r="4" className="fill-settled-solid" />, 'on it: settled')}
    </div>
  );
}
