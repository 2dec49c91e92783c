import { editConfig, isWritten } from './app-edit-config.ts';
import type { Edited, EditTarget } from './app-edit-config.ts';
import { readSettings } from './app-read-settings.ts';
import { configJsonSchema } from './config/json-schema.ts';
import { isGroup } from './config/layer.ts';
import type { Loaded } from './config/load.ts';
import { REVIEW_LOOP_NAMES } from './config/other-names.ts';
import { checkedValue, parseValue } from './config/parse-value.ts';
import { reviewLoopEdits, reviewLoopSettings } from './config/review-loop-settings.ts';
import { settingPath, unknownSetting } from './config/setting-name.ts';
import { configRows, originText, valueText, withoutSecrets } from './config/show.ts';
import { unobeyed } from './config/unobeyed.ts';
import type { ReviewLoopSettings } from './core/review-loop-settings.ts';
import type { ReviewLoopEdit } from './engine/settings-desk.ts';

export type { Edited } from './app-edit-config.ts';

/** A setting in force: under which name it was asked for, its path, its value also as text, and where it comes from. */
export type SettingRow = {
  readonly name: string;
  readonly path: string;
  readonly value: unknown;
  readonly text: string;
  readonly origin: string;
};

/** Settings in force, and what a person should know about how they came about. */
export type SettingRows = { readonly rows: readonly SettingRow[]; readonly notes: readonly string[] };

/** Every setting in force. */
export async function settingRows(cwd: string, drivers: readonly string[] = []): Promise<SettingRows> {
  const loaded = await readSettings(cwd, {}, drivers);
  const rows = configRows(loaded).map((row) => ({ ...row, name: row.path, text: valueText(row.value) }));
  return { rows, notes: [...loaded.notes, ...unobeyed(loaded)] };
}

/** Seed 002's seven settings, under its names. */
export async function reviewLoopRows(cwd: string): Promise<SettingRows> {
  const loaded = await readSettings(cwd, {});
  const values: Readonly<Record<string, unknown>> = reviewLoopSettings(loaded.config);
  const rows = Object.entries(REVIEW_LOOP_NAMES).map(([name, path]) => ({
    name,
    path,
    value: values[name],
    text: valueText(values[name]),
    origin: originText(loaded.origins.get(path)),
  }));
  const notes = [...loaded.notes, ...unobeyed(loaded)].filter((note) => rows.some(({ path }) => note.includes(path)));
  return { rows, notes };
}

/** One setting, or a group of them, by its path or by seed 002's name; the value is null where nobody set it and it has no default. */
export async function readSetting(cwd: string, name: string, drivers: readonly string[] = []): Promise<SettingRow> {
  const path = settingPath(name);
  const { config, origins } = await readSettings(cwd, {}, drivers);
  let value: unknown = config;
  for (const [index, step] of path.entries()) {
    const known = isGroup(value) ? Object.keys(value) : [];
    if (index === 1 && path[0] === 'agents' && !known.includes(step)) throw unknownSetting(name, path.slice(0, 2), known);
    value = isGroup(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  const shown = value === undefined ? null : withoutSecrets(value);
  const at = path.join('.');
  return { name, path: at, value: shown, text: shown === null ? '' : valueText(shown), origin: originOf(origins, at) };
}

/** Where a setting comes from; of a group, where all come from that somebody set in it. */
function originOf(origins: Loaded['origins'], at: string): string {
  const within = [...origins].flatMap(([path, origin]) => (path === at || path.startsWith(`${at}.`) ? [originText(origin)] : []));
  return [...new Set(within)].join(', ') || originText(undefined);
}

/** Writes one setting, as somebody typed it, into a configuration file; a mistake changes nothing. */
export async function writeSetting(
  cwd: string,
  { name, typed, ...target }: EditTarget & { readonly name: string; readonly typed: string },
): Promise<Edited> {
  const path = settingPath(name);
  return await editConfig(cwd, [{ path, value: parseValue(path, typed) }], target);
}

/** Writes one setting, as a program gives it; a mistake changes nothing. */
export async function putSetting(
  cwd: string,
  { name, value, ...target }: EditTarget & { readonly name: string; readonly value: unknown },
): Promise<Edited> {
  const path = settingPath(name);
  return await editConfig(cwd, [{ path, value: checkedValue(path, value) }], target);
}

/** Takes one setting out of a configuration file, also one that is only there by mistake. */
export async function clearSetting(cwd: string, { name, ...target }: EditTarget & { readonly name: string }): Promise<Edited> {
  const asWritten = name.split('.');
  const path = (await isWritten(cwd, asWritten, target)) ? asWritten : settingPath(name);
  return await editConfig(cwd, [{ path, value: undefined }], target);
}

/** Seed 002's settings of the project that a folder belongs to. */
export async function readReviewLoop(cwd: string, drivers: readonly string[] = []): Promise<ReviewLoopSettings> {
  return reviewLoopSettings((await readSettings(cwd, {}, drivers)).config);
}

/** Writes some of seed 002's settings into the configuration of a project, all or none of them. */
export async function writeReviewLoop(cwd: string, changes: unknown, drivers: readonly string[] = []): Promise<ReviewLoopEdit> {
  const { settings, notes } = await editConfig(cwd, reviewLoopEdits(changes), { user: false, drivers });
  const outranked = Object.entries(REVIEW_LOOP_NAMES).flatMap(([name, path]) =>
    settings.flatMap((one) => (one.path === path && one.outranked ? [{ name, origin: one.origin }] : [])),
  );
  return { settings: await readReviewLoop(cwd, drivers), outranked, notes };
}

/** The JSON schema of the configuration, as editors read it. */
export function schemaText(): string {
  return JSON.stringify(configJsonSchema(), null, 2);
}
