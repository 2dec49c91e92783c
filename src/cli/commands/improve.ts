import { hasFlag, textOption } from '../command.ts';
import type { Command } from '../command.ts';
import { loopId } from '../loop-id.ts';
import { LATER_OPTIONS, overrideAndGoOn } from '../override.ts';

const USAGE = 'improve ID [-m GUIDANCE] [--review] [--later]';

/** `volley improve ID`: one fix from the open findings and your guidance. */
export const command: Command = {
  usage: USAGE,
  options: {
    message: { type: 'string', short: 'm', value: 'GUIDANCE', help: 'what the fixer should know or do' },
    review: { type: 'boolean', help: 'review what the fix made, once' },
    ...LATER_OPTIONS,
  },
  run: async (typed, io) =>
    await overrideAndGoOn(
      loopId(typed, USAGE),
      { override: 'improve', reason: textOption(typed, 'message') ?? null, review: hasFlag(typed, 'review') },
      { typed, io },
    ),
};
