import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { TaskRequest } from '../../app.ts';
import { VolleyError } from '../../core/errors.ts';
import { hasFlag, textOption } from '../command.ts';
import type { Command, Io, Typed } from '../command.ts';
import { driveLoop } from '../drive.ts';
import { clean, paint } from '../print.ts';
import { progressPrinter } from '../progress.ts';
import { flagsOf, SETTINGS_OPTIONS } from '../settings-options.ts';

/** `volley run "Add X"`. */
export const command: Command = {
  usage: 'run "Add X" [--author A] [--reviewer B] [--fixer F] [--max-rounds N] [--gate CMD]… [--story FILE] [--base REF] [--dry-run]',
  options: {
    author: { type: 'string', value: 'A', help: 'who builds it' },
    ...SETTINGS_OPTIONS,
    story: { type: 'string', value: 'FILE', help: 'a document with the acceptance criteria' },
    ref: { type: 'string', value: '2.4', help: 'the number of the story, for documents' },
  },
  run: async (typed, io) => {
    const request = await requestOf(typed, io);
    if (hasFlag(typed, 'dry-run')) return await (await import('../dry-run.ts')).printDryRun(request, io);
    const { openApp } = await import('../../app.ts');
    const app = await openApp({ cwd: io.cwd, report: progressPrinter(io) });
    try {
      const loop = await app.start(request);
      if (loop === null) throw new Error('an implement task always has something to do');
      io.out(paint(io, 'bold', `Task ${loop.id}: ${clean(loop.task.title)}`));
      for (const note of loop.notes) io.out(`  ${clean(note)}`);
      return await driveLoop(app, loop, { io });
    } finally {
      await app.close();
    }
  },
};

async function requestOf(typed: Typed, io: Io): Promise<TaskRequest> {
  const text = typed.positionals.join(' ').trim();
  if (text === '')
    throw new VolleyError('bad-usage', 'A task needs words.', 'Write what is to be done: volley run "Add input validation".');
  const story = textOption(typed, 'story');
  return {
    change: { kind: 'authored', base: textOption(typed, 'base') ?? null },
    task: {
      kind: 'implement',
      title: text.split(/\r?\n/)[0] ?? text,
      text,
      story: story === undefined ? null : await readDocument(resolve(io.cwd, story), story),
      plan: null,
      ref: textOption(typed, 'ref') ?? null,
      source: { kind: 'authored' },
      fix: true,
    },
    flags: flagsOf(typed),
  };
}

async function readDocument(path: string, name: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new VolleyError('bad-usage', `The document '${name}' cannot be read.`, 'Check the path after --story.').from(cause);
  }
}
