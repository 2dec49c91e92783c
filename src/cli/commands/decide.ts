import { Choice } from '../../core/action.ts';
import { choiceNamed, choicesOf, choiceText } from '../../core/choices.ts';
import { VolleyError } from '../../core/errors.ts';
import type { Loop } from '../../core/loop.ts';
import { hasFlag, textOption } from '../command.ts';
import type { Command, Typed } from '../command.ts';
import { amountProblem } from '../amount.ts';
import { askAndGoOn, canAsk, goOn } from '../drive.ts';
import { parseId } from '../loop-id.ts';
import { clean, columns } from '../print.ts';
import { progressPrinter } from '../progress.ts';
import { SANDBOX_OPTION } from '../settings-options.ts';

/** `volley decide ID CHOICE`; without a choice whoever sits at a terminal is asked. */
export const command: Command = {
  usage: 'decide ID [CHOICE] [--reason T] [--agent A] [--ceiling N] [--later]',
  options: {
    reason: { type: 'string', value: 'T', help: 'why; it stands in the journal, and author and fixer read it where they go on' },
    agent: { type: 'string', value: 'A', help: 'with reassign: who takes over' },
    ceiling: { type: 'string', value: 'N', help: 'with raise-ceiling: the new ceiling in USD' },
    later: { type: 'boolean', help: 'only write it down; volley work goes on' },
    ...SANDBOX_OPTION,
  },
  more: `CHOICE is one of those that the task offers, or its letter in the order in which it offers them: ${Choice.options.join(', ')}.`,
  run: async (typed, io) => {
    const [idText, named] = typed.positionals;
    if (idText === undefined) throw new VolleyError('bad-usage', 'The number of a task is missing.', 'Write volley decide ID CHOICE.');
    const id = parseId(idText);
    const { decideLoop, openApp } = await import('../../app.ts');
    const app = await openApp({ cwd: io.cwd, requireSandbox: hasFlag(typed, 'require-sandbox'), report: progressPrinter(io) });
    try {
      const asking = await app.follow(id);
      if (named === undefined && choicesOf(asking).length > 0 && canAsk(io)) return await askAndGoOn(app, asking, io);
      const choice = choiceNamed(asking, named ?? '');
      if (choice === null) throw notOffered(asking, named);
      const loop = await decideLoop(app.engine, id, { choice, by: app.person.name, ...argumentsOf(typed) });
      io.out(`Task ${id}: ${choice}, decided by ${clean(app.person.name)}`);
      return await goOn(app, loop, { io, later: hasFlag(typed, 'later') });
    } finally {
      await app.close();
    }
  },
};

function argumentsOf(typed: Typed): { reason: string | null; agent: string | null; ceilingUsd: number | null } {
  const ceiling = textOption(typed, 'ceiling');
  const problem = ceiling === undefined ? null : amountProblem(ceiling);
  if (problem !== null) throw new VolleyError('bad-usage', problem, 'Write it as a number of dollars, for example --ceiling 2.50.');
  return {
    reason: textOption(typed, 'reason') ?? null,
    agent: textOption(typed, 'agent') ?? null,
    ceilingUsd: ceiling === undefined ? null : Number(ceiling),
  };
}

function notOffered(loop: Loop, choice: string | undefined): VolleyError {
  const { id } = loop;
  const offered = choicesOf(loop);
  const what = choice === undefined ? 'A choice is missing.' : `'${choice}' is not a choice of task ${id} now.`;
  if (offered.length === 0) return new VolleyError('refused', `Task ${id} asks nothing.`, `See volley show ${id} for where it stands.`);
  const list = columns(offered.map((key) => [`  volley decide ${id} ${key}`, choiceText(loop, key)]));
  return new VolleyError('bad-usage', what, ['Choose one of:', ...list].join('\n'));
}
