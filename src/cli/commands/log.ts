import { readLoop } from '../../app-reader.ts';
import { applyEvent } from '../../core/apply.ts';
import type { Event } from '../../core/event.ts';
import type { Loop } from '../../core/loop.ts';
import { eventOutput } from '../../core/project-output.ts';
import { tallyText } from '../../core/ceilings.ts';
import { shownPlace } from '../../core/prompts/sections.ts';
import { appliedWords } from '../../core/suggestion.ts';
import type { Command } from '../command.ts';
import { loopId } from '../loop-id.ts';
import { columns, oneLine, paint } from '../print.ts';
import { progressLines } from '../progress.ts';

const USAGE = 'log ID';
const LINE_WIDTH = 400;

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
      const said = progressLines(before, loop, entry.event).join(' ') || plainWords(loop, entry.event);
      rows.push([
        `  ${paint(io, 'dim', entry.at.slice(0, 19).replace('T', ' '))}`,
        String(entry.seq).padStart(3),
        entry.event.type,
        loop.state,
        oneLine(said.replaceAll('\n', ' '), LINE_WIDTH),
      ]);
      before = loop;
    }
    for (const line of columns(rows)) io.out(line);
    return 0;
  },
};

function plainWords(loop: Loop, event: Event): string {
  switch (event.type) {
    case 'created':
      return loop.task.title;
    case 'escalated':
      return `${event.reason}: ${event.why}`;
    case 'finished':
      return event.why;
    case 'failed':
      return event.message;
    case 'decided':
      return `${event.choice} by ${event.by}${event.reason === null ? '' : `: ${event.reason}`}`;
    case 'overridden':
      return `${event.override} by ${event.by}${event.reason === null ? '' : `: ${event.reason}`}`;
    case 'commented':
      return `${event.by}${event.raised === null ? '' : ' asks for changes'}${event.file === null ? '' : ` on ${shownPlace(event)}`}: ${event.text}`;
    case 'edited':
      return `${Object.keys(event.edit).join(', ')} by ${event.by}${event.reason === null ? '' : `: ${event.reason}`}`;
    case 'released':
      return `what it depends on is done, so it starts from ${event.start.commit.slice(0, 8)}`;
    case 'dependency-lost':
    case 'postponed':
      return event.why;
    case 'ruled':
      return `${event.ruling} ${event.findingId} by ${event.by}${event.reason === null ? '' : `: ${event.reason}`}`;
    case 'forgotten':
      return `${event.findingId} by ${event.by}`;
    case 'imported':
      return `by ${event.by}`;
    case 'moved':
      return event.applied === undefined ? '' : appliedWords(event.applied);
    case 'landed':
      return `on ${event.onto} by ${event.by}`;
    case 'refused':
      return `${event.event}: ${event.why}`;
    case 'started':
    case 'authored':
    case 'fixed':
    case 'gated':
    case 'reviewed':
    case 'arbitrated':
    case 'interrupted':
    case 'checkout-lost':
    case 'warned':
    case 'woken':
      return '';
    case 'tallied':
      return tallyText(event);
  }
}
