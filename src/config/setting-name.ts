import { z } from 'zod';
import { VolleyError } from '../core/errors.ts';
import { nearest } from '../lib/nearest.ts';
import { REVIEW_LOOP_NAMES } from './other-names.ts';
import { keysAt, schemaAt, suggestion } from './validate.ts';
import { Name } from './values.ts';

const GROUP = 'reviewLoop.';

/** The path of the setting, or of the group of settings, that a name means: a path with dots, or one of seed 002's names. */
export function settingPath(name: string): readonly string[] {
  const short = name.startsWith(GROUP) ? name.slice(GROUP.length) : name;
  const path = (Object.hasOwn(REVIEW_LOOP_NAMES, short) ? String(Reflect.get(REVIEW_LOOP_NAMES, short)) : name).split('.');
  for (const [index, step] of path.entries()) {
    const before = path.slice(0, index);
    const parent = schemaAt(before);
    const isThere = parent instanceof z.ZodRecord ? Name.safeParse(step).success : keysAt(before).includes(step);
    if (!isThere) throw unknownSetting(name, path.slice(0, index + 1));
  }
  return path;
}

/** That a name is no setting, with the one that it is nearest to. */
export function unknownSetting(name: string, path: readonly string[], known: readonly string[] = []): VolleyError {
  const parent = path.slice(0, -1);
  const beside = nearest(path.at(-1) ?? '', known) ?? suggestion(path, undefined);
  const isBeside = beside !== null && (known.includes(beside) || keysAt(parent).includes(beside));
  const near = isBeside ? [...parent, beside].join('.') : (beside ?? nearest(name, Object.keys(REVIEW_LOOP_NAMES)));
  return new VolleyError(
    'bad-usage',
    `'${name}' is not a setting${near === null ? '' : `; did you mean ${near}?`}`.replace(/(?<!\?)$/, '.'),
    'volley config show lists the settings in force, and docs/configuration.md tells of every one.',
  );
}
