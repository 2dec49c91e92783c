import { resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import type { App, TasksRequest } from '../../app.ts';
import { VolleyError } from '../../core/errors.ts';
import type { Loop } from '../../core/loop.ts';
import { loopOutput } from '../../core/project-output.ts';
import { readTaskList } from '../../core/task-list.ts';
import { plainTask } from '../../core/task.ts';
import type { Task } from '../../core/task.ts';
import { hasFlag, listOption, textOption } from '../command.ts';
import type { Command, Io, Typed } from '../command.ts';
import { cutTo, lineWidth } from '../cut.ts';
import { parseId } from '../loop-id.ts';
import { clean, paint } from '../print.ts';
import { CHANGE_OPTIONS, changeOf, requestFor } from '../review-request.ts';
import { flagsOf, SETTINGS_OPTIONS } from '../settings-options.ts';
import { autoReviewOf, documentOption, idsOf, readDocument, TASK_OPTIONS, taskWords } from '../task-words.ts';

const USAGE =
  'add "…" [-t implement|review|improve] [-a] [--max-cycles N] [--story FILE] [--plan FILE] [--ref 2.4] [--depends-on ID] [--group G] | add --from FILE';

const { 'dry-run': _dryRun, ...SETTINGS } = SETTINGS_OPTIONS;

/** `volley add "…"`: puts tasks into the queue; `volley work` runs them. */
export const command: Command = {
  usage: USAGE,
  options: {
    type: { type: 'string', short: 't', value: 'T', help: 'implement (default), review, or improve with the number of a task' },
    'auto-review': { type: 'boolean', short: 'a', help: 'review and fix it by itself until it is approved' },
    'no-auto-review': { type: 'boolean', help: 'only implement it, whatever the configuration says' },
    from: { type: 'string', value: 'FILE', help: 'a Markdown document with one heading per task; - for standard input' },
    author: { type: 'string', value: 'A', help: 'who builds it' },
    ...CHANGE_OPTIONS,
    ...TASK_OPTIONS,
    'depends-on': { type: 'string', multiple: true, value: 'ID', help: 'a task that has to be done before; may be repeated' },
    group: { type: 'string', value: 'G', help: 'a name for tasks that belong together' },
    review: { type: 'boolean', help: 'with improve: a review follows the fix' },
    ...SETTINGS,
  },
  run: async (typed, io) => {
    const type = textOption(typed, 'type') ?? 'implement';
    if (type === 'improve') return await addImprovement(typed, io);
    const request = await requestOf(typed, type, io);
    const { openApp } = await import('../../app.ts');
    const app = await openApp({ cwd: io.cwd, report: () => undefined });
    try {
      return tell(await app.startAll([request]), io);
    } finally {
      await app.close();
    }
  },
};

async function requestOf(typed: Typed, type: string, io: Io): Promise<TasksRequest> {
  const more = {
    story: (await documentOption(typed, 'story', io)) ?? null,
    plan: (await documentOption(typed, 'plan', io)) ?? null,
    ref: textOption(typed, 'ref') ?? null,
    dependsOn: [...idsOf(listOption(typed, 'depends-on'))],
    group: textOption(typed, 'group') ?? null,
  };
  if (hasFlag(typed, 'review'))
    throw new VolleyError('bad-usage', '--review goes with -t improve only.', '-a (--auto-review) has a new task reviewed.');
  if (type === 'review') return reviewOf(typed, more);
  if (type !== 'implement')
    throw new VolleyError('bad-usage', `'${type}' is no type of task.`, 'Choose one of implement, review and improve after --type.');
  refuseChange(typed);
  const words = await wordsOf(typed, io);
  const tasks = words.map((one) => plainTask({ kind: 'implement', source: { kind: 'authored' }, ...one, ...more }));
  const [first, ...others] = tasks;
  if (first === undefined) throw new Error('no task was read');
  const base = textOption(typed, 'base') ?? null;
  return { change: { kind: 'authored', base }, tasks: [first, ...others], flags: flagsOf(typed), autoReview: autoReviewOf(typed) };
}

function reviewOf(typed: Typed, more: Partial<Task>): TasksRequest {
  if (textOption(typed, 'from') !== undefined)
    throw new VolleyError('bad-usage', '--from names tasks to implement.', 'Leave it out: a review is about one change.');
  const { task, ...request } = requestFor(changeOf(typed), { fix: hasFlag(typed, 'auto-review'), flags: flagsOf(typed) });
  const words = typed.positionals.length === 0 ? {} : taskWords(typed.positionals, 'volley add -t review "Look at the login"');
  return { ...request, tasks: [{ ...task, ...words, ...more }] };
}

/** An author starts from the current commit; a branch that exists is reviewed. */
function refuseChange(typed: Typed): void {
  const named = Object.keys(CHANGE_OPTIONS).find((name) => typed.values[name] !== undefined);
  if (named !== undefined)
    throw new VolleyError('bad-usage', `--${named} goes with -t review only.`, 'A task to implement starts from the current commit.');
}

async function wordsOf(typed: Typed, io: Io): Promise<readonly Pick<Task, 'title' | 'text'>[]> {
  const path = textOption(typed, 'from');
  if (path === undefined) return [taskWords(typed.positionals, 'volley add "Add input validation" -a')];
  if (typed.positionals.length > 0)
    throw new VolleyError('bad-usage', 'A task is given both in words and by --from.', 'Leave one of them out.');
  const document = path === '-' ? await readAll(process.stdin) : await readDocument(resolve(io.cwd, path), { path, option: '--from' });
  const tasks = readTaskList(document);
  if (tasks.length > 0) return tasks;
  const where = path === '-' ? 'Standard input' : `'${path}'`;
  throw new VolleyError(
    'bad-usage',
    `${where} holds no heading, so it names no task.`,
    'Write each task below a heading of its own: # Add a limit.',
  );
}

function tell(loops: readonly Loop[], io: Io): number {
  const [first] = loops;
  if (first === undefined) {
    io.out('Nothing to review: the change does not differ from its base, so no task was made.');
    io.object({ type: 'nothing', v: 1, message: 'nothing to review' });
    return 0;
  }
  for (const loop of loops) {
    io.out(cutTo(`Created task #${loop.id}: ${loop.task.title}`, lineWidth(io)));
    io.object(loopOutput(loop));
  }
  for (const note of first.notes) io.out(`  ${clean(note)}`);
  if (first.task.kind === 'implement' && !first.autoReview)
    io.out(`  ${paint(io, 'dim', 'It will be implemented and not reviewed; -a (--auto-review) reviews and fixes it by itself.')}`);
  if (first.waiting !== null) io.out(`  It waits: ${clean(first.waiting.why)}.`);
  io.out(`  ${paint(io, 'dim', 'next')}    volley work`);
  return 0;
}

/** `volley add -t improve ID ["guidance"]` orders one fix for later and makes no task. */
async function addImprovement(typed: Typed, io: Io): Promise<number> {
  const [idText, ...words] = typed.positionals;
  if (idText === undefined)
    throw new VolleyError('bad-usage', 'The number of a task is missing.', 'Write volley add -t improve ID "what to do".');
  const id = parseId(idText);
  const { openApp, overrideLoop } = await import('../../app.ts');
  const app: App = await openApp({ cwd: io.cwd, report: () => undefined });
  try {
    const reason = words.join(' ').trim() || null;
    const loop = await overrideLoop(app.engine, id, { override: 'improve', by: app.person.name, reason, review: hasFlag(typed, 'review') });
    io.out(cutTo(`Task #${id} will be improved: ${loop.task.title}`, lineWidth(io)));
    io.out(`  ${paint(io, 'dim', 'next')}    volley work`);
    io.object(loopOutput(loop));
    return 0;
  } finally {
    await app.close();
  }
}
