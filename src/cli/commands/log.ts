import { readLoop } from '../../app-reader.ts';
import { applyEvent } from '../../core/apply.ts';
import type { Loop } from '../../core/loop.ts';
import { eventOutput } from '../../core/project-output.ts';
import type { Command } from '../command.ts';
import { loopId } from '../loop-id.ts';
import { clean, columns, paint } from '../print.ts';
import { progressLines } from '../progress.ts';

const USAGE = 'log ID';

/** `volley log ID`: every event, with the state that it led to. */
export const command: Command = {
  usage: USAGE,
  options: {},
  run: async (typed, io) => {
    const { journal } = await readLoop(io.cwd, loopId(typed, USAGE));
    const rows: string[][] = [];
    let before: Loop | null = null;
    for (const entry of journal) {
      const loop: Loop = applyEvent(before, entry);
      io.object(eventOutput(loop, entry));
      const said = progressLines(before, loop, entry.event).join(' ') || plainWords(loop, entry.event.type);
      rows.push([
        `  ${paint(io, 'dim', entry.at.slice(0, 19).replace('T', ' '))}`,
        String(entry.seq).padStart(3),
        entry.event.type,
        loop.state,
        clean(said),
      ]);
      before = loop;
    }
    for (const line of columns(rows)) io.out(line);
    return 0;
  },
};

function plainWords(loop: Loop, type: string): string {
  if (type === 'created') return loop.task.title;
  if (type === 'escalated') return `${loop.escalation?.reason ?? ''}: ${loop.escalation?.why ?? ''}`;
  return loop.ending?.why ?? '';
}
