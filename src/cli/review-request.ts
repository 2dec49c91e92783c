import type { TaskRequest } from '../app.ts';
import { describeChange, sourceOf } from '../core/change-request.ts';
import type { ChangeRequest } from '../core/change-request.ts';
import { VolleyError } from '../core/errors.ts';
import { hasFlag, textOption } from './command.ts';
import type { OptionHelp, Typed } from './command.ts';
import { parseId } from './loop-id.ts';
import { flagsOf } from './settings-options.ts';
import { plainTask } from '../core/task.ts';

/** The options that say which change is meant. */
export const CHANGE_OPTIONS: Readonly<Record<string, OptionHelp>> = {
  'working-tree': { type: 'boolean', help: 'what is not committed yet' },
  branch: { type: 'string', value: 'B', help: 'a branch (the current one)' },
  range: { type: 'string', value: 'A..B', help: 'the commits between two names' },
};

/** The number of the task that is to be reviewed once more; null where a change is meant. */
export function reviewedTask({ positionals: [text, ...rest] }: Typed): number | null {
  if (text === undefined) return null;
  if (rest.length === 0 && /^#?\d+$/.test(text)) return parseId(text);
  throw new VolleyError(
    'bad-usage',
    `'${[text, ...rest].join(' ')}' is not the number of a task.`,
    'Name a change by --working-tree, --branch B or --range A..B, or a task: volley review 3.',
  );
}

/** The review that somebody asks for on the command line. */
export function reviewRequest(typed: Typed): TaskRequest {
  return requestFor(changeOf(typed), { fix: hasFlag(typed, 'fix'), flags: flagsOf(typed) });
}

/** A review of a change. */
export function requestFor(change: ChangeRequest, { fix, flags }: Pick<TaskRequest, 'flags'> & { readonly fix: boolean }): TaskRequest {
  const title = `Review ${describeChange(change)}`;
  return { change, task: plainTask({ kind: 'review', title, source: sourceOf(change), fix }), flags };
}

/** The change that the options name; the current branch where they name none. */
export function changeOf(typed: Typed): ChangeRequest {
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
