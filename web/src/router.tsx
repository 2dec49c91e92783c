import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  parseSearchWith,
  stringifySearchWith,
} from '@tanstack/react-router';
import { boardPlace, changePlace, placeOf } from './place.ts';
import { Broken, Lost } from './shell/lost.tsx';
import { Shell } from './shell/shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: Lost, errorComponent: Broken });

/** Reads a number only where it would be written so again: `1e5` and `0x10` are names. */
function readValue(value: string): unknown {
  const read: unknown = JSON.parse(value);
  return typeof read === 'number' && String(read) !== value ? value : read;
}

const board = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./board/board.tsx'), 'Board'),
  validateSearch: boardPlace,
});

const loop = createRoute({
  getParentRoute: () => root,
  path: '/loop/$id',
  component: lazyRouteComponent(() => import('./review/loop-panel.tsx'), 'LoopPanel'),
  validateSearch: placeOf,
});

/** A change without a loop: the working tree, a branch, or a range. */
const change = createRoute({
  getParentRoute: () => root,
  path: '/change',
  component: lazyRouteComponent(() => import('./review/change-panel.tsx'), 'ChangePanel'),
  validateSearch: changePlace,
});

/** The addresses of the app. */
export const router = createRouter({
  routeTree: root.addChildren([board, loop, change]),
  defaultPreload: 'intent',
  defaultErrorComponent: Broken,
  parseSearch: parseSearchWith(readValue),
  stringifySearch: stringifySearchWith(JSON.stringify, readValue),
});

declare module '@tanstack/react-router' {
  // The library takes the types of its routes from here.
  interface Register {
    router: typeof router;
  }
}
