import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useMemo, useRef } from 'react';
import type { JSX, ReactNode } from 'react';
import type { Whitespace } from '../../../src/core/change-view.ts';
import type { Side } from '../../../src/core/draft.ts';
import { useKeys } from '../shell/keys.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Plain } from '../ui/plain.tsx';
import { countWords, goLate, matchLine, searching, setSearch, standing, stepped, useSearchBox } from './search.ts';
import type { Search } from './search.ts';

/** A line in which something was found. */
export type Found = { readonly path: string; readonly line: number; readonly side: Side };

type Given = {
  readonly search: Search;
  readonly change: string;
  readonly whitespace: Whitespace;
  /** Hears at which line somebody stands. */
  readonly onFound: (found: Found | null) => void;
};

/** The search in the diff; also in files that are not loaded yet. */
export function SearchBox({ search, ...given }: Given): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const { words, found, go } = useFound({ search, ...given });
  useKeys(useMemo(() => ({ Escape: () => setSearch(null) }), []));
  useEffect(() => {
    const typeIn = (): void => {
      input.current?.focus();
      input.current?.select();
    };
    typeIn();
    return useSearchBox.subscribe(({ asked }, before) => (asked === before.asked ? undefined : typeIn()));
  }, []);
  return (
    <search className="absolute top-2 right-5 z-(--z-sticky) flex max-w-[calc(100%-40px)] items-center gap-1 rounded-3 bg-raised py-1 pr-1 pl-3 shadow-pop">
      <Icon name="search" size={14} />
      <input
        ref={input}
        value={search.text}
        maxLength={500}
        placeholder="Search in the diff"
        aria-label="Search in the diff"
        onChange={({ target }) => setSearch({ text: target.value, at: -1 })}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setSearch(null);
          else if (event.key === 'Enter') go(event.shiftKey ? -1 : 1);
          else return;
          event.preventDefault();
        }}
        className="h-7 w-52 min-w-0 rounded-1 bg-transparent px-1 text-base"
      />
      <span aria-live="polite" className="min-w-16 px-1 text-right text-small whitespace-nowrap text-fg-3">
        <Plain text={words} />
      </span>
      <Act label="Match case" pressed={search.matchCase} onClick={() => setSearch({ matchCase: !search.matchCase, at: -1 })}>
        Aa
      </Act>
      <Act label="Previous match" disabled={!found} onClick={() => go(-1)}>
        <Icon name="up" size={14} />
      </Act>
      <Act label="Next match" disabled={!found} onClick={() => go(1)}>
        <Icon name="down" size={14} />
      </Act>
      <Act label="Close the search" onClick={() => setSearch(null)}>
        <Icon name="x" size={14} />
      </Act>
    </search>
  );
}

function useFound({ search, change, whitespace, onFound }: Given): {
  readonly words: string;
  readonly found: boolean;
  readonly go: (step: number) => void;
} {
  const { matchCase } = search;
  const place = `${change} ${whitespace}`;
  const at = standing(search, place);
  // Whoever comes back stands nowhere either: they were led away from there.
  const isElsewhere = search.at >= 0 && search.place !== place;
  useEffect(() => {
    if (isElsewhere) setSearch({ at: -1 });
  }, [isElsewhere]);
  const text = useDeferredValue(search.text);
  const asked = useInfiniteQuery(searching({ change, whitespace, text, matchCase }));
  const { data, error, hasNextPage, isFetching, fetchNextPage } = asked;
  const matches = data?.pages.flatMap((page) => page.matches) ?? [];
  const match = matches[at];
  useEffect(() => {
    onFound(match === undefined ? null : { path: match.path, ...matchLine(match) });
  }, [match, onFound]);
  const cut = !isFetching && data?.pages.some((page) => !page.complete) === true ? ', not all looked through' : '';
  const counted = countWords({ at, found: matches.length, more: hasNextPage || isFetching });
  return {
    words: text === '' ? '' : error === null ? `${counted}${cut}` : error.message,
    found: matches.length > 0,
    go: (step) => {
      if (matches.length === 0) setSearch({ at: isFetching ? 0 : -1, place });
      else if (step > 0 && at === matches.length - 1 && hasNextPage) void fetchNextPage().then(() => goLate(search, { at: at + 1, place }));
      else setSearch({ at: stepped(at, { found: matches.length, more: hasNextPage }, step), place });
    },
  };
}

function Act(props: {
  readonly label: string;
  readonly pressed?: boolean;
  readonly disabled?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}): JSX.Element {
  const { label, pressed, disabled = false, onClick, children } = props;
  return (
    <Button
      size="small"
      kind="ghost"
      aria-label={label}
      aria-pressed={pressed}
      disabled={disabled}
      className="!px-2 aria-pressed:bg-selected aria-pressed:text-fg"
      onClick={onClick}
    >
      {children}
    </Button>
  );
}
