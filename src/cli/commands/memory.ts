import { VolleyError } from '../../core/errors.ts';
import type { Memory } from '../../core/memory.ts';
import { shownPlace } from '../../core/prompts/sections.ts';
import type { Command, Io } from '../command.ts';
import { parseFindingId } from '../loop-id.ts';
import { clean, columns, oneLine, paint } from '../print.ts';

const USAGE = 'memory [forget ID.N]';
const DESCRIPTION_WIDTH = 70;

/** `volley memory`: the refuted findings that stay closed as long as their code is what it was. */
export const command: Command = {
  usage: USAGE,
  options: {},
  run: async (typed, io) => {
    const [word, named, ...rest] = typed.positionals;
    if (word === 'forget' && named === undefined) {
      throw new VolleyError('bad-usage', 'The finding to forget is missing.', `Write volley ${USAGE}.`);
    }
    if (rest.length > 0 || (word !== undefined && word !== 'forget')) {
      throw new VolleyError('bad-usage', `'${typed.positionals.join(' ')}' is nothing that memory knows.`, `Write volley ${USAGE}.`);
    }
    const { forgetFinding, openApp } = await import('../../app.ts');
    const app = await openApp({ cwd: io.cwd, report: () => undefined });
    try {
      if (named !== undefined) {
        const { loopId, findingId } = parseFindingId(named);
        await forgetFinding(app.engine, loopId, { findingId, by: app.person.name, reason: null });
        io.object({ type: 'forgotten', v: 1, findingId });
        io.out(`${findingId} is forgotten; a review may raise it again.`);
      } else printMemories(await app.engine.store.memories(), io);
      return 0;
    } finally {
      await app.close();
    }
  },
};

function printMemories(memories: readonly Memory[], io: Io): void {
  for (const memory of memories) io.object({ type: 'memory', v: 1, ...memory });
  io.object({ type: 'memories', v: 1, count: memories.length });
  if (memories.length === 0) {
    io.out('Nothing is remembered. A finding that is refuted stays closed for other tasks too, as long as its code does not change.');
    return;
  }
  const rows = memories.map((memory) => [
    `  ${paint(io, 'bold', memory.findingId)}`,
    memory.category,
    clean(shownPlace(memory) ?? '(no place)'),
    oneLine(memory.description, DESCRIPTION_WIDTH),
    `refuted by ${clean(memory.by)} on ${memory.at.slice(0, 10)}${memory.note === '' ? '' : `: ${oneLine(memory.note, DESCRIPTION_WIDTH)}`}`,
  ]);
  for (const line of columns(rows)) io.out(line);
  io.out(paint(io, 'dim', '  Each stays closed while its code is what it was. To let one be raised again: volley memory forget ID.N'));
}
