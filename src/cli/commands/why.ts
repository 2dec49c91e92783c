import { readLoop } from '../../app-reader.ts';
import { reasonsOf } from '../../core/reasons.ts';
import type { Command } from '../command.ts';
import { loopId } from '../loop-id.ts';
import { columns, oneLine, paint } from '../print.ts';

const USAGE = 'why ID';
const LINE_WIDTH = 400;

/** `volley why ID`: the reason of every step. */
export const command: Command = {
  usage: USAGE,
  options: {},
  run: async (typed, io) => {
    const { loop, journal } = await readLoop(io.cwd, loopId(typed, USAGE));
    const steps = reasonsOf(loop, journal);
    for (const step of steps) io.object({ type: 'reason', v: 1, loop: loop.id, ...step });
    for (const line of columns(
      steps.map((step) => [
        `  ${paint(io, 'dim', String(step.seq).padStart(3))}`,
        oneLine(step.step, LINE_WIDTH),
        oneLine(step.why.replaceAll('\n', ' '), LINE_WIDTH),
      ]),
    ))
      io.out(line);
    return 0;
  },
};
