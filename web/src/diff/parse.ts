import { readWhole } from './read-patch.ts';
import type { PatchText, Read } from './read-patch.ts';

/** A patch of so many characters is read within a part of a frame; to hand it to a worker and back would take longer. */
const SHORT = 100_000;

type Answer = { readonly id: number; readonly read: Read | null };

let worker: Worker | null = null;
let asked = 0;
const waiting = new Map<number, PromiseWithResolvers<Read | null>>();

/** Reads the patch of one file, and holds nobody up if it is long. */
export async function parse(patch: PatchText): Promise<Read | null> {
  if (patch.text.length < SHORT) return readWhole(patch);
  const answer = Promise.withResolvers<Read | null>();
  asked += 1;
  waiting.set(asked, answer);
  worker ??= started();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
  worker.postMessage({ id: asked, patch });
  return await answer.promise;
}

function started(): Worker {
  const fresh = new Worker(new URL('./parse-worker.ts', import.meta.url), { type: 'module', name: 'patches' });
  fresh.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    waiting.get(data.id)?.resolve(data.read);
    waiting.delete(data.id);
  });
  fresh.addEventListener('error', () => {
    for (const { reject } of waiting.values()) reject(new Error('The patch could not be read.'));
    waiting.clear();
    worker = null;
  });
  return fresh;
}
