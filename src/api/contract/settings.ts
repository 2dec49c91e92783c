import { z } from 'zod';
import { ReviewLoopSettings } from '../../core/review-loop-settings.ts';
import { route } from './route.ts';

/** A setting in force; what looks like a secret is blacked out. */
export const SettingOutput = z.object({
  /** As the configuration has it, such as `policy.maxRounds`. */
  path: z.string(),
  value: z.unknown(),
  /** Where it comes from: `default`, or a file with its line, or a variable. */
  origin: z.string(),
});

/** What an edit did. */
export const SettingEditOutput = z.object({
  file: z.string(),
  /** False: the file said so already. */
  changed: z.boolean(),
  /** What holds now; `outranked` where another place says otherwise than the edited file. */
  settings: z.array(SettingOutput.extend({ outranked: z.boolean() })),
  notes: z.array(z.string()),
});

const SettingRef = z.object({ name: z.string().min(1).max(90) });
const scope = z.enum(['project', 'user']).default('project');

const MOST_LEVELS = 20;

/** No setting is nested like that, and what is could not be looked at safely. */
function isShallow(value: unknown, levels = MOST_LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1));
}

const Value = z.unknown().refine((value) => isShallow(value), { error: 'is nested too deeply' });

/** Any of the seven. They are taken as they come: a mistake in them is told in the words of the configuration, and all at once. */
const ReviewLoopChanges = z.record(z.string(), Value).meta({
  propertyNames: undefined,
  ...z.toJSONSchema(ReviewLoopSettings.partial().strict(), { io: 'input' }),
});

/** The routes about the configuration. */
export const settingsContract = {
  listSettings: route({
    method: 'GET',
    path: '/api/settings',
    tag: 'settings',
    summary: 'Every setting in force, with where it comes from.',
    reply: z.object({ settings: z.array(SettingOutput), notes: z.array(z.string()) }),
  }),
  settingsSchema: route({
    method: 'GET',
    path: '/api/settings/schema',
    tag: 'settings',
    summary: 'The JSON schema of volley.yaml.',
    reply: z.looseObject({}),
  }),
  readReviewLoop: route({
    method: 'GET',
    path: '/api/settings/review-loop',
    tag: 'settings',
    summary: 'The seven settings of a review loop, under their short names.',
    reply: ReviewLoopSettings,
  }),
  writeReviewLoop: route({
    method: 'PUT',
    path: '/api/settings/review-loop',
    tag: 'settings',
    summary:
      "Writes some of the seven settings into the project's volley.yaml, all or none of them; answers what holds then, and which of them do not.",
    body: ReviewLoopChanges,
    reply: ReviewLoopSettings.extend({
      /** Those that were written and do not hold, because another place says otherwise, by their short names. */
      outranked: z.array(z.object({ name: z.string(), origin: z.string() })),
      notes: z.array(z.string()),
    }),
  }),
  readSetting: route({
    method: 'GET',
    path: '/api/settings/:name',
    tag: 'settings',
    summary: 'One setting or a group of them; the value is null where nobody set it and it has no default.',
    params: SettingRef,
    reply: SettingOutput,
  }),
  writeSetting: route({
    method: 'PUT',
    path: '/api/settings/:name',
    tag: 'settings',
    summary: "Writes one setting into the project's volley.yaml or into your own file; what would be wrong is not written.",
    params: SettingRef,
    body: z.object({ value: Value, scope }),
    reply: SettingEditOutput,
  }),
  clearSetting: route({
    method: 'DELETE',
    path: '/api/settings/:name',
    tag: 'settings',
    summary: "Takes one setting out of the project's volley.yaml or out of your own file.",
    params: SettingRef,
    query: z.object({ scope }),
    reply: SettingEditOutput,
  }),
};
