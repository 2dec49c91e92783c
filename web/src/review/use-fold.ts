import { useCallback, useState } from 'react';
import type { UIEvent } from 'react';

/** From so far down on somebody reads. */
const READS_AT = 48;
/** What folds away is not so high that a diff which is a little longer than the screen would be shorter then: it would fold and unfold for ever. */
const LEAST_REST = 360;

/** Whether what stands above the diff is folded, because somebody reads; they may open it, until they are at the top again. */
export function useFold(): {
  readonly folded: boolean;
  readonly open: () => void;
  readonly onScrollCapture: (event: UIEvent) => void;
} {
  const [folded, setFolded] = useState(false);
  const [held, setHeld] = useState(false);
  const onScrollCapture = useCallback((event: UIEvent) => {
    const { target } = event;
    if (!(target instanceof HTMLElement) || !target.matches('[data-diff-scroller], [data-diff-scroller] *')) return;
    const { scrollTop, scrollHeight, clientHeight } = target;
    if (scrollHeight <= clientHeight) return;
    if (scrollTop <= 0) {
      setHeld(false);
      setFolded(false);
    } else if (scrollTop > READS_AT && scrollHeight - clientHeight > LEAST_REST) setFolded(true);
  }, []);
  return {
    folded: folded && !held,
    open: useCallback(() => setHeld(true), []),
    onScrollCapture,
  };
}
