import { z } from 'zod';
import { LoopState } from '../../core/loop-state.ts';
import { oneLine } from '../../core/prompts/fence.ts';
import type { Engine } from '../../engine/engine.ts';
import { defineTool } from '../tool.ts';
import { cut, untrusted } from '../untrusted.ts';

const Row = z.object({
  loop: z.number().int(),
  title: z.string(),
  kind: z.string(),
  state: z.string(),
  finalVerdict: z.string().nullable(),
  asks: z.string().nullable(),
  blocking: z.number().int(),
  updatedAt: z.string(),
});

type LoopRow = Awaited<ReturnType<Engine['store']['rows']>>[number];

const DEFAULT_LIMIT = 20;
const TITLE = 60;

/** `list_loops`: the newest loops of the project. */
export const listLoops = defineTool({
  name: 'list_loops',
  title: 'List loops',
  description:
    'Lists the tasks of Volley in this project, newest first, each with its number, state and how many findings block. Use it to find the number of a review, or what waits for somebody.',
  input: z.object({
    limit: z.number().int().min(1).max(50).default(DEFAULT_LIMIT).describe('How many at most.'),
    before: z.number().int().positive().optional().describe('Only tasks with a smaller number: the next page.'),
    state: LoopState.optional().describe('Only tasks in this state, such as needs_human or self_review_failed.'),
  }),
  output: z.object({
    loops: z.array(Row),
    next: z.number().int().nullable().describe('Pass it as before for the next page; null on the last one.'),
  }),
  effects: 'reads',
  call: async ({ limit, before, state }, { desk }) => {
    const rows = await desk.engine.store.rows({
      ...(state === undefined ? {} : { state }),
      ...(before === undefined ? { limit: limit + 1 } : {}),
    });
    const older = rows.filter(({ id }) => before === undefined || id < before);
    const loops = older.slice(0, limit).map(tell);
    const next = older.length > limit ? (loops.at(-1)?.loop ?? null) : null;
    const lines = loops.map(({ loop, title, state: at, blocking, asks }) => {
      const more = [...(blocking > 0 ? [`${blocking} blocking`] : []), ...(asks === null ? [] : [`asks: ${asks}`])];
      return `${loop}. ${at}${more.length === 0 ? '' : ` (${more.join(', ')})`}: ${title}`;
    });
    const text = lines.length === 0 ? 'There are no such tasks.' : untrusted(lines.join('\n'));
    return { text: next === null ? text : `${text}\n\nThere are more: call list_loops with before ${next}.`, data: { loops, next } };
  },
});

function tell({ id, title, kind, state, finalVerdict, escalation, blocking, updatedAt }: LoopRow): z.infer<typeof Row> {
  return { loop: id, title: cut(oneLine(title), TITLE), kind, state, finalVerdict, asks: escalation, blocking, updatedAt };
}
