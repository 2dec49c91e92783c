import { VolleyError } from '../core/errors.ts';
import { textOption } from './command.ts';
import type { Typed } from './command.ts';

/** How many tasks run at once: what `--parallel` says, or what is usual. */
export function slotsOf(typed: Typed, usual: string): number {
  const slots = textOption(typed, 'parallel') ?? usual;
  if (/^[1-9][0-9]{0,2}$/.test(slots)) return Number(slots);
  throw new VolleyError('bad-usage', `'${slots}' is not a number of tasks.`, 'Write how many run at once, for example --parallel 3.');
}
