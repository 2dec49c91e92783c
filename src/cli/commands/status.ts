import { findBoard } from '../../app-board.ts';
import type { DrivenRow } from '../../app-board.ts';
import { hasFlag, refuseWords } from '../command.ts';
import type { Command, Io } from '../command.ts';
import { paint } from '../print.ts';
import { placeOf } from '../row-place.ts';
import { statusLines } from '../status-lines.ts';

/** More than that is no overview. */
const NEWEST = 100;

/** `volley status`. */
export const command: Command = {
  usage: 'status [--all] [--watch]',
  options: {
    all: { type: 'boolean', help: 'old tasks too, however many there are' },
    watch: { type: 'boolean', help: 'go on showing what changes, until Ctrl-C' },
  },
  run: async (typed, io) => {
    refuseWords(typed, 'status');
    const limit = hasFlag(typed, 'all') ? undefined : { newest: NEWEST };
    const board = await findBoard(io.cwd);
    if (hasFlag(typed, 'watch')) return await (await import('../watch-status.ts')).watchStatus(async () => await board.read(limit), io);
    const rows = await board.read(io.json ? undefined : limit);
    if (io.json) for (const row of rows) io.object({ type: 'task', v: 1, ...row });
    io.object({ type: 'status', v: 1, tasks: rows.length, needYou: rows.filter((row) => row.needsYou).length });
    // Written at once: a write for each of many lines takes longer than all the rest.
    io.out((rows.length === 0 ? await beginnings(io) : allLines(rows, io)).join('\n'));
    return 0;
  },
};

async function beginnings(io: Io): Promise<string[]> {
  return (await import('../glance-lines.ts')).beginnings(io);
}

function allLines(rows: readonly DrivenRow[], io: Io): string[] {
  return [...olderLine(rows, io), ...statusLines(rows, { io, now: new Date() }), ...callLines(rows, io)];
}

/** How many are left out; ids count from 1 without a gap. */
function olderLine(rows: readonly DrivenRow[], io: Io): string[] {
  const older = (rows.at(-1)?.id ?? 0) - rows.length;
  return older === 0 ? [] : [paint(io, 'dim', `  … ${older} older task${older === 1 ? '' : 's'}: volley status --all`)];
}

/** What asks for a person, with the command for it, a line for each command; and what nobody drives. */
function callLines(rows: readonly DrivenRow[], io: Io): string[] {
  const named = new Set(rows.filter((row) => row.needsYou).map(({ id, next }) => next ?? `volley show ${id}`));
  const calls = [...named].map((next) => `${paint(io, 'yellow', 'needs you')}  ${next}`);
  const stopped = rows.filter((row) => placeOf(row) === 'stopped').map(({ id }) => id);
  const drive =
    stopped.length === 0
      ? []
      : [`${paint(io, 'yellow', 'stopped')}    ${workCommand(stopped)}   nobody drives it; this goes on where it stopped`];
  const all = [...calls, ...drive];
  return all.length === 0 ? [] : ['', ...all];
}

/** More of them than that are not typed. */
const MOST_NAMED = 5;

function workCommand(ids: readonly number[]): string {
  return ids.length > MOST_NAMED ? 'volley work' : `volley work ${ids.join(' ')}`;
}
