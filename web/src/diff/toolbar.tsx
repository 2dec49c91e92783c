import type { JSX, ReactNode } from 'react';
import { MOD } from '../shell/keys.ts';
import { Icon } from '../ui/icon.tsx';
import type { IconName } from '../ui/icon.tsx';
import { LookMenu } from './look-menu.tsx';
import { turn, useLook } from './look.ts';
import { openSearch, setSearch, useSearchBox } from './search.ts';

/** Where the bar is narrow, most of it is in a menu. */
const ROOMY = '@max-[620px]:hidden';

/** How the diff is shown, and the search in it: for the bar above it, in a container whose width it goes by. */
export function DiffToolbar(): JSX.Element {
  const { style, whitespace, wrap } = useLook();
  const searches = useSearchBox(({ search }) => search !== null);
  return (
    <div className="inline-flex shrink-0 items-center gap-1">
      <Toggle
        icon="search"
        label="Search in the diff"
        keys={`${MOD} F`}
        on={searches}
        onClick={() => (searches ? setSearch(null) : openSearch())}
      />
      <span className={`inline-flex items-center gap-1 ${ROOMY}`}>
        <Toggle icon="ws" label="Hide changes of spaces" keys="W" on={whitespace === 'hide'} onClick={() => turn('whitespace')} />
        <Toggle icon="wrap" label="Wrap long lines" keys="⇧W" on={wrap} onClick={() => turn('wrap')} />
      </span>
      <LookMenu className="hidden @max-[620px]:grid" />
      <div
        role="group"
        aria-label="How the two sides are shown"
        className="ml-1 inline-flex rounded-2 bg-surface shadow-[inset_0_0_0_1px_var(--line-strong)] @max-[520px]:hidden"
      >
        <Choice on={style === 'unified'} label="Unified" onClick={() => useLook.setState({ style: 'unified' })}>
          <Icon name="unified" />
        </Choice>
        <Choice on={style === 'split'} label="Split" onClick={() => useLook.setState({ style: 'split' })}>
          <Icon name="split" />
        </Choice>
      </div>
    </div>
  );
}

function Toggle(props: {
  readonly icon: IconName;
  readonly label: string;
  readonly keys?: string;
  readonly on: boolean;
  readonly onClick: () => void;
}): JSX.Element {
  const { icon, label, keys, on, onClick } = props;
  return (
    <button
      type="button"
      aria-pressed={on}
      aria-label={label}
      title={keys === undefined ? label : `${label} (${keys})`}
      className="grid size-7 place-items-center rounded-2 text-fg-2 hover:bg-hover hover:text-fg aria-pressed:bg-selected aria-pressed:text-fg coarse:size-11"
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

function Choice(props: {
  readonly on: boolean;
  readonly label: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}): JSX.Element {
  const { on, label, onClick, children } = props;
  return (
    <button
      type="button"
      aria-pressed={on}
      aria-label={label}
      title={`${label} (⇧U)`}
      className="grid h-7 w-8 place-items-center rounded-2 text-fg-2 hover:text-fg aria-pressed:bg-selected aria-pressed:text-fg coarse:h-11 coarse:w-11"
      onClick={onClick}
    >
      {children}
    </button>
  );
}
