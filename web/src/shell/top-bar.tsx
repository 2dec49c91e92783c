import { useQuery } from '@tanstack/react-query';
import { Link, useMatchRoute } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { JSX } from 'react';
import type { Answered } from '../../../src/api/contract/client.ts';
import { onChange, useConnection } from '../api/live.ts';
import { asking, queries } from '../api/queries.ts';
import { useLoops } from '../board/loops.ts';
import { waitingForYou } from '../board/order.ts';
import { Icon } from '../ui/icon.tsx';
import { Key } from '../ui/key.tsx';
import { Mark } from '../ui/mark.tsx';
import { usd } from '../ui/money.tsx';
import { Plain } from '../ui/plain.tsx';
import { MOD } from './keys.ts';
import { openOverlay } from './overlays.ts';
import { PersonMenu } from './person-menu.tsx';
import { useNextWaiting } from './waiting.ts';

/** The bar above every page: where one is, what was spent today, what waits, and how the page is connected. */
export function TopBar(): JSX.Element {
  const { data: health } = useQuery(asking('health'));
  const today = useToday();
  const onBoard = useMatchRoute()({ to: '/' }) !== false;
  return (
    <header className="relative z-(--z-sticky) flex h-12 items-center gap-3 border-b border-line bg-bg px-4 max-sm:gap-2 max-sm:px-3">
      <Link to="/" aria-label="Volley, board" className="grid shrink-0 place-items-center rounded-2 coarse:-mx-2.5 coarse:size-11">
        <Mark />
      </Link>
      <b className="min-w-0 truncate max-sm:flex-1">{health === undefined ? '' : <Plain text={health.project} />}</b>
      <nav aria-label="Main" className="ml-1 flex gap-0.5 max-sm:hidden">
        <Link
          to="/"
          activeOptions={{ exact: true, includeSearch: false }}
          className="rounded-2 px-[9px] py-1 text-fg-2 hover:bg-hover aria-[current=page]:font-semibold aria-[current=page]:text-fg"
        >
          Board
        </Link>
      </nav>
      <Find />
      <span className="flex-1 max-sm:hidden" />
      {today === undefined ? null : <Spent today={today} />}
      {onBoard ? null : <WaitingChip />}
      <Live />
      <PersonMenu name={health?.person ?? null} version={health?.version ?? null} />
    </header>
  );
}

type Today = Answered<'readToday'>;

/** What was spent today; it is asked again after something happened. */
function useToday(): Today | undefined {
  const { data } = useQuery({ ...asking('readToday'), refetchInterval: 60_000 });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const stop = onChange(() => {
      timer ??= setTimeout(() => {
        timer = null;
        void queries.invalidateQueries({ queryKey: asking('readToday').queryKey });
      }, SPENT_AFTER_MS);
    });
    return () => {
      stop();
      if (timer !== null) clearTimeout(timer);
    };
  }, []);
  return data;
}

const SPENT_AFTER_MS = 3000;

function Find(): JSX.Element {
  return (
    <button
      type="button"
      onClick={() => openOverlay('palette')}
      className="ml-3 flex h-[30px] w-[300px] min-w-0 items-center gap-2 rounded-2 bg-sunken pr-1.5 pl-2.5 text-fg-3 hover:text-fg-2 max-lg:w-[220px] max-md:w-[34px] max-sm:ml-0 coarse:h-11 coarse:max-md:w-11 coarse:max-md:bg-transparent coarse:max-md:pl-3.5"
    >
      <Icon name="search" />
      <span className="flex-1 truncate text-left max-md:sr-only">Search loops and commands</span>
      <span className="shrink-0 max-md:hidden">
        <Key name={MOD} />
        <Key name="K" />
      </span>
    </button>
  );
}

/** What all loops spent on this day, and how much of its ceiling that is. */
function Spent({ today: { usd: amount, estimated, ceilingUsd } }: { readonly today: Today }): JSX.Element {
  const share = ceilingUsd === null || ceilingUsd === 0 ? null : Math.min(1, amount / ceilingUsd);
  return (
    <span
      className="inline-flex items-baseline gap-[5px] text-small whitespace-nowrap text-fg-2 max-sm:hidden"
      title={ceilingUsd === null ? 'What was spent today; no ceiling is set' : "What was spent today, and the day's ceiling"}
    >
      <span className="text-fg-3">Today</span> <b className="text-fg">{usd(amount, estimated)}</b>
      {ceilingUsd === null ? null : <span className="text-fg-3">of {usd(ceilingUsd)}</span>}
      {share === null ? null : (
        <span className="relative ml-[3px] inline-block h-1 w-14 self-center overflow-hidden rounded-[2px] bg-line-strong max-md:hidden">
          <i
            className={`absolute inset-y-0 left-0 rounded-[2px] ${share >= 0.8 ? 'bg-warn-solid' : 'bg-fg-2'}`}
            style={{ width: `${share * 100}%` }}
          />
        </span>
      )}
    </span>
  );
}

/** Elsewhere than on the board: how many wait, and the way to the next one. */
function WaitingChip(): JSX.Element | null {
  const count = useLoops(({ loops }) => waitingForYou(loops.values()).length);
  const next = useNextWaiting();
  if (count === 0) return null;
  return (
    <button
      type="button"
      onClick={next}
      title="The next one: G N"
      className="inline-flex h-[26px] shrink-0 items-center gap-[5px] rounded-2 bg-you px-2.5 text-small font-semibold whitespace-nowrap text-on-you hover:bg-you-deep coarse:h-11"
    >
      <b>{count}</b> {count === 1 ? 'needs you' : 'need you'}
    </button>
  );
}

const CONNECTED = { live: 'Live', connecting: 'Connecting…', offline: 'Not connected', locked: 'Locked', outdated: 'Updated' } as const;

function Live(): JSX.Element {
  const state = useConnection((connection) => connection.state);
  return (
    <span className="inline-flex items-center gap-1.5 text-small whitespace-nowrap text-fg-3 max-sm:hidden">
      <i className={`size-1.5 rounded-full ${state === 'live' ? 'bg-settled-solid' : 'bg-fg-3'}`} />
      {CONNECTED[state]}
    </span>
  );
}
