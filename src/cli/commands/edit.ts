import { VolleyError } from '../../core/errors.ts';
import { Edit } from '../../core/event.ts';
import type { SetVerdict } from '../../core/event.ts';
import type { Loop } from '../../core/loop.ts';
import { loopOutput } from '../../core/project-output.ts';
import { listOption, textOption } from '../command.ts';
import type { Command, Io, Typed } from '../command.ts';
import { loopId } from '../loop-id.ts';
import { LATER_OPTIONS, overrideAndGoOn } from '../override.ts';
import { clean, paint } from '../print.ts';
import { roundsOf } from '../settings-options.ts';
import { nextCommand } from '../../core/next-command.ts';
import { autoReviewOf, documentOption, idsOf, TASK_OPTIONS, taskWords } from '../task-words.ts';

const USAGE = 'edit ID [--verdict APPROVED|CHANGES_REQUESTED] [--text "…"] [--max-cycles N] [--ceiling USD|none] [-a] …';
const NONE = 'none';

/** `volley edit ID`: the verdict, the words of a task that waits, or its limits. */
export const command: Command = {
  usage: USAGE,
  options: {
    verdict: { type: 'string', value: 'V', help: 'set it in your name: APPROVED or CHANGES_REQUESTED' },
    text: { type: 'string', value: '"…"', help: 'what is to be done, before work begins; its first line is the title' },
    ...TASK_OPTIONS,
    'depends-on': { type: 'string', multiple: true, value: 'ID', help: 'the tasks that have to be done before, or none' },
    group: { type: 'string', value: 'G', help: 'a name for tasks that belong together, or none' },
    author: { type: 'string', value: 'A', help: 'who builds it' },
    reviewer: { type: 'string', value: 'B', help: 'who reviews, with commas between several' },
    fixer: { type: 'string', value: 'F', help: 'who answers the findings' },
    'auto-review': { type: 'boolean', short: 'a', help: 'review and fix it by itself' },
    'no-auto-review': { type: 'boolean', help: 'ask before each review and each fix' },
    'max-rounds': { type: 'string', value: 'N', help: 'reviews at the most' },
    'max-cycles': { type: 'string', value: 'N', help: 'the same as --max-rounds' },
    ceiling: { type: 'string', value: 'USD', help: 'money at the most, or none' },
    reason: { type: 'string', value: 'T', help: 'why; it stands in the journal' },
    ...LATER_OPTIONS,
  },
  run: async (typed, io) => {
    const id = loopId(typed, USAGE);
    const verdict = verdictOf(typed);
    const edit = await editOf(typed, io);
    const reason = textOption(typed, 'reason') ?? null;
    if (verdict !== null) {
      if (Object.keys(edit).length > 0)
        throw new VolleyError('bad-usage', '--verdict goes alone.', 'Change the rest with a second volley edit.');
      return await overrideAndGoOn(id, { override: 'verdict', verdict, reason }, { typed, io });
    }
    if (Object.keys(edit).length === 0)
      throw new VolleyError('bad-usage', 'Nothing is said to change.', 'See volley help edit for what can be.');
    const [{ openApp }, { editTask }] = await Promise.all([import('../../app.ts'), import('../../app-edit.ts')]);
    const app = await openApp({ cwd: io.cwd, report: () => undefined });
    try {
      return tell(await editTask(app, id, { reason, edit }), edit, io);
    } finally {
      await app.close();
    }
  },
};

function tell(loop: Loop, edit: Edit, io: Io): number {
  io.out(`Task ${loop.id} is changed: ${Object.keys(edit).map(shown).join(', ')}`);
  if (loop.waiting !== null) io.out(`  It waits: ${clean(loop.waiting.why)}.`);
  const next = nextCommand(loop);
  if (next !== null) io.out(`  ${paint(io, 'dim', 'next')}    ${next}`);
  io.object(loopOutput(loop));
  return 0;
}

const SHOWN: Readonly<Record<string, string>> = {
  dependsOn: 'what it depends on',
  autoReview: 'whether it is reviewed by itself',
  maxRounds: 'rounds',
  ceilingUsd: 'ceiling',
};

function shown(key: string): string {
  return SHOWN[key] ?? key;
}

function verdictOf(typed: Typed): SetVerdict | null {
  const written = textOption(typed, 'verdict');
  if (written === undefined) return null;
  const verdict = written.toUpperCase();
  if (verdict === 'APPROVED' || verdict === 'CHANGES_REQUESTED') return verdict;
  throw new VolleyError(
    'bad-usage',
    `'${written}' is no verdict that can be set.`,
    'Write --verdict APPROVED or --verdict CHANGES_REQUESTED.',
  );
}

async function editOf(typed: Typed, io: Io): Promise<Edit> {
  const text = textOption(typed, 'text');
  const given = {
    ...(text === undefined ? {} : taskWords([text], 'volley edit ID --text "Add input validation"')),
    story: await orNone(typed, 'story', async () => await documentOption(typed, 'story', io)),
    plan: await orNone(typed, 'plan', async () => await documentOption(typed, 'plan', io)),
    ref: await orNone(typed, 'ref', () => textOption(typed, 'ref')),
    group: await orNone(typed, 'group', () => textOption(typed, 'group')),
    dependsOn: dependenciesOf(listOption(typed, 'depends-on')),
    author: textOption(typed, 'author'),
    reviewer: textOption(typed, 'reviewer')
      ?.split(',')
      .map((name) => name.trim()),
    fixer: textOption(typed, 'fixer'),
    autoReview: autoReviewOf(typed),
    maxRounds: numberOf(roundsOf(typed), /^[1-9][0-9]{0,5}$/, 'a number of rounds'),
    ceilingUsd: await orNone(typed, 'ceiling', () => numberOf(textOption(typed, 'ceiling'), /^[0-9]+(\.[0-9]+)?$/, 'an amount of money')),
  };
  return Edit.parse(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)));
}

/** `none` takes away what is there. */
async function orNone<T>(typed: Typed, name: string, read: () => T | Promise<T>): Promise<T | null> {
  return textOption(typed, name) === NONE ? null : await read();
}

function dependenciesOf(texts: readonly string[]): readonly number[] | undefined {
  if (texts.length === 0) return undefined;
  return texts.length === 1 && texts[0] === NONE ? [] : idsOf(texts);
}

function numberOf(text: string | undefined, shape: RegExp, what: string): number | undefined {
  if (text === undefined) return undefined;
  if (shape.test(text)) return Number(text);
  throw new VolleyError('bad-usage', `'${text}' is not ${what}.`, 'Write it in digits.');
}
