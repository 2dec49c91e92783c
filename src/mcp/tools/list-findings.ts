import { z } from 'zod';
import { requireLoop } from '../../engine/commands.ts';
import { FindingPage, findingPage, pageText } from '../finding-pages.ts';
import { defineTool } from '../tool.ts';
import { loopInput } from './inputs.ts';

/** `list_findings`: what reviewers hold to be wrong, page by page. */
export const listFindings = defineTool({
  name: 'list_findings',
  title: 'List findings',
  description:
    'Lists the findings of one task of Volley, what blocks first, each with its id, severity, file and line, what is wrong and what the reviewer suggests. Fix those that block; the others are advice.',
  input: z.object({
    loop: loopInput,
    which: z.enum(['open', 'all']).default('open').describe('open: what is not settled; all: also what was fixed, refuted or accepted.'),
    cursor: z
      .string()
      .regex(/^\d{1,9}$/, { error: 'must be the nextCursor of the page before' })
      .optional(),
    limit: z.number().int().min(1).max(100).default(50),
  }),
  output: FindingPage.extend({ loop: z.number().int() }),
  effects: 'reads',
  call: async ({ loop: id, which, cursor, limit }, { desk }) => {
    const loop = await requireLoop(desk.engine, id);
    const page = findingPage(loop, { which, from: Number(cursor ?? 0), limit });
    return { text: pageText(page, 'list_findings'), data: { loop: id, ...page } };
  },
});
