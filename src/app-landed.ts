import type { Landing } from './app-land.ts';
import { VolleyError } from './core/errors.ts';

type Result = Landing['result'];

/** What a landing comes to where nothing stood in its way. */
export type Brought = Extract<Result, { kind: 'fast-forward' | 'merged' | 'applied' | 'already' }>;

/** The result of a landing that brought the work over; one that changed nothing is an error that says why. */
export function requireBrought(id: number, { onto, result }: Landing): Brought {
  switch (result.kind) {
    case 'fast-forward':
    case 'merged':
    case 'applied':
    case 'already':
      return result;
    case 'conflict':
      throw new VolleyError(
        'conflict',
        `Task ${id} and ${onto} conflict in ${list(result.files)}; nothing was changed.`,
        `Merge it by hand, or start a new task from the newest ${onto}.`,
      );
    case 'dirty':
      throw new VolleyError(
        'dirty-tree',
        `Your uncommitted changes stand in the way: ${list(result.files)}; nothing was changed.`,
        'Commit or stash them, then land again.',
      );
    case 'differs':
      throw new VolleyError(
        'conflict',
        `These files are no longer as they were reviewed: ${list(result.files)}; nothing was changed.`,
        'Review the working tree again.',
      );
    case 'gates-red':
      throw new VolleyError(
        'conflict',
        `The merge with ${onto} does not pass the gates; nothing was changed. ${result.detail}`,
        'Merge by hand, or run the task again from the newest base.',
      );
  }
}

const NAMED = 10;

function list(files: readonly string[]): string {
  const shown = files.slice(0, NAMED).join(', ');
  return files.length > NAMED ? `${shown} and ${files.length - NAMED} more` : shown;
}
