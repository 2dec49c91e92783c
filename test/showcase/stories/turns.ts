import type { StoryIssue, StoryTurn } from '../story.ts';

type Did = Pick<StoryTurn, 'write' | 'replace' | 'remove' | 'say' | 'agent'> & { readonly costUsd: number; readonly summary?: string };
type Reviewed = Did & { readonly round: number; readonly issues?: readonly StoryIssue[] };

/** An author who is done in one iteration. */
export function builds({ costUsd, summary = 'Done', ...did }: Did): StoryTurn {
  return { role: 'author', ...did, result: { summary, taskComplete: true, usage: { costUsd } } };
}

/** A reviewer who is not content. */
export function rejects({ costUsd, summary = 'This must change.', issues = [], ...did }: Reviewed): StoryTurn {
  return { role: 'reviewer', ...did, result: { passed: false, summary, issues, usage: { costUsd } } };
}

/** A reviewer who is content. */
export function approves({ costUsd, summary = 'It does what was asked, and the tests say so.', issues = [], ...did }: Reviewed): StoryTurn {
  return { role: 'reviewer', ...did, result: { passed: true, summary, intentSatisfied: true, issues, usage: { costUsd } } };
}

/** A fixer who has mended these findings. */
export function mends({ costUsd, summary = 'Mended', findings, ...did }: Did & { round: number; findings: readonly number[] }): StoryTurn {
  const resolutions = findings.map((finding) => ({ finding, status: 'fixed' as const, note: `${summary}.` }));
  return { role: 'fixer', ...did, result: { summary, resolutions, usage: { costUsd } } };
}

/** A session that goes on until it is stopped. */
export function works(turn: Pick<StoryTurn, 'role' | 'round' | 'agent' | 'say' | 'while'>): StoryTurn {
  return { ...turn, works: true };
}
