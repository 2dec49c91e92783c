import { create } from 'zustand';
import { rememberFocus } from '../ui/focus.ts';

/** What can lie over a page. */
type Overlay = 'palette' | 'keys';

/** What lies over the page now. */
export const useOverlay = create<{ readonly overlay: Overlay | null }>(() => ({ overlay: null }));

/** Lays something over the page. */
export function openOverlay(overlay: Overlay): void {
  rememberFocus();
  useOverlay.setState({ overlay });
}

/** Takes it away again. */
export function closeOverlay(): void {
  useOverlay.setState({ overlay: null });
}
