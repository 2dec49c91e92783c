import { create } from 'zustand';

/** Which folded findings somebody opened or folded again, by their ids; the viewer forgets what scrolls out of view. */
export const useOpenedFindings = create<Readonly<Record<string, boolean>>>(() => ({}));

/** Opens a folded finding, or folds it again. */
export function openFinding(id: string, open: boolean): void {
  useOpenedFindings.setState({ [id]: open });
}
