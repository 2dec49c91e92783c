import { z } from 'zod';
import type { Loop } from './loop.ts';

/** What Claude Code tells the programs that it runs at the start of a session and when its agent wants to stop. */
export const HookInput = z.object({
  session_id: z.string().default(''),
  cwd: z.string().optional(),
  permission_mode: z.string().optional(),
});
export type HookInput = z.infer<typeof HookInput>;

/** What Claude Code reads from such a program; nothing lets the agent stop. `reason` is for the agent, `systemMessage` for the person. */
export type StopAnswer = { readonly decision?: 'block'; readonly reason?: string; readonly systemMessage?: string };

const MAX_REVIEWS = 20;

/** What is remembered of one session of a client, so that it ends and nothing is reviewed twice. */
export const StopMemory = z.object({
  v: z.literal(1),
  /** The commits that were there before the agent did anything; all that came after the latest of them in its history counts as its own. */
  from: z.array(z.string().regex(/^[0-9a-f]{40,64}$/)).max(2),
  /** The change that was there before the agent did anything, which is not its own. */
  found: z.string().nullable(),
  /** How often the agent was held back since it was last let go. */
  blocks: z.number().int().nonnegative(),
  /** The change with which it was let go although it is rejected; for that one it is not held back again. */
  released: z.string().nullable(),
  /** Changes by their key, with the task that reviewed each; the newest last. */
  reviews: z.array(z.object({ key: z.string(), task: z.number().int().positive() })).max(MAX_REVIEWS),
});
export type StopMemory = z.infer<typeof StopMemory>;

/** What is remembered of a session that nothing is known of. */
export const NO_STOPS: StopMemory = { v: 1, from: [], found: null, blocks: 0, released: null, reviews: [] };

/** A change with the review that it got, now or when the agent last wanted to stop with it. */
export type ReviewedStop = {
  readonly key: string;
  readonly loop: Loop;
  /** Nothing has changed since it was reviewed. */
  readonly isUnchanged: boolean;
  /** The review as Markdown. */
  readonly report: string;
};

/** Whether the agent may stop with a change that was reviewed, and what is remembered of that. */
export function answerStop(memory: StopMemory, stop: ReviewedStop): { readonly memory: StopMemory; readonly answer: StopAnswer } {
  const { loop, key } = stop;
  const reviews = [...memory.reviews.filter((review) => review.key !== key), { key, task: loop.id }].slice(-MAX_REVIEWS);
  const limit = loop.settings.policy.maxRounds;
  if (loop.state === 'approved') return { memory: { ...memory, blocks: 0, reviews }, answer: {} };
  if (!isRejected(loop)) return { memory: { ...memory, reviews }, answer: { systemMessage: withoutVerdict(loop) } };
  if (memory.released === key) return { memory: { ...memory, reviews }, answer: { systemMessage: stillOpen(loop) } };
  if (memory.blocks >= limit)
    return { memory: { ...memory, blocks: 0, released: key, reviews }, answer: { systemMessage: letGo(loop, memory.blocks) } };
  const blocks = memory.blocks + 1;
  return { memory: { ...memory, blocks, reviews }, answer: { decision: 'block', reason: reasonOf(stop, `${blocks} of ${limit}`) } };
}

/** Whether a review came to an end that counts, so that the same change need not be reviewed again. */
export function isSettled({ ending }: Loop): boolean {
  return ending !== null && ending.state !== 'failed';
}

function isRejected(loop: Loop): boolean {
  return loop.ending?.state === 'self_review_failed' && loop.rounds.at(-1)?.verdict === 'changes_requested';
}

/** Clients cut what is longer, and the agent can ask for the rest. */
const REPORT_CHARS = 8000;

function reasonOf({ loop, isUnchanged, report }: ReviewedStop, count: string): string {
  const [first] = loop.rounds.at(-1)?.blockingIds ?? [];
  const seen = isUnchanged
    ? `Nothing has changed since Volley rejected this change (task ${loop.id}).`
    : `Volley reviewed this change (task ${loop.id}) and does not approve it.`;
  const shown =
    report.length <= REPORT_CHARS ? report : `${report.slice(0, REPORT_CHARS)}\n\n… volley findings ${loop.id} shows all of it.`;
  return [
    `${seen} You are held back, time ${count}.`,
    shown,
    [
      'Fix what blocks, then stop again: the change is reviewed once more.',
      `If a finding is wrong, leave the code as it is and tell the person why; refuting it is theirs (volley finding ${first ?? `${loop.id}.1`} refute --reason "…").`,
      'Never approve your own work.',
    ].join(' '),
  ].join('\n\n');
}

function letGo(loop: Loop, blocks: number): string {
  return `Volley held the agent back ${blocks} time${blocks === 1 ? '' : 's'} and now lets it stop. The change is not approved: ${openOf(loop)}.`;
}

function stillOpen(loop: Loop): string {
  return `The agent stopped, and its change is still not approved: ${openOf(loop)}.`;
}

function openOf({ id, rounds }: Loop): string {
  const open = rounds.at(-1)?.blockingIds.length ?? 0;
  return `${open} finding${open === 1 ? '' : 's'} block${open === 1 ? 's' : ''} (volley findings ${id})`;
}

function withoutVerdict({ id, state, ending, escalation, waiting }: Loop): string {
  const why = escalation?.why ?? ending?.why ?? (waiting === null ? state : `it waits for ${waiting.for}`);
  return `The agent stopped, but its change is not approved: ${why.replace(/\.$/, '')} (volley show ${id}).`;
}
