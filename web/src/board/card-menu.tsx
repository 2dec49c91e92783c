import { useMemo, useState } from 'react';
import type { ComponentProps, JSX } from 'react';
import type { ListedLoop } from '../../../src/api/contract/loops.ts';
import { useConnection } from '../api/live.ts';
import { isGrave } from '../decide/deed.ts';
import { propose } from '../decide/propose.ts';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import type { MenuEntry } from '../ui/menu.tsx';
import { copyText } from '../ui/copy.ts';
import { COLUMN_NAMES, standingOf } from './columns.ts';
import { movesOf } from './moves.ts';
import { proposalOf } from './proposal.ts';

/** Everything that may be done to a loop, by the column into which it leads: what a drag does, without one. */
export function CardMenu({ loop }: { readonly loop: ListedLoop }): JSX.Element {
  // A board has many cards: a menu is made when somebody opens it.
  const [isMade, setIsMade] = useState(false);
  const [isOpen, setIsOpen] = useState(false);
  const [byKeys, setByKeys] = useState(false);
  return (
    <div className={`absolute right-1.5 bottom-1.5 z-1 coarse:right-0 coarse:bottom-0 ${isOpen ? '' : SHY}`}>
      {isMade ? (
        <Actions loop={loop} byKeys={byKeys} onOpenChange={setIsOpen} />
      ) : (
        <Dots
          id={loop.id}
          aria-haspopup="menu"
          onClick={({ detail }) => {
            // A click without a pointer is one of a key.
            setByKeys(detail === 0);
            setIsMade(true);
            setIsOpen(true);
          }}
        />
      )}
    </div>
  );
}

const SHY = 'opacity-0 group-hover:opacity-100 focus-within:opacity-100 coarse:opacity-100';

function Actions({
  loop,
  byKeys,
  onOpenChange,
}: {
  readonly loop: ListedLoop;
  readonly byKeys: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}): JSX.Element {
  const offline = useConnection(({ state }) => state === 'offline');
  const entries = useMemo(() => entriesOf(loop, offline), [loop, offline]);
  return (
    <Menu entries={entries} align="end" defaultOpen selectsFirst={byKeys} onOpenChange={onOpenChange}>
      <Dots id={loop.id} />
    </Menu>
  );
}

function Dots({ id, ...rest }: { readonly id: number } & Omit<ComponentProps<'button'>, 'id'>): JSX.Element {
  return (
    <button
      type="button"
      aria-label={`Move or change #${id}`}
      className="grid size-7 place-items-center rounded-2 text-fg-2 hover:bg-selected hover:text-fg data-[state=open]:bg-selected coarse:size-11"
      {...rest}
    >
      <Icon name="dots" />
    </button>
  );
}

function entriesOf(loop: ListedLoop, offline: boolean): readonly MenuEntry[] {
  const { column } = standingOf(loop);
  const moves = movesOf(loop);
  // The best move is the first: its column comes first, and what leads nowhere last.
  const places = moves.map((move) => ({ ...move, to: move.to ?? column }));
  const columns = [...new Set(places.map(({ to }) => to))].toSorted((one, other) => Number(one === column) - Number(other === column));
  const groups = columns.flatMap((to): MenuEntry[] => {
    const into = places.filter((move) => move.to === to);
    return [
      { kind: 'label', label: to === column ? 'Stays here' : `Move to ${COLUMN_NAMES[to]}` },
      ...into.map((move): MenuEntry => ({
        kind: 'item',
        label: move.label,
        why: move.does,
        danger: isGrave(move.deed) && move.label.startsWith('Cancel'),
        disabled: offline,
        onSelect: () => propose(proposalOf(loop, move)),
      })),
    ];
  });
  const none: MenuEntry[] =
    groups.length > 0
      ? []
      : [{ kind: 'label', label: offline ? 'Not connected: nothing can be decided' : 'Nothing can be done to it now' }];
  return [...groups, ...none, { kind: 'line' }, ...copies(loop)];
}

function copies({ id, next, branch }: ListedLoop): readonly MenuEntry[] {
  const copy = (label: string, text: string): MenuEntry => ({
    kind: 'item',
    label,
    why: text,
    onSelect: () => void copyText(text, { said: `Copied ${text}` }),
  });
  return [
    copy('Copy the link', `${location.origin}/loop/${id}`),
    copy('Copy the branch', branch),
    ...(next === null ? [] : [copy('Copy the command', next)]),
  ];
}
