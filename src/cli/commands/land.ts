import type { App, Landing } from '../../app.ts';
import { openBoard } from '../../app-board.ts';
import { requireBrought } from '../../app-landed.ts';
import { errorOutput, VolleyError } from '../../core/errors.ts';
import { counted } from '../../core/words.ts';
import { hasFlag, textOption } from '../command.ts';
import type { Command, Io, Typed } from '../command.ts';
import { INTERRUPTED, stopOnSignals } from '../drive.ts';
import { parseId } from '../loop-id.ts';
import { clean, oneLine, paint } from '../print.ts';
import { placeOf } from '../row-place.ts';

/** `volley land ID…`. */
export const command: Command = {
  usage: 'land ID… | --all [--onto B]',
  options: {
    all: { type: 'boolean', help: 'every approved task that has not landed yet' },
    onto: { type: 'string', value: 'B', help: 'the branch to bring it to (the current one)' },
  },
  run: async (typed, io) => {
    const ids = await idsOf(typed, io);
    const { openApp } = await import('../../app.ts');
    const app = await openApp({ cwd: io.cwd, report: () => undefined });
    const stop = stopOnSignals(io);
    try {
      return await landEach(app, ids, { io, onto: textOption(typed, 'onto') ?? null, signal: stop.signal });
    } finally {
      stop.release();
      await app.close();
    }
  },
};

async function idsOf(typed: Typed, io: Io): Promise<readonly number[]> {
  const ids = [...new Set(typed.positionals.map(parseId))];
  if (hasFlag(typed, 'all') && ids.length > 0)
    throw new VolleyError('bad-usage', '--all does not go with numbers of tasks.', 'Write volley land --all, or volley land ID….');
  if (!hasFlag(typed, 'all') && ids.length === 0)
    throw new VolleyError(
      'bad-usage',
      'The number of a task is missing.',
      'Write volley land ID…, or volley land --all for every approved task.',
    );
  return ids.length > 0 ? ids : (await openBoard(io.cwd)).filter((row) => placeOf(row) === 'land').map(({ id }) => id);
}

type Ground = { readonly io: Io; readonly onto: string | null; readonly signal: AbortSignal };

/** In their order; one that cannot be landed does not stop the others. */
async function landEach(app: App, ids: readonly number[], { io, onto, signal }: Ground): Promise<number> {
  const problems: { readonly id: number; readonly error: VolleyError }[] = [];
  let landed = 0;
  for (const id of ids) {
    if (signal.aborted) break;
    try {
      tell(id, await app.land(await app.load(id), { onto, signal }), io);
      landed += 1;
    } catch (error) {
      if (signal.aborted) break;
      if (!(error instanceof VolleyError) || ids.length === 1) throw error;
      problems.push({ id, error });
      tellProblem(id, error, io);
    }
  }
  if (signal.aborted) {
    if (!io.json) io.err(landed === 0 ? 'Nothing was brought over.' : `${counted(landed, 'task')} of ${ids.length} brought over.`);
    return INTERRUPTED;
  }
  if (ids.length === 0) io.out('Nothing waits to be landed.');
  if (problems.length > 0) for (const line of ['', ...problemLines(problems, ids.length)]) io.out(line);
  return problems.length > 0 ? 1 : 0;
}

function tellProblem(id: number, error: VolleyError, io: Io): void {
  const { message, remedy } = error;
  io.object(errorOutput(error));
  io.out(paint(io, 'yellow', `✗ Task ${id} was not landed: ${clean(message)}`));
  io.out(`  ${clean(remedy)}`);
}

const WHY_WIDTH = 100;

function problemLines(problems: readonly { readonly id: number; readonly error: VolleyError }[], of: number): string[] {
  const lines = problems.map(({ id, error }) => `  ${id}  ${oneLine(error.message, WHY_WIDTH)}`);
  return [`${problems.length} of ${counted(of, 'task')} could not be landed:`, ...lines];
}

function tell(id: number, landing: Landing, io: Io): void {
  const { onto } = landing;
  const result = requireBrought(id, landing);
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
  }
  io.object({ type: 'landed', v: 1, loop: id, onto, ...result });
}
