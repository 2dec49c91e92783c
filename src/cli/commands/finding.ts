import { VolleyError } from '../../core/errors.ts';
import { PersonRuling } from '../../core/finding.ts';
import { hasFlag, textOption } from '../command.ts';
import type { Command } from '../command.ts';
import { goOn } from '../drive.ts';
import { parseFindingId } from '../loop-id.ts';
import { clean } from '../print.ts';
import { progressPrinter } from '../progress.ts';
import { SANDBOX_OPTION } from '../settings-options.ts';

const USAGE = 'finding ID.N refute|uphold|accept|reopen [--reason T] [--later]';

const DONE: Record<PersonRuling, string> = { refute: 'refuted', uphold: 'upheld', accept: 'accepted', reopen: 'reopened' };

/** `volley finding ID.N refute|uphold|accept|reopen`: a person's word about one finding; the verdict is computed again at once. */
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
    const ruling = PersonRuling.safeParse(word);
    if (!ruling.success) {
      const what = word === undefined ? 'A ruling is missing.' : `'${word}' is no ruling.`;
      throw new VolleyError(
        'bad-usage',
        what,
        `Write one of ${PersonRuling.options.map((one) => `volley finding ${findingId} ${one}`).join(', ')}.`,
      );
    }
    const { openApp, ruleOnFinding } = await import('../../app.ts');
    const app = await openApp({ cwd: io.cwd, requireSandbox: hasFlag(typed, 'require-sandbox'), report: progressPrinter(io) });
    try {
      const reason = textOption(typed, 'reason') ?? null;
      const loop = await ruleOnFinding(app.engine, loopId, { findingId, ruling: ruling.data, by: app.person.name, reason });
      io.out(`${findingId}: ${DONE[ruling.data]} by ${clean(app.person.name)}`);
      return await goOn(app, loop, { io, later: hasFlag(typed, 'later') });
    } finally {
      await app.close();
    }
  },
};
