import type { ParseArgsOptionsConfig } from 'node:util';
import { VolleyError } from '../core/errors.ts';
import type { Live } from './live.ts';

/** Where a command reads from and writes to. */
export type Io = {
  readonly cwd: string;
  readonly json: boolean;
  readonly color: boolean;
  /** Somebody sits at a terminal. */
  readonly interactive: boolean;
  readonly width: number;
  /** Lines that change in place; only where somebody sits at a terminal. */
  readonly live?: Live;
  out(line: string): void;
  err(line: string): void;
  /** One JSON object on a line of its own; only where `--json` was given. */
  object(value: object): void;
};

/** What the user typed after the name of the command. */
export type Typed = {
  readonly values: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;
  readonly positionals: readonly string[];
};

/** One verb of the command line. It returns the exit code. */
export type Command = {
  readonly usage: string;
  /** Each option with a sentence, for the help. */
  readonly options: Readonly<Record<string, OptionHelp>>;
  /** What else the help tells. */
  readonly more?: string;
  run(typed: Typed, io: Io): Promise<number>;
};

/** An option and what it means. */
export type OptionHelp = ParseArgsOptionsConfig[string] & { readonly help: string; readonly value?: string };

/** A text option that was given, or undefined. */
export function textOption(typed: Typed, name: string): string | undefined {
  const value = typed.values[name];
  return typeof value === 'string' ? value : undefined;
}

/** Whether a switch was given. */
export function hasFlag(typed: Typed, name: string): boolean {
  return typed.values[name] === true;
}

/** Every value of an option that may be repeated. */
export function listOption(typed: Typed, name: string): readonly string[] {
  const value = typed.values[name];
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

/** Refuses words after a command that takes none, lest a typing mistake is taken for an answer. */
export function refuseWords(typed: Typed, usage: string): void {
  if (typed.positionals.length > 0)
    throw new VolleyError('bad-usage', `'${typed.positionals.join(' ')}' is not expected here.`, `Write volley ${usage}.`);
}
