import type { Delta } from '../core/delta.ts';
import type { Loop } from '../core/loop.ts';
import type { Engine } from './engine.ts';

/** What changed up to the loop's head since each head on which a finding was raised, and since these others. */
export async function findingDeltas(engine: Engine, loop: Loop, others: readonly string[] = []): Promise<Delta[]> {
  const to = (loop.head ?? loop.start).commit;
  const froms = new Set([...others, ...loop.findings.flatMap(({ origin }) => origin?.commit ?? [])]);
  return await Promise.all(
    [...froms].filter((from) => from !== to).map(async (from) => ({ from, files: [...(await engine.workspace.readDelta(from, to))] })),
  );
}
