import { DropdownMenu } from 'radix-ui';
import type { JSX } from 'react';
import { Icon } from '../ui/icon.tsx';
import { FLOATING } from '../ui/menu.tsx';
import { Plain } from '../ui/plain.tsx';

/** One thing that can be chosen, and how many findings it has. */
export type FilterOption = {
  readonly key: string;
  readonly label: string;
  readonly count: number;
  readonly checked: boolean;
  readonly toggle: () => void;
};

/** What can be chosen of one kind. */
export type FilterPart = { readonly label: string; readonly options: readonly FilterOption[] };

/** How a button of the filter looks; pressed, it holds. */
export const FILTER_LOOKS =
  'inline-flex h-[26px] shrink-0 items-center gap-1 rounded-2 px-[7px] text-small text-fg-2 hover:bg-hover aria-pressed:bg-selected aria-pressed:text-fg data-chosen:bg-selected data-chosen:text-fg coarse:min-h-11';

/** A menu of which several things can be chosen; it stays open until one is done. */
export function FilterMenu({
  parts,
  label,
  icon = false,
}: {
  readonly parts: readonly FilterPart[];
  readonly label: string;
  readonly icon?: boolean;
}): JSX.Element | null {
  const shown = parts.filter(({ options }) => options.length > 0);
  const chosen = shown.filter(({ label: name }) => name !== 'Nits').flatMap(({ options }) => options.filter(({ checked }) => checked));
  if (shown.length === 0) return null;
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className={FILTER_LOOKS} {...(chosen.length > 0 ? { 'data-chosen': '' } : {})}>
        {icon ? <Icon name="filter" size={13} /> : null}
        <span className="max-w-40 truncate">
          {chosen.length === 0 ? label : chosen.length === 1 ? <Plain text={chosen[0]?.label ?? ''} /> : `${label} ${chosen.length}`}
        </span>
        {icon ? null : <Icon name="down" size={13} />}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className={`${FLOATING} max-h-(--radix-dropdown-menu-content-available-height) max-w-80 min-w-44 overflow-y-auto p-1.5`}
        >
          {shown.map((part) => (
            <DropdownMenu.Group key={part.label}>
              {shown.length === 1 ? null : (
                <DropdownMenu.Label className="px-2 pt-2 pb-0.5 text-micro text-fg-3">{part.label}</DropdownMenu.Label>
              )}
              {part.options.map((option) => (
                <Option key={option.key} option={option} />
              ))}
            </DropdownMenu.Group>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function Option({ option: { label, count, checked, toggle } }: { readonly option: FilterOption }): JSX.Element {
  return (
    <DropdownMenu.CheckboxItem
      checked={checked}
      onCheckedChange={toggle}
      // It stays open, because often several are chosen.
      onSelect={(event) => event.preventDefault()}
      className="flex min-h-7 items-center gap-2 rounded-2 px-2 py-1 outline-none select-none data-highlighted:bg-selected coarse:min-h-11"
    >
      <span
        aria-hidden
        className={`inline-grid size-4 shrink-0 place-items-center rounded-1 ${checked ? 'bg-ink text-on-ink' : 'shadow-[inset_0_0_0_1px_var(--control)]'}`}
      >
        {checked ? <Icon name="check" size={12} /> : null}
      </span>
      <span className="min-w-0 flex-1 truncate">
        <Plain text={label} />
      </span>
      <span className="text-small text-fg-3">{count}</span>
    </DropdownMenu.CheckboxItem>
  );
}
