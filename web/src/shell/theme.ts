import { create } from 'zustand';
import { persist } from 'zustand/middleware';

/** Light or dark as somebody chose, or as their system is. */
export type Theme = 'system' | 'light' | 'dark';

/** The theme that was chosen on this browser. */
export const useTheme = create<{ readonly theme: Theme }>()(persist(() => ({ theme: 'system' as Theme }), { name: 'volley-theme' }));

/** Shows the theme that is chosen, now and whenever another one is. */
export function showTheme(): void {
  const show = ({ theme }: { readonly theme: Theme }): void => {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
  };
  show(useTheme.getState());
  useTheme.subscribe(show);
}
