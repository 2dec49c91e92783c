import type { Override } from '../core/event.ts';
import { hasFlag, textOption } from './command.ts';
import type { Command } from './command.ts';
import { goOn } from './drive.ts';
import { loopId } from './loop-id.ts';
import { progressPrinter } from './progress.ts';
import { SANDBOX_OPTION } from './settings-options.ts';

/** A command that overrides a loop. */
export function overrideCommand(override: Extract<Override, 'retry' | 'cancel' | 'takeover' | 'handback'>): Command {
  const usage = `${override} ID [--reason T] [--later]`;
  return {
    usage,
    options: {
      reason: { type: 'string', value: 'T', help: 'why; it stands in the journal' },
      later: { type: 'boolean', help: 'only write it down; volley work goes on' },
      ...SANDBOX_OPTION,
    },
    run: async (typed, io) => {
      const id = loopId(typed, usage);
      const { openApp, overrideLoop } = await import('../app.ts');
      const app = await openApp({ cwd: io.cwd, requireSandbox: hasFlag(typed, 'require-sandbox'), report: progressPrinter(io) });
      try {
        const loop = await overrideLoop(app.engine, id, { override, by: app.person.name, reason: textOption(typed, 'reason') ?? null });
        return await goOn(app, loop, { io, later: hasFlag(typed, 'later') });
      } finally {
        await app.close();
      }
    },
  };
}
