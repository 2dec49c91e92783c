import { VolleyError } from '../core/errors.ts';
import type { Typed } from './command.ts';

/** The number of the task that a command is about. */
export function loopId(typed: Typed, usage: string): number {
  const [text, ...rest] = typed.positionals;
  if (text === undefined) throw new VolleyError('bad-usage', 'The number of a task is missing.', `Write volley ${usage}.`);
  if (rest.length > 0) throw new VolleyError('bad-usage', `'${rest.join(' ')}' is one word too many.`, `Write volley ${usage}.`);
  return parseId(text);
}

/** A task number as people write it: `29` or `#29`. */
export function parseId(text: string): number {
  const match = /^#?([1-9][0-9]{0,14})$/.exec(text);
  if (match === null)
    throw new VolleyError('bad-usage', `'${text}' is not the number of a task.`, 'See volley status for the tasks of this project.');
  return Number(match[1]);
}

/** A finding as people write it, `29.4`, with the number of its task. */
export function parseFindingId(text: string): { readonly loopId: number; readonly findingId: string } {
  const match = /^#?([1-9][0-9]{0,14})\.([1-9][0-9]{0,9})$/.exec(text);
  if (match === null)
    throw new VolleyError(
      'bad-usage',
      `'${text}' is not a finding.`,
      'Write it as TASK.N, for example 29.4; volley findings TASK lists them.',
    );
  return { loopId: Number(match[1]), findingId: `${match[1]}.${match[2]}` };
}
