/** Seed 002's names of the settings of a review loop, and the settings that they stand for. */
export const REVIEW_LOOP_NAMES = {
  enabled: 'review.enabled',
  maxIterations: 'policy.maxRounds',
  selfReviewBeforePR: 'review.beforePullRequest',
  autoAddressReviewComments: 'pullRequest.addressFeedback',
  severityThreshold: 'policy.blockAt',
  notifyOnReady: 'notify.onReady',
  notificationChannels: 'notify.channels',
} as const;

/** Too common a word to be taken for seed 002's wherever it is written. */
const { enabled: _enabled, ...TELLING_NAMES } = REVIEW_LOOP_NAMES;

/** Names that people bring along from other tools, wherever they write them. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  maxCycles: 'policy.maxRounds',
  max_review_cycles: 'policy.maxRounds',
  auto_review: 'taskTypes.implement.autoReview',
  review_model: 'taskTypes.implement.reviewModel',
  timeout_minutes: 'policy.timeouts.author',
  review_timeout_minutes: 'policy.timeouts.review',
  improve_timeout_minutes: 'policy.timeouts.fix',
  ...TELLING_NAMES,
};

/** The same names inside of one type of task, where they mean that type's own setting. */
const IN_TASK_TYPE: Readonly<Record<string, string>> = {
  maxCycles: 'maxRounds',
  maxIterations: 'maxRounds',
  max_review_cycles: 'maxRounds',
  auto_review: 'autoReview',
  review_model: 'reviewModel',
  timeout_minutes: 'timeout',
  review_timeout_minutes: 'reviewTimeout',
  improve_timeout_minutes: 'fixTimeout',
};

/** Groups that other tools have and Volley has not; what stands in them has a place of its own. */
const OTHER_GROUPS: readonly string[] = ['defaults', 'reviewLoop', 'review_loop', 'task_types'];

/** Whether a group at the root is one of another tool. */
export function isOtherGroup(name: string): boolean {
  return OTHER_GROUPS.includes(name);
}

/** The setting that a name of another tool means where it is written, with the value where its unit differs; null if nobody knows it. */
export function otherName(path: readonly (string | number)[], value: unknown): string | null {
  const key = String(path.at(-1));
  const known = pick(namesAt(path), key);
  if (known === null) return null;
  const [section, type] = path;
  const name = section === 'task_types' && path.length === 3 ? `taskTypes.${String(type)}.${known}` : known;
  return key.endsWith('_minutes') && typeof value === 'number' ? `${name}: ${value}m` : name;
}

function namesAt({ 0: section, length }: readonly (string | number)[]): Readonly<Record<string, string>> {
  if (length === 3 && (section === 'taskTypes' || section === 'task_types')) return IN_TASK_TYPE;
  return length === 2 && (section === 'reviewLoop' || section === 'review_loop') ? REVIEW_LOOP_NAMES : OTHER_NAMES;
}

function pick(names: Readonly<Record<string, string>>, key: string): string | null {
  return Object.hasOwn(names, key) ? (names[key] ?? null) : null;
}
