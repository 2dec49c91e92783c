import { z } from 'zod';
import { isAtRest } from '../core/at-rest.ts';
import { VolleyError } from '../core/errors.ts';
import type { Loop } from '../core/loop.ts';
import { AgentReview, agentReview } from '../core/seed-000.ts';
import { requireLoop } from '../engine/commands.ts';
import { findingPage, pageText } from './finding-pages.ts';
import { loopNote, noteText } from './loop-words.ts';
import type { Call, Reply, ToolDesk } from './tool.ts';
import { cut } from './untrusted.ts';

/** A loop as seed 000 calls it, with its number. */
export const AgentReviewReply = z.object({
  loop: z.number().int().describe('The number of the task; all other tools take it.'),
  review: AgentReview,
  next: z.string().describe('What you do next.'),
  commentsLeftOut: z.number().int().describe('How many comments did not fit; list_findings tells them.'),
});

/** The review that a call is about. */
export const reviewIdInput = z.string().trim().min(1).max(40).describe('The id of the review, or the number of its task.');

const MOST_CHARS = 9000;
const LONGEST_COMMENT = 1000;
const FIRST_PAGE = 5;

/** Tells a loop as seed 000 does, after what happened. */
export async function agentReviewReply(
  loop: Loop,
  { desk }: Call,
  said: readonly string[] = [],
): Promise<Reply<z.infer<typeof AgentReviewReply>>> {
  const note = loopNote(loop, { mayDecide: await desk.control.mayDecide() });
  const page = isAtRest(loop) ? findingPage(loop, { which: 'open', from: 0, limit: FIRST_PAGE }) : null;
  const { review, left } = fitting(agentReview(loop));
  const findings = page === null || page.total === 0 ? [] : [`Findings:\n${pageText(page, 'list_findings')}`];
  const text = [`Review ${review.id}: ${review.status}.`, noteText(note), ...findings].join('\n\n');
  return { said, text, data: { loop: loop.id, review, commentsLeftOut: left, next: note.next } };
}

/** The newest comments first, as many as an answer has room for. */
function fitting(review: AgentReview): { readonly review: AgentReview; readonly left: number } {
  let room = MOST_CHARS;
  let left = 0;
  const rounds = review.rounds.toReversed().map((round) => {
    const reviewComments = round.reviewComments.flatMap((comment) => {
      const short = {
        ...comment,
        comment: cut(comment.comment, LONGEST_COMMENT),
        suggestion: comment.suggestion === null ? null : cut(comment.suggestion, LONGEST_COMMENT),
      };
      room -= JSON.stringify(short).length;
      if (room < 0) left += 1;
      return room < 0 ? [] : [short];
    });
    return { ...round, reviewComments, authorResponse: round.authorResponse === null ? null : cut(round.authorResponse, LONGEST_COMMENT) };
  });
  return { review: { ...review, rounds: rounds.toReversed() }, left };
}

/** The loop with this id or number, or an error that helps. */
export async function requireReview({ engine }: Pick<ToolDesk, 'engine'>, id: string): Promise<Loop> {
  if (/^\d{1,15}$/.test(id)) return await requireLoop(engine, Number(id));
  const row = (await engine.store.rows()).find(({ uid }) => uid === id);
  if (row === undefined)
    throw new VolleyError('unknown-loop', `There is no review ${JSON.stringify(id)}.`, 'Call list_loops for the reviews of this project.');
  return await requireLoop(engine, row.id);
}
