import { useNavigate, useParams } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { useEffect, useMemo, useState } from 'react';
import type { JSX, ReactNode } from 'react';
import type { ListedLoop } from '../../../src/api/contract/loops.ts';
import { standingOf } from '../board/columns.ts';
import { matches } from '../board/filter.ts';
import { loadMatching, refresh, useLoops } from '../board/loops.ts';
import { movesOf } from '../board/moves.ts';
import { proposalOf } from '../board/proposal.ts';
import { propose } from '../decide/propose.ts';
import { giveBackFocus } from '../ui/focus.ts';
import { Icon } from '../ui/icon.tsx';
import type { IconName } from '../ui/icon.tsx';
import { Key } from '../ui/key.tsx';
import { Plain } from '../ui/plain.tsx';
import { StateWord } from '../ui/state-word.tsx';
import { newTask } from './new-task.ts';
import { closeOverlay, openOverlay } from './overlays.ts';
import { useTheme } from './theme.ts';
import { useNextWaiting } from './waiting.ts';

/** Everything by its words: what may be done to the open loop, other loops, and the commands of the app. */
export function Palette(): JSX.Element {
  const [words, setWords] = useState('');
  useSearched(words);
  // The dialog below gives the focus to nobody; it does so a moment after this is gone.
  useEffect(() => () => void setTimeout(giveBackFocus, 20), []);
  return (
    <Command.Dialog
      open
      loop
      label="Commands"
      shouldFilter={false}
      onOpenChange={(isOpen) => (isOpen ? undefined : closeOverlay())}
      overlayClassName="fixed inset-0 z-(--z-dialog) bg-scrim"
      contentClassName="fixed top-[12vh] left-1/2 z-(--z-dialog) w-[min(560px,calc(100vw-32px))] -translate-x-1/2 overflow-hidden rounded-3 bg-raised shadow-dialog"
    >
      <div className="flex h-12 items-center gap-2.5 border-b border-line px-4">
        <Icon name="search" />
        <Command.Input
          value={words}
          onValueChange={setWords}
          placeholder="Search loops and commands"
          className="h-full min-w-0 flex-1 bg-transparent text-title outline-none placeholder:text-fg-3"
        />
        <Key name="esc" />
      </div>
      <Command.List className="max-h-[min(420px,60vh)] scroll-py-2 overflow-y-auto p-1.5 [&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2.5 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-micro [&_[cmdk-group-heading]]:text-fg-3">
        <Command.Empty className="px-2.5 py-6 text-center text-fg-3">Nothing has these words.</Command.Empty>
        <LoopCommands words={words} />
        <Loops words={words} />
        <AppCommands words={words} />
      </Command.List>
    </Command.Dialog>
  );
}

/** Also loops that this page has not asked for yet are found. */
function useSearched(words: string): void {
  useEffect(() => {
    if (words.trim() === '') return;
    const timer = setTimeout(() => void loadMatching(words.trim().slice(0, 200)).catch(() => undefined), 200);
    return () => clearTimeout(timer);
  }, [words]);
}

/** What may be done to the loop that is open; it comes first. */
function LoopCommands({ words }: { readonly words: string }): JSX.Element | null {
  const { id } = useParams({ strict: false });
  const loop = useLoops(({ loops }) => (id === undefined ? undefined : loops.get(Number(id))));
  useEffect(() => {
    if (id !== undefined) void refresh([Number(id)]).catch(() => undefined);
  }, [id]);
  if (loop === undefined) return null;
  const moves = movesOf(loop).filter(({ label, does }) => hasWords(`${label} ${does}`, words));
  if (moves.length === 0) return null;
  return (
    <Command.Group heading={<Plain text={`#${loop.id} ${loop.title}`} />}>
      {moves.map((move) => (
        <Item key={move.label} value={`move ${move.label}`} icon="hand" note={move.does} onSelect={() => propose(proposalOf(loop, move))}>
          <Marked text={move.label} words={words} />
        </Item>
      ))}
    </Command.Group>
  );
}

const MOST_LOOPS = 8;

