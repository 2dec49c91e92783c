import type { Desk } from '../../engine/desk.ts';
import type { SettingEdit } from '../../engine/settings-desk.ts';
import type { settingsContract } from '../contract/settings.ts';
import type { ReplyOf } from '../contract/route.ts';
import type { Handlers } from '../handlers.ts';

/** Shows and changes the configuration. */
export function settingsRoutes({ settings }: Desk): Handlers<typeof settingsContract> {
  return {
    listSettings: async () => {
      const all = await settings.all();
      return { settings: [...all.settings], notes: [...all.notes] };
    },
    settingsSchema: async () => ({ ...settings.schema() }),
    readReviewLoop: async () => await settings.reviewLoop(),
    writeReviewLoop: async ({ body }) => {
      const { settings: now, outranked, notes } = await settings.putReviewLoop(body);
      return { ...now, outranked: [...outranked], notes: [...notes] };
    },
    readSetting: async ({ params }) => await settings.get(params.name),
    writeSetting: async ({ params, body }) => editOutput(await settings.put(params.name, body.value, body.scope)),
    clearSetting: async ({ params, query }) => editOutput(await settings.clear(params.name, query.scope)),
  };
}

function editOutput(edit: SettingEdit): ReplyOf<typeof settingsContract.writeSetting> {
  return { ...edit, settings: [...edit.settings], notes: [...edit.notes] };
}
