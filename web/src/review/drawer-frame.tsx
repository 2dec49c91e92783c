import { useEffect, useRef } from 'react';
import type { JSX, ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { seenText } from '../ui/hidden-characters.ts';
import { Icon } from '../ui/icon.tsx';
import type { IconName } from '../ui/icon.tsx';
import { Plain } from '../ui/plain.tsx';
import { usePlace } from './place.ts';

/** The frame of a drawer: its name, its way out, and what is in it. On a phone it is a sheet over everything. */
export function DrawerFrame({
  icon,
  title,
  acts = null,
  wide = false,
  children,
}: {
  readonly icon: IconName;
  readonly title: string;
  readonly acts?: ReactNode;
  readonly wide?: boolean;
  readonly children: ReactNode;
}): JSX.Element {
  const { go } = usePlace();
  const frame = useRef<HTMLElement>(null);
  const close = (): void => go({ drawer: undefined });
  // Whoever opened it goes on in it; another one of the same kind keeps them where they are.
  useEffect(() => frame.current?.focus({ preventScroll: true }), []);
  return (
    // Escape closes it from wherever in it somebody is.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <aside
      ref={frame}
      tabIndex={-1}
      aria-label={seenText(title)}
      onKeyDown={(event) => (event.key === 'Escape' ? close() : undefined)}
      className={`flex min-h-0 shrink-0 flex-col border-l border-line bg-raised [--hover:var(--selected)] focus-visible:outline-none max-sm:fixed max-sm:inset-0 max-sm:z-(--z-drawer) max-sm:w-auto max-sm:border-l-0 ${wide ? 'w-[min(560px,40%)] min-w-[360px]' : 'w-[420px] max-md:w-[360px]'}`}
    >
      <header className="flex h-10 shrink-0 items-center gap-2 border-b border-line pr-2.5 pl-5 max-sm:h-12 max-sm:pl-4">
        <Icon name={icon} />
        <h2 className="truncate font-semibold">
          <Plain text={title} />
        </h2>
        <span className="flex-1" />
        {acts}
        <Button kind="ghost" size="small" aria-label="Close" className="w-[26px] !px-0 coarse:w-11" onClick={close}>
          <Icon name="x" />
        </Button>
      </header>
      {children}
    </aside>
  );
}
