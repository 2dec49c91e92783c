import type { ChangeRequest, TaskRequest } from '../../app.ts';
import { VolleyError } from '../../core/errors.ts';
import { hasFlag, textOption } from '../command.ts';
import type { Command, Io, Typed } from '../command.ts';
import { driveLoop } from '../drive.ts';
import { clean, paint } from '../print.ts';
import { progressPrinter } from '../progress.ts';
import { flagsOf, SETTINGS_OPTIONS } from '../settings-options.ts';

/** `volley review`. */
export const command: Command = {
  usage: 'review [--working-tree | --branch B | --range A..B] [--reviewer B] [--fix] [--max-rounds N] [--fail-on SEVERITY] [--dry-run]',
  options: {
    'working-tree': { type: 'boolean', help: 'what is not committed yet' },
    branch: { type: 'string', value: 'B', help: 'a branch (the current one)' },
    range: { type: 'string', value: 'A..B', help: 'the commits between two names' },
    fix: { type: 'boolean', help: 'let a fixer answer the findings until it is approved' },
    'fail-on': { type: 'string', value: 'SEVERITY', help: 'the lowest severity that blocks (medium)' },
    ...SETTINGS_OPTIONS,
  },
  run: async (typed, io) => {
    const request = requestOf(typed);
    if (hasFlag(typed, 'dry-run')) return await (await import('../dry-run.ts')).printDryRun(request, io);
    const { openApp } = await import('../../app.ts');
    const app = await openApp({ cwd: io.cwd, report: progressPrinter(io) });
    try {
      const loop = await app.start(request);
      if (loop === null) return nothing(request.change, io);
      io.out(paint(io, 'bold', `Task ${loop.id}: ${clean(loop.task.title)}`));
      for (const note of loop.notes) io.out(`  ${clean(note)}`);
      return await driveLoop(app, loop, io);
    } finally {
      await app.close();
    }
  },
};

function requestOf(typed: Typed): TaskRequest {
  if (typed.positionals.length > 0) {
    throw new VolleyError(
      'bad-usage',
      `'${typed.positionals.join(' ')}' is not expected here.`,
      'Name the change: --working-tree, --branch B or --range A..B.',
    );
  }
  const change = changeOf(typed);
  const title = `Review ${describe(change)}`;
  const { kind, ...rest } = change;
  const source =
    kind === 'branch' && 'branch' in rest
      ? { kind, branch: rest.branch }
      : change.kind === 'range'
        ? change
        : { kind: 'working-tree' as const };
  return {
    change,
    task: { kind: 'review', title, text: title, story: null, plan: null, ref: null, source, fix: hasFlag(typed, 'fix') },
    flags: flagsOf(typed),
  };
}

function changeOf(typed: Typed): ChangeRequest {
  const branch = textOption(typed, 'branch');
  const range = textOption(typed, 'range');
  const given = [hasFlag(typed, 'working-tree'), branch !== undefined, range !== undefined].filter(Boolean).length;
  if (given > 1)
    throw new VolleyError('bad-usage', 'More than one change is named.', 'Choose one of --working-tree, --branch and --range.');
  if (textOption(typed, 'base') !== undefined && (range !== undefined || hasFlag(typed, 'working-tree'))) {
    throw new VolleyError(
      'bad-usage',
      '--base goes with --branch only.',
      'A range names its own base, and that of the working tree is HEAD.',
    );
  }
  if (range !== undefined) return { kind: 'range', range };
  if (hasFlag(typed, 'working-tree')) return { kind: 'working-tree' };
  return { kind: 'branch', branch: branch ?? 'HEAD', base: textOption(typed, 'base') ?? null };
}

function describe(change: ChangeRequest): string {
  switch (change.kind) {
    case 'branch':
      return change.branch === 'HEAD' ? 'the current branch' : change.branch;
    case 'range':
      return change.range;
    case 'working-tree':
    case 'authored':
      return 'the working tree';
  }
}

function nothing(change: ChangeRequest, io: Io): number {
  const hint = change.kind === 'branch' ? ' Uncommitted work is reviewed with --working-tree.' : '';
  io.out(`Nothing to review: ${describe(change)} does not differ from its base.${hint}`);
  io.object({ type: 'nothing', v: 1, message: 'nothing to review' });
  return 0;
}
