import { openApp, overrideLoop } from '../../app.ts';
import type { App, TaskRequest } from '../../app.ts';
import { describeChange } from '../../core/change-request.ts';
import { VolleyError } from '../../core/errors.ts';
import { hasFlag } from '../command.ts';
import type { Command, Io, Typed } from '../command.ts';
import { driveLoop, goOn } from '../drive.ts';
import { clean } from '../print.ts';
import { printHeading, progressPrinter } from '../progress.ts';
import { documentOf, emptyDocument, printReport } from '../review-output.ts';
import type { DocumentFormat } from '../review-output.ts';
import { CHANGE_OPTIONS, reviewedTask, reviewRequest } from '../review-request.ts';
import { SETTINGS_OPTIONS } from '../settings-options.ts';

/** `volley review`. */
export const command: Command = {
  usage:
    'review [ID | --working-tree | --branch B | --range A..B] [--reviewer B] [--fix] [--fail-on SEVERITY] [--json | --sarif | --markdown] [--no-record] [--dry-run]',
  options: {
    ...CHANGE_OPTIONS,
    fix: { type: 'boolean', help: 'let a fixer answer the findings until it is approved' },
    'fail-on': { type: 'string', value: 'SEVERITY', help: 'the lowest severity that blocks (medium)' },
    sarif: { type: 'boolean', help: 'print the findings as SARIF 2.1.0 and nothing else' },
    markdown: { type: 'boolean', help: 'print the review as Markdown and nothing else' },
    'no-record': { type: 'boolean', help: 'keep nothing: no task, no document, no file in the project' },
    ...SETTINGS_OPTIONS,
  },
  run: async (typed, io) => {
    const format = formatOf(typed, io);
    const id = reviewedTask(typed);
    if (id !== null) return await reviewTask(id, { typed, io, format });
    const request = reviewRequest(typed);
    const record = !hasFlag(typed, 'no-record');
    if (!record && request.task.fix)
      throw new VolleyError(
        'bad-usage',
        '--no-record does not go with --fix.',
        'A fix has to be kept until it is landed: leave --no-record out.',
      );
    if (hasFlag(typed, 'dry-run')) return await (await import('../dry-run.ts')).printDryRun(request, io);
    const told = format === null ? io : { ...io, interactive: false, out: () => undefined };
    const app = await openApp({ cwd: io.cwd, record, report: progressPrinter(told, { verdicts: request.task.fix }) });
    try {
      return await review(app, request, { io, told, format });
    } finally {
      await app.close();
    }
  },
};

/** Options that a task has settled when it was made; `edit` changes some of them. */
const SETTLED = [...Object.keys(CHANGE_OPTIONS), ...Object.keys(SETTINGS_OPTIONS), 'fail-on', 'no-record'].filter(
  (name) => name !== 'require-sandbox',
);

type Asked = { readonly typed: Typed; readonly io: Io; readonly format: DocumentFormat | null };

/** One more review of a task, which rests after it unless a fixer is asked for. */
async function reviewTask(id: number, { typed, io, format }: Asked): Promise<number> {
  const given = SETTLED.find((name) => typed.values[name] !== undefined);
  if (given !== undefined)
    throw new VolleyError(
      'bad-usage',
      `--${given} does not go with the number of a task.`,
      `See volley help edit for what can be changed of task ${id}.`,
    );
  const told = format === null ? io : { ...io, out: () => undefined };
  const app = await openApp({ cwd: io.cwd, requireSandbox: hasFlag(typed, 'require-sandbox'), report: progressPrinter(told) });
  try {
    const loop = await overrideLoop(app.engine, id, {
      override: 'review',
      by: app.person.name,
      reason: null,
      review: hasFlag(typed, 'fix'),
    });
    printHeading(loop, told);
    const code = await goOn(app, loop, { io: told, later: false });
    if (format !== null) io.out(await documentOf(app, await app.load(id), format));
    return code;
  } finally {
    await app.close();
  }
}

type Told = {
  readonly io: Io;
  /** What people watch; silent where a document is printed. */ readonly told: Io;
  readonly format: DocumentFormat | null;
};

async function review(app: App, request: TaskRequest, { io, told, format }: Told): Promise<number> {
  const loop = await app.start(request);
  if (loop === null) {
    if (format !== null) io.out(await emptyDocument(app, format));
    return nothing(request, told);
  }
  if (app.recorded) printHeading(loop, told);
  for (const note of loop.notes) told.out(`  ${clean(note)}`);
  const code = await driveLoop(app, loop, { io: told, before: async (end) => await printReport(app, end, told) });
  if (format !== null) io.out(await documentOf(app, await app.load(loop.id), format));
  return code;
}

function formatOf(typed: Typed, io: Io): DocumentFormat | null {
  const formats = (['sarif', 'markdown'] as const).filter((name) => hasFlag(typed, name));
  if (formats.length + (io.json ? 1 : 0) > 1)
    throw new VolleyError('bad-usage', 'More than one format is named.', 'Choose one of --json, --sarif and --markdown.');
  return formats[0] ?? null;
}

function nothing({ change }: TaskRequest, io: Io): number {
  const hint = change.kind === 'branch' ? ' Uncommitted work is reviewed with --working-tree.' : '';
  io.out(`Nothing to review: ${describeChange(change)} does not differ from its base.${hint}`);
  io.object({ type: 'nothing', v: 1, message: 'nothing to review' });
  return 0;
}
