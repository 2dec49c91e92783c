import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { VolleyError } from '../core/errors.ts';
import { titleOf } from '../core/task.ts';
import { hasFlag, textOption } from './command.ts';
import type { Io, OptionHelp, Typed } from './command.ts';
import { parseId } from './loop-id.ts';

/** The options that say more about a task than its words. */
export const TASK_OPTIONS: Readonly<Record<string, OptionHelp>> = {
  story: { type: 'string', value: 'FILE', help: 'a document with the acceptance criteria' },
  plan: { type: 'string', value: 'FILE', help: 'a document that says how it is to be done' },
  ref: { type: 'string', value: '2.4', help: 'the number of the story, for documents' },
};

/** A document that an option names, or undefined where it does not; `none` stands for no document. */
export async function documentOption(typed: Typed, name: 'story' | 'plan', io: Io): Promise<string | undefined> {
  const path = textOption(typed, name);
  return path === undefined ? undefined : await readDocument(resolve(io.cwd, path), { path, option: `--${name}` });
}

/** The text of a document that somebody named. */
export async function readDocument(file: string, { path, option }: { readonly path: string; readonly option: string }): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new VolleyError('bad-usage', `The document '${path}' cannot be read.`, `Check the path after ${option}.`).from(cause);
  }
}

/** The words of a task as they were typed, with the first line as its title. */
export function taskWords(words: readonly string[], example: string): { readonly title: string; readonly text: string } {
  const text = words.join(' ').trim();
  if (text === '') throw new VolleyError('bad-usage', 'A task needs words.', `Write what is to be done: ${example}.`);
  return { title: titleOf(text), text };
}

/** Task numbers of an option that may be given more than once, or with commas. */
export function idsOf(texts: readonly string[]): readonly number[] {
  const ids = texts.flatMap((text) => text.split(',')).map((text) => parseId(text.trim()));
  return [...new Set(ids)];
}

/** Whether a task is reviewed and fixed by itself, where the options say so. */
export function autoReviewOf(typed: Typed): boolean | undefined {
  if (hasFlag(typed, 'auto-review') && hasFlag(typed, 'no-auto-review'))
    throw new VolleyError('bad-usage', '--auto-review and --no-auto-review exclude each other.', 'Leave one of them out.');
  return hasFlag(typed, 'auto-review') ? true : hasFlag(typed, 'no-auto-review') ? false : undefined;
}
