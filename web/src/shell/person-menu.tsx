import { useMemo } from 'react';
import type { JSX } from 'react';
import { Menu } from '../ui/menu.tsx';
import type { MenuEntry } from '../ui/menu.tsx';
import { Plain } from '../ui/plain.tsx';
import { openOverlay } from './overlays.ts';
import { useTheme } from './theme.ts';
import type { Theme } from './theme.ts';

const THEMES: readonly { readonly theme: Theme; readonly label: string }[] = [
  { theme: 'system', label: 'As the system' },
  { theme: 'light', label: 'Light' },
  { theme: 'dark', label: 'Dark' },
];

/** Who decides here, how the app looks to them, and its keys. */
export function PersonMenu({ name, version }: { readonly name: string | null; readonly version: string | null }): JSX.Element {
  const { theme } = useTheme();
  const entries = useMemo(
    (): readonly MenuEntry[] => [
      { kind: 'label', label: 'Theme' },
      ...THEMES.map((one): MenuEntry => ({
        kind: 'item',
        label: one.label,
        checked: one.theme === theme,
        onSelect: () => useTheme.setState({ theme: one.theme }),
      })),
      { kind: 'line' },
      { kind: 'item', label: 'Keys', keys: ['?'], onSelect: () => openOverlay('keys') },
      ...(version === null ? [] : [{ kind: 'label', label: `Volley ${version}` } as const]),
    ],
    [theme, version],
  );
  const header =
    name === null ? null : (
      <p className="px-2 pt-1 pb-1 text-small text-fg-3">
        You decide as{' '}
        <b className="text-fg">
          <Plain text={name} />
        </b>
      </p>
    );
  return (
    <Menu entries={entries} align="end" header={header}>
      <button type="button" aria-label="Me: theme and keys" className="grid shrink-0 place-items-center rounded-full coarse:size-11">
        <span className="grid size-[26px] place-items-center rounded-full bg-ink text-[10.5px] font-bold text-on-ink coarse:size-9">
          Me
        </span>
      </button>
    </Menu>
  );
}
