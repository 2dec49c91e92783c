import { DEFAULT_POLICY } from '../core/policy.ts';
import { BUILTIN } from '../core/settings.ts';
import type { ConfigFile } from './schema.ts';
import { durationText } from './values.ts';

const { ceilingUsd, timeoutsMs } = DEFAULT_POLICY;

/** What holds where nobody says anything, in the form of the file. */
export const DEFAULTS: ConfigFile = {
  agents: {},
  roles: { reviewer: BUILTIN, fallback: [] },
  review: { enabled: true, beforePullRequest: true, context: 'diff', autoIterate: false },
  policy: {
    depth: DEFAULT_POLICY.depth,
    checkpointEvery: DEFAULT_POLICY.checkpointEvery ?? 'none',
    maxRounds: DEFAULT_POLICY.maxRounds,
    maxAuthorIterations: DEFAULT_POLICY.maxAuthorIterations,
    maxGateFixes: DEFAULT_POLICY.maxGateFixes,
    onMaxRounds: DEFAULT_POLICY.onMaxRounds,
    blockAt: DEFAULT_POLICY.blockAt,
    convergence: DEFAULT_POLICY.convergence,
    quorum: DEFAULT_POLICY.quorum,
    ceiling: { loop: ceilingUsd.loop ?? 'none', run: ceilingUsd.run ?? 'none', day: ceilingUsd.day ?? 'none' },
    countSubscription: DEFAULT_POLICY.countSubscription,
    timeouts: {
      author: durationText(timeoutsMs.author),
      review: durationText(timeoutsMs.review),
      fix: durationText(timeoutsMs.fix),
      gate: durationText(timeoutsMs.gate),
      idle: durationText(timeoutsMs.idle),
    },
  },
  gates: [],
  checkout: { copy: [], branchPrefix: 'volley/' },
  taskTypes: {},
  pullRequest: { create: false, addressFeedback: true, maxFeedbackRounds: 3, reviewers: [], bots: [], label: 'ready-for-review' },
  notify: { onReady: true, channels: ['github'] },
  commit: { message: 'fix: address code review round {n} - {summary}', sign: 'inherit' },
  artefacts: { path: '.volley/reviews/{yyyymmdd}-task-{id}-review-{n}.md' },
  confine: { read: [], write: [], hosts: [], required: false, projectSettings: 'none' },
  mcp: { decide: false },
};
