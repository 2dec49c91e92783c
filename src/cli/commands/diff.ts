import { VolleyError } from '../../core/errors.ts';
import type { Head } from '../../core/event.ts';
import type { Loop } from '../../core/loop.ts';
import { textOption } from '../command.ts';
import type { Command, Typed } from '../command.ts';
import { loopId } from '../loop-id.ts';
import { clean } from '../print.ts';

const USAGE = 'diff ID [--round N]';

/** `volley diff ID`: the change as reviewers see it. */
export const command: Command = {
  usage: USAGE,
  options: { round: { type: 'string', value: 'N', help: 'the change as round N reviewed it' } },
  run: async (typed, io) => {
    const id = loopId(typed, USAGE);
    const { openApp } = await import('../../app.ts');
    const app = await openApp({ cwd: io.cwd, report: () => undefined });
    try {
      const loop = await app.load(id);
      const head = headFor(loop, typed);
      const change = await app.engine.workspace.readChange(loop.base.commit, head.commit);
      io.object({ type: 'diff', v: 1, loop: id, base: change.mergeBase, head: change.head, files: change.files, patch: change.patch });
      // Into a pipe the patch goes out byte for byte, so that it can be applied; a terminal must not obey what stands in it.
      if (!io.json) process.stdout.write(process.stdout.isTTY ? clean(change.patch) : change.patch);
      return 0;
    } finally {
      await app.close();
    }
  },
};

function headFor(loop: Loop, typed: Typed): Head {
  const round = textOption(typed, 'round');
  if (round === undefined) {
    if (loop.head === null) throw new VolleyError('refused', `Task ${loop.id} has no change yet.`, `See volley show ${loop.id}.`);
    return loop.head;
  }
  const found = loop.rounds.find((one) => String(one.round) === round);
  if (found === undefined)
    throw new VolleyError('bad-usage', `Task ${loop.id} has no round ${round}.`, `It has ${loop.rounds.length} round(s).`);
  return found.head;
}
