import { openBoard } from '../../app-board.ts';
import type { Command } from '../command.ts';
import { glanceLines, LATELY_MS } from '../glance-lines.ts';

const NEWEST = 100;
/** Where nobody knows how high the screen is. */
const USUAL_ROWS = 24;

/** Bare `volley`: the project at a glance, and what needs somebody. */
export const command: Command = {
  usage: '',
  options: {},
  run: async (_, io) => {
    const now = new Date();
    const rows = await openBoard(io.cwd, { newest: NEWEST, since: new Date(now.getTime() - LATELY_MS) });
    // One line of the screen is for what is typed next.
    const height = (io.interactive ? process.stdout.rows : USUAL_ROWS) - 1;
    io.out(glanceLines(rows, { io, height, now }).join('\n'));
    return 0;
  },
};
