import type { JSX } from 'react';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { turn, useLook } from './look.ts';
import { openSearch } from './search.ts';

/** How the diff is shown, where there is no room for a button each; with `search` the search in it too. */
export function LookMenu({ search = false, className = '' }: { readonly search?: boolean; readonly className?: string }): JSX.Element {
  const { whitespace, wrap } = useLook();
  return (
    <Menu
      align="end"
      entries={[
        ...(search ? [{ kind: 'item', label: 'Search in the diff', onSelect: openSearch } as const] : []),
        { kind: 'item', label: wrap ? 'Do not wrap long lines' : 'Wrap long lines', keys: ['⇧', 'W'], onSelect: () => turn('wrap') },
        {
          kind: 'item',
          label: whitespace === 'hide' ? 'Show changes of spaces' : 'Hide changes of spaces',
          keys: ['W'],
          onSelect: () => turn('whitespace'),
        },
      ]}
    >
      <button
        type="button"
        aria-label="How the diff is shown"
        className={`size-9 shrink-0 place-items-center rounded-2 text-fg-2 hover:bg-hover coarse:size-11 ${className === '' ? 'grid' : className}`}
      >
        <Icon name="dots" />
      </button>
    </Menu>
  );
}
