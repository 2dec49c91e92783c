import { VolleyError } from '../../core/errors.ts';
import type { WorkOutcome } from '../../core/event.ts';
import type { Loop } from '../../core/loop.ts';
import type { WorkCheckout } from '../../git/workspace.ts';
import { failpoint } from '../../lib/failpoint.ts';
import type { SessionEnd, SessionFailure } from '../sessions.ts';

const SUBJECT_LENGTH = 72;

type Work = {
  readonly loop: Loop;
  readonly checkout: WorkCheckout;
  /** Null where nobody was needed, because exact fixes did it all. */
  readonly ended: SessionEnd | null;
  readonly step: string;
  readonly message: string;
  readonly groups: readonly { readonly message: string; readonly paths: readonly string[] }[];
};

/** What a session of the author or the fixer left in its checkout becomes an outcome; one that removed its checkout failed. */
export async function commitWork(input: Work): Promise<WorkOutcome> {
  try {
    return await commitOutcome(input);
  } catch (error) {
    if (!(error instanceof VolleyError) || error.code !== 'checkout-missing') throw error;
    return { kind: 'failed', reason: 'agent-failed', message: error.message, partial: null };
  }
}

async function commitOutcome(input: Work): Promise<WorkOutcome> {
  const { loop, checkout, ended, step, message, groups } = input;
  const role = ended?.session.role ?? 'fixer';
  await failpoint(`worked ${role}`);
  if (ended?.outcome.kind === 'failed') {
    const { reason, message: said, until = null } = ended.outcome;
    return { kind: 'failed', reason: WORK_REASONS[reason], message: said, until, partial: await checkout.keepPartial() };
  }
  const parent = (loop.head ?? loop.start).commit;
  const outcome = await checkout.commit({ parent, message, step, groups, sign: loop.settings.commit.sign });
  await failpoint(`committed ${role}`);
  const sameAsBefore = outcome.kind === 'withheld' && outcome.tree === loop.withheld?.tree;
  return sameAsBefore ? { kind: 'unchanged' } : outcome;
}

const WORK_REASONS: Record<SessionFailure, Extract<WorkOutcome, { kind: 'failed' }>['reason']> = {
  'agent-failed': 'agent-failed',
  'timed-out': 'timed-out',
  'over-budget': 'over-budget',
  cancelled: 'agent-failed',
  'too-large': 'agent-failed',
  limited: 'limited',
  'logged-out': 'logged-out',
};

/** The first line of a commit message: one line, not longer than people like. */
export function subjectLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= SUBJECT_LENGTH ? line : `${line.slice(0, SUBJECT_LENGTH - 1).trimEnd()}…`;
}
