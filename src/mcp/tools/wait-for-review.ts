import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { isAtRest } from '../../core/at-rest.ts';
import type { Loop } from '../../core/loop.ts';
import { requireLoop } from '../../engine/commands.ts';
import { LoopReply, loopReply } from '../loop-reply.ts';
import { doing } from '../loop-words.ts';
import { defineTool } from '../tool.ts';
import type { Call } from '../tool.ts';
import { loopInput } from './inputs.ts';

/** A loop may be driven by any process, so somebody has to look. */
const LOOK_MS = 250;
/** A client that hears nothing may give up. */
const PROGRESS_MS = 10_000;

/** `wait_for_review`: until a loop rests, but never so long that a client would give up. */
export const waitForReview = defineTool({
  name: 'wait_for_review',
  title: 'Wait for a review',
  description:
    'Waits until a review of Volley has come to rest and returns its verdict with the findings. After 45 seconds it returns in any case: if it says "still running", call it again with the same number. Reviews by a model take minutes.',
  input: z.object({ loop: loopInput }),
  output: LoopReply.extend({ stillRunning: z.boolean().describe('True: call wait_for_review again.') }),
  effects: 'reads',
  call: async ({ loop: id }, call) => {
    const loop = await untilRest(id, call);
    const stillRunning = !isAtRest(loop);
    const said = stillRunning ? [`Task ${id} is still running: ${doing(loop)}. ${await drivenWords(loop, call)}`] : [];
    const { data, ...rest } = await loopReply(loop, call, said);
    return { ...rest, data: { ...data, stillRunning } };
  },
});

/** The loop at its rest, or as it is when the time is over or nobody waits any more. */
async function untilRest(id: number, call: Call): Promise<Loop> {
  const { desk, signal, waitMs } = call;
  const started = performance.now();
  let loop = await requireLoop(desk.engine, id);
  let told = Number.NEGATIVE_INFINITY;
  while (!isAtRest(loop) && !signal.aborted) {
    const passed = performance.now() - started;
    if (passed >= waitMs) break;
    if (passed - told >= PROGRESS_MS) {
      call.progress(`task ${id}: ${doing(loop)}`);
      told = passed;
    }
    await sleep(Math.min(LOOK_MS, waitMs - passed), undefined, { signal }).catch(() => undefined);
    const [row] = await desk.engine.store.rows({ id });
    if (row?.updatedAt === loop.updatedAt) continue;
    loop = await requireLoop(desk.engine, id);
    told = Number.NEGATIVE_INFINITY;
  }
  return loop;
}

/** A loop that nobody drives would run for ever in the eyes of whoever waits. */
async function drivenWords({ id, waiting }: Loop, { desk }: Call): Promise<string> {
  const { store, dispatcher } = desk.engine;
  if (waiting !== null || (await store.transaction(async (tx) => await dispatcher.isDriven(tx, id)))) return 'Call wait_for_review again.';
  return `Nobody drives it now; if that stays so, the person types volley work ${id}.`;
}
