import { z } from 'zod';
import type { ChangeRequest } from '../../core/change-request.ts';
import { VolleyError } from '../../core/errors.ts';
import { LoopNumber } from '../../core/loop-name.ts';

/** The loop that a tool is about. */
export const loopInput = LoopNumber.describe('The number of the task, as another tool told it.');

const ref = z.string().trim().min(1).max(250);

/** Which change is to be reviewed; all of it may be left out. */
export const changeInputs = {
  change: z
    .enum(['working-tree', 'branch', 'range'])
    .optional()
    .describe(
      'What is reviewed: what is not committed, a branch, or a range of commits. Left out: all that the current branch has beyond the default branch, committed or not; on the default branch what is not committed.',
    ),
  branch: ref.optional().describe('With branch: its name; the current one if left out.'),
  base: ref.optional().describe('With branch: what it is compared with; the default branch if left out.'),
  range: ref.optional().describe('With range: two names as A..B.'),
};

/** Where the files of the agent lie. */
export const workTreeInput = z
  .string()
  .min(1)
  .max(4096)
  .optional()
  .describe('The folder of the work tree that you work in, if it is another one of this project (git worktree list).');

/** The agents that are to review. */
export const reviewerInput = z
  .array(z.string().trim().min(1).max(100))
  .min(1)
  .max(20)
  .optional()
  .describe('Names of agents that the configuration has as reviewers or as fallback. Left out: as configured.');

const Change = z.object(changeInputs);

/** The change that an input names; null where it leaves that open. What does not go together is refused. */
export function changeOf({ change, branch, base, range }: z.infer<typeof Change>): ChangeRequest | null {
  const kind = change ?? (range !== undefined ? 'range' : branch !== undefined || base !== undefined ? 'branch' : null);
  const foreign = [
    ...(range !== undefined && kind !== 'range' ? ['range'] : []),
    ...(branch !== undefined && kind !== 'branch' ? ['branch'] : []),
    ...(base !== undefined && kind !== 'branch' ? ['base'] : []),
  ];
  if (foreign.length > 0)
    throw new VolleyError(
      'bad-usage',
      `Nobody can name ${foreign.join(' and ')} with change ${String(kind)}.`,
      'Name one change: working-tree, branch or range.',
    );
  if (kind === null) return null;
  if (kind === 'working-tree') return { kind };
  if (kind === 'branch') return { kind, branch: branch ?? 'HEAD', base: base ?? null };
  if (range === undefined) throw new VolleyError('bad-usage', 'A range of commits is missing.', 'Pass range as A..B.');
  return { kind, range };
}