function Loops({ words }: { readonly words: string }): JSX.Element | null {
  const known = useLoops(({ loops }) => loops);
  const navigate = useNavigate();
  const found = useMemo(() => found8(known, words), [known, words]);
  if (found.length === 0) return null;
  return (
    <Command.Group heading={words.trim() === '' ? 'Loops, newest' : 'Loops'}>
      {found.map((loop) => {
        const { turn, word } = standingOf(loop);
        return (
          <Item
            key={loop.id}
            value={`loop ${loop.id}`}
            icon="rally"
            note={`#${loop.id}${loop.group === null ? '' : ` · ${loop.group}`}`}
            end={<StateWord turn={turn} word={turn === 'you' ? 'Needs you' : word} />}
            onSelect={() => void navigate({ to: '/loop/$id', params: { id: String(loop.id) } })}
          >
            <Marked text={loop.title} words={words} />
          </Item>
        );
      })}
    </Command.Group>
  );
}

/** What needs somebody before the rest, then the newest. */
function found8(known: ReadonlyMap<number, ListedLoop>, words: string): readonly ListedLoop[] {
  return [...known.values()]
    .filter((loop) => matches(loop, words))
    .toSorted((one, other) => Number(other.needsYou) - Number(one.needsYou) || other.id - one.id)
    .slice(0, MOST_LOOPS);
}

function AppCommands({ words }: { readonly words: string }): JSX.Element | null {
  const navigate = useNavigate();
  const next = useNextWaiting();
  const commands: readonly {
    readonly label: string;
    readonly icon: IconName;
    readonly keys: readonly string[];
    readonly run: () => void;
  }[] = [
    { label: 'New task', icon: 'plus', keys: ['T'], run: () => void navigate({ to: '/', search: newTask }) },
    { label: 'Board', icon: 'board', keys: ['G', 'B'], run: () => void navigate({ to: '/' }) },
    { label: 'What needs you', icon: 'bell', keys: ['G', 'N'], run: next },
    { label: 'Read the working tree', icon: 'doc', keys: [], run: () => void navigate({ to: '/change' }) },
    { label: 'Keys', icon: 'keyboard', keys: ['?'], run: () => openOverlay('keys') },
    { label: 'Theme: light', icon: 'gear', keys: [], run: () => useTheme.setState({ theme: 'light' }) },
    { label: 'Theme: dark', icon: 'gear', keys: [], run: () => useTheme.setState({ theme: 'dark' }) },
    { label: 'Theme: as the system', icon: 'gear', keys: [], run: () => useTheme.setState({ theme: 'system' }) },
  ];
  const found = commands.filter(({ label }) => hasWords(label, words));
  if (found.length === 0) return null;
  return (
    <Command.Group heading="Commands">
      {found.map(({ label, icon, keys, run }) => (
        <Item
          key={label}
          value={`command ${label}`}
          icon={icon}
          onSelect={run}
          end={keys.map((key) => (
            <Key key={key} name={key} />
          ))}
        >
          <Marked text={label} words={words} />
        </Item>
      ))}
    </Command.Group>
  );
}

function Item({
  value,
  icon,
  note,
  end,
  onSelect,
  children,
}: {
  readonly value: string;
  readonly icon: IconName;
  readonly note?: string;
  readonly end?: ReactNode;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}): JSX.Element {
  return (
    <Command.Item
      value={value}
      onSelect={() => {
        closeOverlay();
        onSelect();
      }}
      className="flex min-h-9 cursor-pointer items-center gap-3 rounded-2 px-2.5 py-1 data-[selected=true]:bg-selected coarse:min-h-11"
    >
      <Icon name={icon} />
      <span className="min-w-0 flex-1 truncate leading-[17px]">
        {children}
        {note === undefined ? null : (
          <span className="block truncate text-small/[15px] text-fg-3">
            <Plain text={note} />
          </span>
        )}
      </span>
      {end}
    </Command.Item>
  );
}

function hasWords(text: string, words: string): boolean {
  const lower = text.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}

/** A text in which the first place of what was typed stands out. */
function Marked({ text, words }: { readonly text: string; readonly words: string }): JSX.Element {
  const word = words.trim().split(/\s+/)[0] ?? '';
  const at = word === '' ? -1 : text.toLowerCase().indexOf(word.toLowerCase());
  if (at === -1) return <Plain text={text} />;
  return (
    <>
      <Plain text={text.slice(0, at)} />
      <b className="underline underline-offset-2">
        <Plain text={text.slice(at, at + word.length)} />
      </b>
      <Plain text={text.slice(at + word.length)} />
    </>
  );
}
