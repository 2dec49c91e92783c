import { z } from 'zod';
import { VolleyError } from '../../core/errors.ts';
import { PersonRuling } from '../../core/finding.ts';
import { hasFlag, textOption } from '../command.ts';
import type { Command } from '../command.ts';
import { goOn } from '../drive.ts';
import { parseFindingId } from '../loop-id.ts';
import { clean } from '../print.ts';
import { progressPrinter } from '../progress.ts';
import { SANDBOX_OPTION } from '../settings-options.ts';

const USAGE = 'finding ID.N refute|uphold|accept|reopen|apply [--reason T] [--later]';

const Word = z.enum([...PersonRuling.options, 'apply']);

const DONE: Record<z.infer<typeof Word>, string> = {
  refute: 'refuted',
  uphold: 'upheld',
  accept: 'accepted',
  reopen: 'reopened',
  apply: 'applied',
};

/**
 * `volley finding ID.N refute|uphold|accept|reopen`: a person's word about one finding; the verdict is computed again at once.
 * `apply` commits its exact patch in the person's name.
 */
export const command: Command = {
  usage: USAGE,
  options: {
    reason: { type: 'string', value: 'T', help: 'why; it is remembered with the finding, and the fixer reads it' },
    later: { type: 'boolean', help: 'only write it down; volley work goes on' },
    ...SANDBOX_OPTION,
  },
  run: async (typed, io) => {
    const [named, word, ...rest] = typed.positionals;
    if (named === undefined || rest.length > 0)
      throw new VolleyError('bad-usage', 'A finding and one ruling are needed.', `Write volley ${USAGE}.`);
    const { loopId, findingId } = parseFindingId(named);
    const order = Word.safeParse(word);
    if (!order.success) {
      const what = word === undefined ? 'A ruling is missing.' : `'${word}' is no ruling.`;
      throw new VolleyError(
        'bad-usage',
        what,
        `Write one of ${Word.options.map((one) => `volley finding ${findingId} ${one}`).join(', ')}.`,
      );
    }
    const { applySuggestion, openApp, ruleOnFinding } = await import('../../app.ts');
    const app = await openApp({ cwd: io.cwd, requireSandbox: hasFlag(typed, 'require-sandbox'), report: progressPrinter(io) });
    try {
      const said = { findingId, by: app.person.name, reason: textOption(typed, 'reason') ?? null };
      const ruling = order.data;
      const loop =
        ruling === 'apply'
          ? (await applySuggestion(app.engine, loopId, said)).loop
          : await ruleOnFinding(app.engine, loopId, { ...said, ruling });
      io.out(`${findingId}: ${DONE[ruling]} by ${clean(app.person.name)}`);
      return await goOn(app, loop, { io, later: hasFlag(typed, 'later') });
    } finally {
      await app.close();
    }
  },
};
