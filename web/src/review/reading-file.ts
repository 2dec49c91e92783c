import { create } from 'zustand';

/** Which file is being read now. The address names the one that somebody went to; scrolling on does not change it. */
export const useReadingFile = create<{ readonly path: string | null }>(() => ({ path: null }));

/** Tells that another file is being read. */
export function readsFile(path: string | null): void {
  if (useReadingFile.getState().path !== path) useReadingFile.setState({ path });
}
