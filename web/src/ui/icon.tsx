import type { JSX } from 'react';

/** Drawn on a grid of 16, with one stroke. */
const PATHS = {
  search: 'M2.75 7a4.25 4.25 0 1 0 8.5 0a4.25 4.25 0 1 0 -8.5 0M10.3 10.3l3.2 3.2',
  down: 'M4.5 6.5l3.5 3.5 3.5-3.5',
  right: 'M6.5 4.5l3.5 3.5-3.5 3.5',
  left: 'M9.5 4.5 6 8l3.5 3.5',
  up: 'M4.5 9.5l3.5-3.5 3.5 3.5',
  check: 'M3.5 8.5l3 3 6-7',
  x: 'M4.5 4.5l7 7m0-7-7 7',
  plus: 'M8 3.5v9M3.5 8h9',
  minus: 'M3.5 8h9',
  filter: 'M2.5 4.5h11M4.5 8h7M6.5 11.5h3',
  unified: 'M2.75 3.75h10.5v8.5H2.75zM5 6.5h6M5 9.5h4',
  split: 'M2.75 3.75h10.5v8.5H2.75zM8 3.75v8.5',
  ws: 'M2.5 6v4h11V6',
  wrap: 'M2.5 4.5h11M2.5 8h8.7a1.9 1.9 0 0 1 0 3.8H8m0 0 1.6-1.6M8 11.8l1.6 1.6',
  file: 'M4.25 2.5h4.5l3 3v8h-7.5zM8.75 2.5v3h3',
  folder: 'M2.5 4.25h4l1.25 1.5h5.75v6.5h-11z',
  ext: 'M6.5 4H4v8h8V9.5M9 3.5h3.5V7M12.2 3.8 7.5 8.5',
  comment: 'M3 3.75h10v7H7.5L5 13v-2.25H3z',
  shield: 'M8 2.25 12.75 4v4c0 2.9-2 4.9-4.75 5.9C5.25 12.9 3.25 10.9 3.25 8V4zM5.9 8l1.5 1.5 2.7-3',
  clock: 'M2.5 8a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0 -11 0M8 5v3.25l2.1 1.25',
  branch:
    'M3 4a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0M3 12a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0M10 5.5a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0M4.5 5.5v5M11.5 7c0 2.5-3 2.3-5.6 3.6',
  pr: 'M3 4a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0M3 12a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0M10 12a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0M4.5 5.5v5M11.5 10.5V6.5a2 2 0 0 0-2-2H7.5m0 0 1.6-1.6M7.5 4.5l1.6 1.6',
  merge:
    'M3 4a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0M3 12a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0M10 8.5a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0M4.5 5.5v5M4.5 5.5c.6 2 2.6 3 5.5 3',
  alert: 'M8 2.75 14 13H2zM8 6.5v3M8 11.2v.05',
  retry: 'M12.8 7A5 5 0 1 0 12.5 10M12.9 3.7V7H9.6',
  keyboard: 'M2 4.5h12v7H2zM4.5 7h.01M7 7h.01M9.5 7h.01M12 7h.01M5 9.5h6',
  apply: 'M8 2.5v7m0 0 2.8-2.8M8 9.5 5.2 6.7M3 13h10',
  copy: 'M5.75 5.75h7v7h-7zM10.25 5.75v-2.5h-7v7h2.5',
  dots: 'M3.2 8h.6M7.7 8h.6M12.2 8h.6',
  flag: 'M4 13.5v-11M4 3h7.5L9.7 5.7l1.8 2.8H4',
  term: 'M2.5 3.5h11v9h-11zM5 6.5 6.7 8 5 9.5M8.5 10H11',
  drawer: 'M2.75 3.75h10.5v8.5H2.75zM9.75 3.75v8.5',
  offline: 'M2.5 6.5a8.5 8.5 0 0 1 3-1.8M8.5 4.3a8.4 8.4 0 0 1 5 2.2M4.7 9a5 5 0 0 1 2.5-1.3M9.7 8a5 5 0 0 1 1.6 1M8 12v.01M2.5 2.5l11 11',
  hand: 'M3 8h10M9.5 4.5 13 8l-3.5 3.5',
  send: 'M2.8 3.2 13.5 8 2.8 12.8 4.6 8zM4.6 8h4',
  expand: 'M8 2.5v4M6.2 4.3 8 2.5l1.8 1.8M8 13.5v-4M6.2 11.7 8 13.5l1.8-1.8',
  gear: 'M6 8a2 2 0 1 0 4 0a2 2 0 1 0 -4 0M8 2.5v1.7M8 11.8v1.7M2.5 8h1.7M11.8 8h1.7M4.1 4.1l1.2 1.2M10.7 10.7l1.2 1.2M4.1 11.9l1.2-1.2M10.7 5.3l1.2-1.2',
  pause: 'M5.75 4v8M10.25 4v8',
  lock: 'M4 7.25h8v5.5H4zM5.75 7.25V5.5a2.25 2.25 0 0 1 4.5 0v1.75',
  doc: 'M4 2.5h8v11H4zM6 5.5h4M6 8h4M6 10.5h2',
  rally: 'M1.5 8 4.5 3.5l4 9 3-6.5 1.5 2H15',
  stack: 'M8 2.75l5.5 2.75L8 8.25 2.5 5.5zM2.5 8.2 8 11l5.5-2.8M2.5 10.9 8 13.7l5.5-2.8',
  board: 'M2.75 3h2.9v10h-2.9zM6.55 3h2.9v7h-2.9zM10.35 3h2.9v8.5h-2.9z',
  chart: 'M2.5 13h11M4.5 10.5v-3M8 10.5V4M11.5 10.5V6.5',
  bell: 'M4.2 11V7.2a3.8 3.8 0 0 1 7.6 0V11l1 1H3.2zM6.8 13.5h2.4',
  link: 'M6.6 9.4l2.8-2.8M7.3 4.9l1.6-1.6a2.7 2.7 0 0 1 3.8 3.8l-1.6 1.6M8.7 11.1l-1.6 1.6a2.7 2.7 0 0 1-3.8-3.8l1.6-1.6',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
} as const;

export type IconName = keyof typeof PATHS;

/** A picture beside a word; it says nothing by itself. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }): JSX.Element {
  return (
    <svg
      viewBox="0 0 16 16"
      width={size}
      height={size}
      className="shrink-0 fill-none stroke-current stroke-[1.5]"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
