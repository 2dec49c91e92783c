import type { ListedFinding } from '../../../src/api/contract/loops.ts';
import type { LoopView, RoundSummary } from '../../../src/core/view.ts';

const at = '2026-01-01T00:00:00.000Z';

/** The card of a loop of which nothing is known: an example for tests. */
export const aCard: LoopView['card'] = {
  seq: 1,
  author: 'claude',
  fixer: 'claude',
  reviewers: ['codex'],
  turns: [],
  gates: [],
  dependsOn: [],
  now: null,
  asks: null,
  question: null,
  restsSince: null,
  stake: null,
  choices: [],
  raiseToUsd: null,
  overrides: [],
  canLand: false,
  review: 'under-way',
};

/** A loop with nothing but what is given: an example for tests. */
export function aLoop(given: Partial<LoopView>): LoopView {
  return {
    type: 'loop',
    v: 1,
    id: 1,
    uid: 'U',
    seq: 1,
    task: { kind: 'implement', title: '', text: '', ref: null, dependsOn: [], group: null, follows: null },
    state: 'queued',
    finalVerdict: null,
    approval: null,
    branch: 'b',
    base: 'x',
    head: null,
    rounds: [],
    trend: null,
    findings: [],
    gates: [],
    waiting: null,
    spend: { usd: 0, estimated: false, ceilingUsd: null, subscriptionUsd: 0 },
    decisions: [],
    comments: [],
    imported: null,
    choices: [],
    next: null,
    createdAt: at,
    updatedAt: at,
    driven: false,
    needsYou: false,
    atRest: false,
    phase: null,
    maxRounds: 3,
    roles: { author: 'claude', reviewer: ['codex'], fixer: 'claude', arbiter: null, fallback: [] },
    notes: [],
    commits: [],
    start: { commit: 'c'.repeat(40), tree: 't' },
    takenOverBy: null,
    landed: null,
    ending: null,
    endedAt: null,
    findingCount: 0,
    build: null,
    card: aCard,
    ...given,
  };
}

/** A round with nothing but what is given: an example for tests. */
export function aRound(given: Partial<RoundSummary>): RoundSummary {
  return {
    round: 1,
    verdict: 'changes_requested',
    why: '',
    notes: [],
    reviewers: ['codex'],
    lost: [],
    findings: 1,
    blocking: 1,
    channel: 'mcp',
    confinement: 'os',
    spendUsd: null,
    at,
    head: { commit: 'c'.repeat(40), tree: 't' },
    findingIds: [],
    blockingIds: [],
    without: [],
    review: { startedAt: null, endedAt: null, spendUsd: null, estimated: false, transcripts: [] },
    fix: null,
    ...given,
  };
}

/** A fix with nothing but what is given: an example for tests. */
export function aFix(given: Partial<NonNullable<RoundSummary['fix']>>): NonNullable<RoundSummary['fix']> {
  return {
    startedAt: null,
    endedAt: null,
    spendUsd: null,
    estimated: false,
    transcripts: [],
    agent: 'claude',
    summary: null,
    commits: [],
    resolutions: [],
    sentBack: false,
    fixed: 0,
    disputed: 0,
    needsPerson: 0,
    ...given,
  };
}

/** A finding with nothing but what is given: an example for tests. */
export function aFinding(given: Partial<ListedFinding>): ListedFinding {
  return {
    type: 'finding',
    v: 1,
    id: '1.1',
    status: 'open',
    provenance: 'original',
    source: 'reviewer',
    severity: 'high',
    category: 'logic',
    file: 'a.ts',
    line: 3,
    lineEnd: null,
    description: 'x',
    impact: null,
    suggestion: null,
    applicable: false,
    blocking: true,
    firstRound: 1,
    lastRound: 1,
    anchor: 'exact',
    movedFrom: null,
    snippet: null,
    also: [],
    resolution: null,
    ruling: null,
    raisedBy: [],
    flags: [],
    ...given,
  };
}
