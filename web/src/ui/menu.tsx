import { DropdownMenu } from 'radix-ui';
import { useCallback } from 'react';
import type { JSX, ReactElement, ReactNode } from 'react';
import { Key } from './key.tsx';
import { Plain } from './plain.tsx';

/** One thing that can be chosen from a menu; `why` says what it does, or why it cannot be done now. */
export type MenuEntry =
  | {
      readonly kind: 'item';
      readonly label: string;
      readonly why?: string;
      readonly keys?: readonly string[];
      readonly disabled?: boolean;
      readonly danger?: boolean;
      /** Whether it is the one that holds; left out where none does. */
      readonly checked?: boolean;
      readonly onSelect: () => void;
    }
  | { readonly kind: 'label'; readonly label: string }
  | { readonly kind: 'line' };

/** What floats: popovers and menus. */
export const FLOATING = 'z-(--z-pop) overflow-hidden rounded-3 bg-raised text-fg shadow-pop';

/** A menu that hangs from a button. */
export function Menu({
  entries,
  children,
  align = 'start',
  header = null,
  onOpenChange,
  defaultOpen = false,
  selectsFirst = false,
}: {
  readonly entries: readonly MenuEntry[];
  readonly children: ReactElement;
  readonly align?: 'start' | 'end';
  readonly header?: ReactNode;
  readonly onOpenChange?: (isOpen: boolean) => void;
  readonly defaultOpen?: boolean;
  /** Whether one that is open from the beginning was opened by a key, whose first item is then selected. */
  readonly selectsFirst?: boolean;
}): JSX.Element {
  const selectFirst = useCallback(
    (content: HTMLDivElement | null) => {
      if (content === null || !selectsFirst) return;
      // The menu takes the focus itself first.
      requestAnimationFrame(() => content.querySelector<HTMLElement>('[role^="menuitem"]:not([data-disabled])')?.focus());
    },
    [selectsFirst],
  );
  return (
    <DropdownMenu.Root modal={false} defaultOpen={defaultOpen} {...(onOpenChange === undefined ? {} : { onOpenChange })}>
      <DropdownMenu.Trigger asChild>{children}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          ref={selectFirst}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className={`${FLOATING} max-h-(--radix-dropdown-menu-content-available-height) min-w-48 max-w-80 overflow-y-auto p-1.5`}
        >
          {header}
          {entries.map((entry, index) => (
            <Entry key={index} entry={entry} />
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function Entry({ entry }: { readonly entry: MenuEntry }): JSX.Element {
  if (entry.kind === 'line') return <DropdownMenu.Separator className="my-1.5 h-px bg-line" />;
  if (entry.kind === 'label')
    return (
      <DropdownMenu.Label className="px-2 pt-2 pb-0.5 text-micro text-fg-3">
        <Plain text={entry.label} />
      </DropdownMenu.Label>
    );
  const { label, why, keys = [], disabled = false, danger = false, checked, onSelect } = entry;
  return (
    <DropdownMenu.Item
      disabled={disabled}
      onSelect={onSelect}
      aria-checked={checked}
      {...(checked === undefined ? {} : { role: 'menuitemradio' })}
      className={`flex min-h-7 items-center gap-2 rounded-2 px-2 py-1 outline-none select-none data-disabled:opacity-55 data-highlighted:bg-selected coarse:min-h-11 ${danger ? 'text-failed' : ''} ${checked === true ? 'font-semibold' : ''}`}
    >
      <span className="min-w-0 flex-1">
        <Plain text={label} />
        {why === undefined ? null : (
          <span className="block text-small font-normal text-fg-3">
            <Plain text={why} />
          </span>
        )}
      </span>
      {keys.map((key) => (
        <Key key={key} name={key} />
      ))}
    </DropdownMenu.Item>
  );
}
