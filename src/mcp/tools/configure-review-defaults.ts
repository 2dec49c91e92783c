import { z } from 'zod';
import { ReviewDefaults } from '../../core/review-defaults.ts';
import { defineTool } from '../tool.ts';
import { cut } from '../untrusted.ts';

/** `configure_review_defaults`: seed 000's command. */
export const configureReviewDefaults = defineTool({
  name: 'configure_review_defaults',
  title: 'Configure review defaults',
  description:
    'Sets what later reviews of this project go by where nobody says: how many rounds, the most dollars for one, and whether a fixer answers findings by itself. It writes volley.yaml, so do it only when the person asks. Without arguments it tells what holds now. A ceiling can be lowered, not raised.',
  input: z.object({
    maxRounds: z.number().int().min(1).max(100).optional(),
    costCeiling: z.number().nonnegative().max(1_000_000).nullable().optional().describe('In dollars; null for none.'),
    autoIterate: z.boolean().optional(),
  }),
  output: z.object({ defaults: ReviewDefaults, file: z.string(), notes: z.array(z.string()) }),
  effects: 'writes',
  call: async (input, { desk }) => {
    const { defaults, file, notes } = await desk.control.configure(input);
    const money = defaults.costCeiling === null ? 'none' : `$${defaults.costCeiling}`;
    const holds = `Reviews go by: ${defaults.maxRounds} rounds, cost ceiling ${money}, auto-iterate ${defaults.autoIterate ? 'on' : 'off'}.`;
    const told = notes.map((note) => cut(note, 300));
    return {
      text: [Object.values(input).every((value) => value === undefined) ? holds : `${file} is written. ${holds}`, ...told].join('\n'),
      data: { defaults, file, notes: told },
    };
  },
});
