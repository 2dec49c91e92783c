import type { ReviewLoopSettings } from '../core/review-loop-settings.ts';

/** A setting in force: its path, its value, and where that comes from. */
export type SettingInForce = { readonly path: string; readonly value: unknown; readonly origin: string };

/** Settings in force, and what a person should know about how they came about. */
export type SettingsInForce = { readonly settings: readonly SettingInForce[]; readonly notes: readonly string[] };

/** What an edit did: to which file, and what holds now; `outranked` where another place says otherwise. */
export type SettingEdit = {
  readonly file: string;
  readonly changed: boolean;
  readonly settings: readonly (SettingInForce & { readonly outranked: boolean })[];
  readonly notes: readonly string[];
};

/** What an edit of seed 002's settings did: what holds now, and which of the written ones do not, because another place says otherwise. */
export type ReviewLoopEdit = {
  readonly settings: ReviewLoopSettings;
  readonly outranked: readonly { readonly name: string; readonly origin: string }[];
  readonly notes: readonly string[];
};

/** Whose file is edited: the project's, or the user's own. */
export type SettingScope = 'project' | 'user';

/** The configuration of the project, as it lies in its files. What looks like a secret is never told. */
export type SettingsDesk = {
  all(): Promise<SettingsInForce>;
  /** One setting or a group of them, by its path or by seed 002's name. */
  get(name: string): Promise<SettingInForce>;
  /** Writes one setting; a mistake changes nothing. */
  put(name: string, value: unknown, scope: SettingScope): Promise<SettingEdit>;
  clear(name: string, scope: SettingScope): Promise<SettingEdit>;
  reviewLoop(): Promise<ReviewLoopSettings>;
  /** Writes some of seed 002's settings, all or none of them. */
  putReviewLoop(changes: unknown): Promise<ReviewLoopEdit>;
  /** The JSON schema of the configuration. */
  schema(): object;
};
