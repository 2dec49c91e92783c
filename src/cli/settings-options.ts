import type { Flags } from '../app.ts';
import { hasFlag, listOption, textOption } from './command.ts';
import type { OptionHelp, Typed } from './command.ts';

/** The option of everything that starts agents. */
export const SANDBOX_OPTION: Readonly<Record<string, OptionHelp>> = {
  'require-sandbox': { type: 'boolean', help: 'start nothing that the operating system does not hold' },
};

/** The options of everything that starts a loop. */
export const SETTINGS_OPTIONS: Readonly<Record<string, OptionHelp>> = {
  reviewer: { type: 'string', value: 'B', help: 'who reviews' },
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

/** What the user set on the command line. */
export function flagsOf(typed: Typed): Flags {
  return {
    author: textOption(typed, 'author'),
    reviewer: textOption(typed, 'reviewer'),
    fixer: textOption(typed, 'fixer'),
    maxRounds: textOption(typed, 'max-rounds') ?? textOption(typed, 'max-cycles'),
    effort: textOption(typed, 'effort'),
    ceiling: textOption(typed, 'ceiling'),
    blockAt: textOption(typed, 'fail-on'),
    requireSandbox: hasFlag(typed, 'require-sandbox') ? 'true' : undefined,
    gates: listOption(typed, 'gate'),
  };
}
