import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { create } from 'zustand';
import type { Place } from '../place.ts';
import { asksAgain } from './asks-again.ts';

/** What of the place changes; `undefined` takes it out of the address. */
export type PlacePatch = { readonly [K in keyof Place]?: Place[K] | undefined };

/** Goes on from where one is; with `replace` the way back skips it, with `top` an address without a place leads to the top. */
export type Go = (patch: PlacePatch, options?: { readonly replace?: boolean; readonly top?: boolean }) => void;

/** How often somebody asked for the place that the address names already: they have scrolled away, and want to be led there again. */
export const useAskedAgain = create<{ readonly times: number }>(() => ({ times: 0 }));

/** Where in a panel one is. It stands in the address, so that it can be sent to somebody, and that back and forward work. */
export function usePlace(): { readonly place: Place; readonly go: Go } {
  const place: Place = useSearch({ strict: false });
  const navigate = useNavigate();
  const router = useRouter();
  const go = useCallback<Go>(
    (patch, { replace = false, top = false } = {}) => {
      const now: Place = router.latestLocation.search;
      if (asksAgain(now, patch)) askAgain();
      const gone = navigate({ to: '.', search: (before: Place) => ({ ...before, ...patch }), replace, resetScroll: false });
      void gone.then(() => (top ? askAgain() : undefined));
    },
    [navigate, router],
  );
  return { place, go };
}

function askAgain(): void {
  useAskedAgain.setState(({ times }) => ({ times: times + 1 }));
}
