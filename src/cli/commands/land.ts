import type { Landing } from '../../app.ts';
import { VolleyError } from '../../core/errors.ts';
import { textOption } from '../command.ts';
import type { Command, Io } from '../command.ts';
import { INTERRUPTED, stopOnSignals } from '../drive.ts';
import { parseId } from '../loop-id.ts';
import { clean, paint } from '../print.ts';

/** `volley land ID…`. */
export const command: Command = {
  usage: 'land ID… [--onto B]',
  options: { onto: { type: 'string', value: 'B', help: 'the branch to bring it to (the current one)' } },
  run: async (typed, io) => {
    const ids = typed.positionals.map(parseId);
    if (ids.length === 0) throw new VolleyError('bad-usage', 'The number of a task is missing.', 'Write volley land ID.');
    const { openApp } = await import('../../app.ts');
    const app = await openApp({ cwd: io.cwd, report: () => undefined });
    const { signal } = stopOnSignals(io);
    try {
      for (const id of ids) tell(id, await app.land(await app.load(id), { onto: textOption(typed, 'onto') ?? null, signal }), io);
      return 0;
    } catch (error) {
      if (!signal.aborted) throw error;
      if (!io.json) io.err('Nothing was brought over.');
      return INTERRUPTED;
    } finally {
      await app.close();
    }
  },
};

function tell(id: number, { onto, result }: Landing, io: Io): void {
  const target = clean(onto);
  switch (result.kind) {
    case 'fast-forward':
    case 'merged':
      io.out(paint(io, 'green', `✓ Task ${id} is on ${target} (${result.kind}, ${result.from.slice(0, 8)}..${result.to.slice(0, 8)})`));
      break;
    case 'applied':
      io.out(paint(io, 'green', `✓ The fixes of task ${id} are in your working tree: ${result.files.map(clean).join(', ')}`));
      break;
    case 'already':
      io.out(`Task ${id} is on ${target} already; nothing to do.`);
      break;
    case 'conflict':
      throw stopped(
        'conflict',
        `Task ${id} and ${target} conflict in ${list(result.files)}; nothing was changed.`,
        `Merge it by hand, or start a new task from the newest ${target}.`,
      );
    case 'dirty':
      throw stopped(
        'dirty-tree',
        `Your uncommitted changes stand in the way: ${list(result.files)}; nothing was changed.`,
        'Commit or stash them, then land again.',
      );
    case 'differs':
      throw stopped(
        'conflict',
        `These files are no longer as they were reviewed: ${list(result.files)}; nothing was changed.`,
        'Review the working tree again.',
      );
    case 'gates-red':
      throw stopped(
        'conflict',
        `The merge with ${target} does not pass the gates; nothing was changed. ${clean(result.detail)}`,
        'Merge by hand, or run the task again from the newest base.',
      );
  }
  io.object({ type: 'landed', v: 1, loop: id, onto, ...result });
}

function stopped(code: 'conflict' | 'dirty-tree', message: string, remedy: string): VolleyError {
  return new VolleyError(code, message, remedy);
}

function list(files: readonly string[]): string {
  const shown = files.slice(0, 10).map(clean).join(', ');
  return files.length > 10 ? `${shown} and ${files.length - 10} more` : shown;
}
