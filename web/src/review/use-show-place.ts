import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import type { FindingOutput } from '../../../src/core/output.ts';
import type { DiffHandle } from '../diff/diff-view.tsx';
import { useAskedAgain, usePlace } from './place.ts';

type Shown = {
  readonly change: string;
  readonly files: readonly { readonly path: string }[];
  readonly loop: number | undefined;
  readonly findings: readonly FindingOutput[];
};

/**
 * Goes to where the address says, whenever it says something else or somebody asks for the same again: by a link, by a key, or by the
 * way back. A finding that has not come yet is waited for; once one was led there nothing leads there again by itself.
 * Says what of the address there is not.
 */
export function useShowPlace(handle: RefObject<DiffHandle | null>, { change, files, loop, findings }: Shown): 'file' | 'line' | null {
  const { file, line, side = 'new', finding } = usePlace().place;
  const times = useAskedAgain((asked) => asked.times);
  const wayBack = useWayBack();
  const done = useRef('');
  const asked = useRef(times);
  const [noLine, setNoLine] = useState('');
  const id = finding === undefined || loop === undefined ? undefined : `${loop}.${finding}`;
  const isThere = id === undefined || findings.some((one) => one.id === id);
  // Another change is another place, although the address may name the same.
  const wish = JSON.stringify([change, id, file, line, side, times]);
  useEffect(() => {
    const diff = handle.current;
    if (diff === null || change === '' || !isThere || done.current === wish) return;
    done.current = wish;
    const isAsked = asked.current !== times;
    asked.current = times;
    if (id !== undefined) diff.showFinding(id);
    else if (file !== undefined && line !== undefined) void diff.showLine(file, line, side).then((found) => setNoLine(found ? '' : wish));
    else if (file !== undefined) diff.showFile(file);
    else if (wayBack.current || isAsked) diff.showTop();
  }, [handle, wish, change, id, file, line, side, times, isThere, wayBack]);
  if (id !== undefined || file === undefined) return null;
  if (!files.some(({ path }) => path === file)) return 'file';
  return noLine === wish ? 'line' : null;
}

/** Whether the last step was one through the history of the browser. */
function useWayBack(): RefObject<boolean> {
  const { history } = useRouter();
  const wayBack = useRef(false);
  useEffect(
    () =>
      history.subscribe(({ action }) => {
        wayBack.current = action.type !== 'PUSH' && action.type !== 'REPLACE';
      }),
    [history],
  );
  return wayBack;
}
