import type { App } from './app.ts';
import { clearSetting, putSetting, readReviewLoop, readSetting, schemaText, settingRows, writeReviewLoop } from './app-settings.ts';
import type { Edited, SettingRow } from './app-settings.ts';
import type { SettingEdit, SettingInForce, SettingsDesk } from './engine/settings-desk.ts';

/** The configuration of an open project. */
export function settingsDesk({ project, drivers }: Pick<App, 'project' | 'drivers'>): SettingsDesk {
  const cwd = project.currentWorktree;
  return {
    all: async () => {
      const { rows, notes } = await settingRows(cwd, drivers);
      return { settings: rows.map(inForce), notes };
    },
    get: async (name) => inForce(await readSetting(cwd, name, drivers)),
    put: async (name, value, scope) => editOf(await putSetting(cwd, { name, value, user: scope === 'user', drivers })),
    clear: async (name, scope) => editOf(await clearSetting(cwd, { name, user: scope === 'user', drivers })),
    reviewLoop: async () => await readReviewLoop(cwd, drivers),
    putReviewLoop: async (changes) => await writeReviewLoop(cwd, changes, drivers),
    schema: () => Object(JSON.parse(schemaText())),
  };
}

function inForce({ path, value, origin }: Pick<SettingRow, 'path' | 'value' | 'origin'>): SettingInForce {
  return { path, value, origin };
}

function editOf({ label, changed, settings, notes }: Edited): SettingEdit {
  return { file: label, changed, settings: settings.map((one) => ({ ...inForce(one), outranked: one.outranked })), notes };
}
