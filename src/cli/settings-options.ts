import type { Flags } from '../app.ts';
import { VolleyError } from '../core/errors.ts';
import { hasFlag, listOption, textOption } from './command.ts';
import type { OptionHelp, Typed } from './command.ts';

/** The option of everything that starts agents. */
export const SANDBOX_OPTION: Readonly<Record<string, OptionHelp>> = {
  'require-sandbox': { type: 'boolean', help: 'start nothing that the operating system does not hold' },
};

/** The options of everything that starts a loop. */
export const SETTINGS_OPTIONS: Readonly<Record<string, OptionHelp>> = {
  reviewer: { type: 'string', value: 'B', help: 'who reviews, with commas between several' },
  fixer: { type: 'string', value: 'F', help: 'who answers the findings' },
  'max-rounds': { type: 'string', value: 'N', help: 'reviews at the most (3)' },
  'max-cycles': { type: 'string', value: 'N', help: 'the same as --max-rounds' },
  effort: { type: 'string', value: 'E', help: 'low, medium, high or max' },
  ceiling: { type: 'string', value: 'USD', help: 'money at the most, or none' },
  gate: { type: 'string', multiple: true, value: 'CMD', help: 'a command that must pass; may be repeated' },
  base: { type: 'string', value: 'REF', help: 'what the change is compared with' },
  ...SANDBOX_OPTION,
  'dry-run': { type: 'boolean', help: 'tell every step and do nothing' },
};

/** The number of rounds by either of its names. */
export function roundsOf(typed: Typed): string | undefined {
  const [rounds, cycles] = [textOption(typed, 'max-rounds'), textOption(typed, 'max-cycles')];
  if (rounds !== undefined && cycles !== undefined && rounds !== cycles)
    throw new VolleyError('bad-usage', '--max-rounds and --max-cycles say different things.', 'They are the same: leave one of them out.');
  return rounds ?? cycles;
}

/** What the user set on the command line. */
export function flagsOf(typed: Typed): Flags {
  return {
    author: textOption(typed, 'author'),
    reviewer: textOption(typed, 'reviewer'),
    fixer: textOption(typed, 'fixer'),
    maxRounds: roundsOf(typed),
    effort: textOption(typed, 'effort'),
    ceiling: textOption(typed, 'ceiling'),
    blockAt: textOption(typed, 'fail-on'),
    requireSandbox: hasFlag(typed, 'require-sandbox') ? 'true' : undefined,
    gates: listOption(typed, 'gate'),
  };
}
