import { VolleyError } from '../core/errors.ts';
import type { ReviewLoopSettings } from '../core/review-loop-settings.ts';
import type { Edit } from './edit-yaml.ts';
import { isGroup } from './layer.ts';
import { nearest } from '../lib/nearest.ts';
import { REVIEW_LOOP_NAMES } from './other-names.ts';
import { claimsAbout, refuseSecret } from './parse-value.ts';
import type { Config } from './schema.ts';
import { valueText } from './show.ts';

/** One of seed 002's names. */
export type ReviewLoopName = keyof typeof REVIEW_LOOP_NAMES;

/** Seed 002's seven settings as the configuration has them. */
export function reviewLoopSettings({ review, policy, pullRequest, notify }: Config): ReviewLoopSettings {
  return {
    enabled: review.enabled,
    maxIterations: policy.maxRounds,
    selfReviewBeforePR: review.beforePullRequest,
    autoAddressReviewComments: pullRequest.addressFeedback,
    severityThreshold: policy.blockAt,
    notifyOnReady: notify.onReady ?? true,
    notificationChannels: notify.channels ?? [],
  };
}

/** The edits that some of the seven settings stand for; all that is wrong with them is one error. */
export function reviewLoopEdits(written: unknown): Edit[] {
  if (!isGroup(written)) throw wrong(['The settings must be a group of settings.']);
  const found = Object.entries(written).map(([name, value]) => {
    if (!isName(name)) return { claims: [unknownName(name)] };
    const path = REVIEW_LOOP_NAMES[name].split('.');
    refuseSecret([name], valueText(value ?? null));
    const claims = claimsAbout(path, value).map((claim) => claim.replace(REVIEW_LOOP_NAMES[name], name));
    return claims.length > 0 ? { claims } : { claims, edit: { path, value } };
  });
  const claims = found.flatMap((one) => one.claims);
  if (claims.length > 0) throw wrong(claims);
  return found.flatMap(({ edit }) => edit ?? []);
}

function isName(name: string): name is ReviewLoopName {
  return Object.hasOwn(REVIEW_LOOP_NAMES, name);
}

function unknownName(name: string): string {
  const near = nearest(name, Object.keys(REVIEW_LOOP_NAMES));
  return `${name} is not a setting${near === null ? '' : `; did you mean ${near}?`}`;
}

function wrong(claims: readonly string[]): VolleyError {
  return new VolleyError(
    'bad-config',
    claims.join('\n'),
    `Nothing is changed; the settings are ${Object.keys(REVIEW_LOOP_NAMES).join(', ')}.`,
  );
}
