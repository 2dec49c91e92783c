import type { TaskRequest } from '../../app.ts';
import { plainTask } from '../../core/task.ts';
import { hasFlag, textOption } from '../command.ts';
import type { Command, Io, Typed } from '../command.ts';
import { driveLoop } from '../drive.ts';
import { clean } from '../print.ts';
import { printHeading, progressPrinter } from '../progress.ts';
import { flagsOf, SETTINGS_OPTIONS } from '../settings-options.ts';
import { documentOption, TASK_OPTIONS, taskWords } from '../task-words.ts';

/** `volley run "Add X"`. */
export const command: Command = {
  usage:
    'run "Add X" [--author A] [--reviewer B[,C]] [--fixer F] [--max-rounds N] [--effort E] [--ceiling USD] [--gate CMD]… [--story FILE] [--base REF] [--require-sandbox] [--dry-run]',
  options: { author: { type: 'string', value: 'A', help: 'who builds it' }, ...SETTINGS_OPTIONS, ...TASK_OPTIONS },
  run: async (typed, io) => {
    const request = await requestOf(typed, io);
    if (hasFlag(typed, 'dry-run')) return await (await import('../dry-run.ts')).printDryRun(request, io);
    const { openApp } = await import('../../app.ts');
    const app = await openApp({ cwd: io.cwd, report: progressPrinter(io) });
    try {
      const loop = await app.start(request);
      if (loop === null) throw new Error('an implement task always has something to do');
      printHeading(loop, io);
      for (const note of loop.notes) io.out(`  ${clean(note)}`);
      return await driveLoop(app, loop, { io });
    } finally {
      await app.close();
    }
  },
};

async function requestOf(typed: Typed, io: Io): Promise<TaskRequest> {
  return {
    change: { kind: 'authored', base: textOption(typed, 'base') ?? null },
    task: plainTask({
      kind: 'implement',
      ...taskWords(typed.positionals, 'volley run "Add input validation"'),
      story: (await documentOption(typed, 'story', io)) ?? null,
      plan: (await documentOption(typed, 'plan', io)) ?? null,
      ref: textOption(typed, 'ref') ?? null,
      source: { kind: 'authored' },
    }),
    flags: flagsOf(typed),
    autoReview: true,
  };
}
