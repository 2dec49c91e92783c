import type { Edited, SettingRows } from '../../app-settings.ts';
import { VolleyError } from '../../core/errors.ts';
import { hasFlag } from '../command.ts';
import type { Command, Io, Typed } from '../command.ts';
import { clean, columns, paint } from '../print.ts';

const USAGE = 'config show [--review-loop] | get NAME | set NAME VALUE [--user] | unset NAME [--user] | schema';

/** `volley config`: what is configured and where that comes from, and how to change it. */
export const command: Command = {
  usage: USAGE,
  options: {
    'review-loop': { type: 'boolean', help: 'show: the seven settings of a review loop, under their short names' },
    user: { type: 'boolean', help: 'set, unset: your own file in the place of volley.yaml' },
  },
  run: async (typed, io) => {
    const [verb = '', ...words] = typed.positionals;
    const part = PARTS[verb];
    if (part === undefined || !Object.hasOwn(PARTS, verb))
      throw new VolleyError('bad-usage', `'${typed.positionals.join(' ')}' is not a part of config.`, `Write volley ${USAGE}.`);
    if (words.length !== part.words.length) throw wrongWords(verb, words);
    const stray = Object.keys(typed.values).find((option) => option !== 'json' && !part.options.includes(option));
    if (stray !== undefined) throw new VolleyError('bad-usage', `--${stray} has no meaning for config ${verb}.`, `Write volley ${USAGE}.`);
    return await part.run(words, typed, io);
  },
};

type Part = {
  readonly words: readonly string[];
  readonly options: readonly string[];
  run(words: readonly string[], typed: Typed, io: Io): Promise<number>;
};

const PARTS: Readonly<Record<string, Part>> = {
  show: { words: [], options: ['review-loop'], run: show },
  get: { words: ['NAME'], options: [], run: get },
  set: { words: ['NAME', 'VALUE'], options: ['user'], run: set },
  unset: { words: ['NAME'], options: ['user'], run: unset },
  schema: { words: [], options: [], run: schema },
};

function wrongWords(verb: string, words: readonly string[]): VolleyError {
  const expected = PARTS[verb]?.words ?? [];
  const missing = expected[words.length];
  const what = missing === undefined ? `'${words[expected.length]}' is one word too many.` : `The ${missing} is missing.`;
  const remedy = `Write volley config ${[verb, ...expected].join(' ')}${expected.includes('VALUE') ? ', with quotes around a value of several words.' : '.'}`;
  return new VolleyError('bad-usage', what, remedy);
}

async function show(_: readonly string[], typed: Typed, io: Io): Promise<number> {
  const { reviewLoopRows, settingRows } = await import('../../app-settings.ts');
  print(hasFlag(typed, 'review-loop') ? await reviewLoopRows(io.cwd) : await settingRows(io.cwd), io);
  return 0;
}

function print({ rows, notes }: SettingRows, io: Io): void {
  for (const { name, path, value, origin } of rows) {
    io.object({ type: 'setting', v: 1, ...(name === path ? {} : { name }), path, value, origin });
  }
  for (const line of columns(rows.map(({ name, text, origin }) => [name, clean(text), paint(io, 'dim', clean(origin))]))) io.out(line);
  if (notes.length > 0) io.out('');
  printNotes(notes, io);
}

function printNotes(notes: readonly string[], io: Io): void {
  for (const text of notes) io.object({ type: 'note', v: 1, text });
  for (const text of notes) io.out(paint(io, 'yellow', clean(text)));
}

async function get([name = '']: readonly string[], _: Typed, io: Io): Promise<number> {
  const { readSetting } = await import('../../app-settings.ts');
  const { path, value, text, origin } = await readSetting(io.cwd, name);
  io.object({ type: 'setting', v: 1, path, value, origin });
  io.out(clean(text).replaceAll('\n', '\\n'));
  return 0;
}

async function set([name = '', value = '']: readonly string[], typed: Typed, io: Io): Promise<number> {
  const { writeSetting } = await import('../../app-settings.ts');
  return tell(await writeSetting(io.cwd, { name, typed: value, user: hasFlag(typed, 'user') }), io);
}

async function unset([name = '']: readonly string[], typed: Typed, io: Io): Promise<number> {
  const { clearSetting } = await import('../../app-settings.ts');
  return tell(await clearSetting(io.cwd, { name, user: hasFlag(typed, 'user') }), io);
}

function tell({ file, label, changed, settings, notes }: Edited, io: Io): number {
  io.out(changed ? `${label} is changed.` : `${label} is as it was.`);
  for (const { path, text, origin, outranked } of settings) {
    const held = outranked ? paint(io, 'yellow', `, because ${clean(origin)} holds over it`) : paint(io, 'dim', ` (${clean(origin)})`);
    io.out(`  ${path} is ${clean(text)}${held}`);
  }
  printNotes(notes, io);
  io.object({ type: 'configured', v: 1, file, changed, settings: settings.map(forPrograms) });
  return 0;
}

function forPrograms({ path, value, origin, outranked }: Edited['settings'][number]): object {
  return { path, value, origin, outranked };
}

async function schema(_words: readonly string[], _typed: Typed, io: Io): Promise<number> {
  const { schemaText } = await import('../../app-settings.ts');
  const text = schemaText();
  io.out(text);
  io.object({ type: 'schema', v: 1, schema: JSON.parse(text) });
  return 0;
}
