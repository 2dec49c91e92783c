import { Outlet, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useMemo } from 'react';
import type { JSX } from 'react';
import { useConnection } from '../api/live.ts';
import { keepLoops } from '../board/loops.ts';
import { dismiss, useAsked } from '../decide/propose.ts';
import { Toasts } from '../ui/toast.tsx';
import { fetchAhead } from './ahead.ts';
import { Announcer } from './announcer.tsx';
import { Caught } from './caught.tsx';
import { useKeys } from './keys.ts';
import { Locked } from './locked.tsx';
import { useLoopKeys } from './loop-keys.ts';
import { OfflineBar } from './offline-bar.tsx';
import { closeOverlay, openOverlay, useOverlay } from './overlays.ts';
import { TopBar } from './top-bar.tsx';
import { newTask } from './new-task.ts';
import { useNextWaiting } from './waiting.ts';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const DecisionDialog = lazy(async () => ({ default: (await import('../decide/decision-dialog.tsx')).DecisionDialog }));
const KeyMap = lazy(async () => ({ default: (await import('./key-map.tsx')).KeyMap }));

/** What is around every page. */
export function Shell(): JSX.Element {
  const state = useConnection((connection) => connection.state);
  const isLocked = state === 'locked';
  useEffect(() => (isLocked ? undefined : keepLoops()), [isLocked]);
  useEffect(() => (isLocked ? undefined : fetchAhead()), [isLocked]);
  useShellKeys();
  useLoopKeys();
  if (isLocked) return <Locked />;
  return (
    // Nobody knows whose turn it is while nothing is heard: the colour drains.
    <div
      data-offline={state === 'offline' ? '' : undefined}
      className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[auto_auto_minmax(0,1fr)] transition-[filter] duration-(--slow) data-offline:saturate-[.15]"
    >
      <TopBar />
      <OfflineBar />
      <div className="row-start-3 min-h-0">
        <Outlet />
      </div>
      <Toasts />
      <Announcer />
      <Overlays />
    </div>
  );
}

/** What lies over the page; it is fetched when it is first wanted. */
function Overlays(): JSX.Element {
  const { overlay } = useOverlay();
  const isAsked = useAsked(({ asked }) => asked !== null);
  return (
    <>
      <Caught key={overlay} onCaught={closeOverlay}>
        <Suspense>
          {overlay === 'palette' ? <Palette /> : null}
          {overlay === 'keys' ? <KeyMap /> : null}
        </Suspense>
      </Caught>
      <Caught key={String(isAsked)} onCaught={dismiss}>
        <Suspense>{isAsked ? <DecisionDialog /> : null}</Suspense>
      </Caught>
    </>
  );
}

/** The keys that hold on every page. */
function useShellKeys(): void {
  const navigate = useNavigate();
  const next = useNextWaiting();
  useKeys(
    useMemo(
      () => ({
        '$mod+k': (event) => {
          event.preventDefault();
          if (useOverlay.getState().overlay === 'palette') closeOverlay();
          else openOverlay('palette');
        },
        'Shift+?': () => openOverlay('keys'),
        'g n': next,
        'g b': () => void navigate({ to: '/' }),
        t: () => void navigate({ to: '/', search: newTask }),
      }),
      [navigate, next],
    ),
  );
}
