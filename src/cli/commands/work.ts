import { exitCodeOf } from '../../core/exit-code.ts';
import { loopOutput } from '../../core/project-output.ts';
import { hasFlag } from '../command.ts';
import type { Command, Io } from '../command.ts';
import { driveLoop, stopOnSignals } from '../drive.ts';
import { printEnding } from '../ending.ts';
import { parseId } from '../loop-id.ts';
import { clean, paint } from '../print.ts';
import { progressPrinter } from '../progress.ts';
import { SANDBOX_OPTION } from '../settings-options.ts';
import type { App } from '../../app.ts';

/** `volley work [ID…]`. */
export const command: Command = {
  usage: 'work [ID…] [--exit-code]',
  options: { 'exit-code': { type: 'boolean', help: 'exit with 2 or 3 where a task did not end well' }, ...SANDBOX_OPTION },
  run: async (typed, io) => {
    const ids = typed.positionals.map(parseId);
    const { openApp } = await import('../../app.ts');
    const app = await openApp({
      cwd: io.cwd,
      requireSandbox: hasFlag(typed, 'require-sandbox'),
      report: progressPrinter(io, { titled: ids.length === 0 }),
    });
    try {
      return ids.length > 0
        ? await workOn(app, ids, { io, strict: hasFlag(typed, 'exit-code') })
        : await workAll(app, { io, strict: hasFlag(typed, 'exit-code') });
    } finally {
      await app.close();
    }
  },
};

type How = { readonly io: Io; readonly strict: boolean };

async function workOn(app: App, ids: readonly number[], { io, strict }: How): Promise<number> {
  let worst = 0;
  for (const id of ids) {
    const loop = await app.load(id);
    io.out(paint(io, 'bold', `Task ${loop.id}: ${clean(loop.task.title)}`));
    worst = Math.max(worst, await driveLoop(app, loop, { io }));
    if (worst === 130) break;
  }
  return strict || worst === 130 || worst === 1 ? worst : 0;
}

async function workAll(app: App, { io, strict }: How): Promise<number> {
  const stop = stopOnSignals(io);
  const { driven, busy } = await app.drive(null, stop.signal);
  let worst = 0;
  for (const id of driven) {
    const loop = await app.load(id);
    printEnding(loop, { document: app.documentOf(loop), driven: false }, io);
    io.object(loopOutput(loop));
    worst = Math.max(worst, exitCodeOf(loop));
  }
  for (const { loopId, owner } of busy) io.out(`Task ${loopId} is driven by process ${owner.pid} already.`);
  if (driven.length === 0 && busy.length === 0) io.out('Nothing is pending.');
  if (stop.signal.aborted) return 130;
  return strict || worst === 1 ? worst : 0;
}
