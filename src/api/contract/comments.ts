import { z } from 'zod';
import { ObjectId } from '../../core/change-view.ts';
import { Draft, DraftAnchor, PlacedWords, Side, SubmitAs } from '../../core/draft.ts';
import { LoopOutput } from '../../core/output.ts';
import { Seq } from './people.ts';
import { LoopParams, Nothing, route } from './route.ts';

const { text, file, line, lineEnd } = PlacedWords.shape;

const DraftParams = LoopParams.extend({ draft: z.string().min(1).max(40) });

/** A comment as it was taken. */
export const CommentOutput = LoopOutput.shape.comments.element.extend({
  /** The draft that it was; `outdated` where its lines were gone, so that it is about the file and quotes them. */
  draft: z.object({ id: z.string(), anchor: DraftAnchor }).nullable(),
});
export type CommentOutput = z.infer<typeof CommentOutput>;

const Said = z.object({ loop: LoopOutput, comments: z.array(CommentOutput) });

/** The routes by which people say something about a change. */
export const commentsContract = {
  commentOnLoop: route({
    method: 'POST',
    path: '/api/loops/:id/comments',
    tag: 'comments',
    summary: 'Says something about a change at once: guidance for the next fixer, or, with `asks`, a finding that has to be answered.',
    params: LoopParams,
    body: z.object({
      text,
      file: file.default(null),
      line: line.default(null),
      lineEnd: lineEnd.default(null),
      asks: z.boolean().default(false),
      seq: Seq,
    }),
    reply: Said,
    status: 201,
  }),
  listDrafts: route({
    method: 'GET',
    path: '/api/loops/:id/drafts',
    tag: 'comments',
    summary: 'The comments that were not submitted yet, oldest first.',
    params: LoopParams,
    reply: z.object({ drafts: z.array(Draft) }),
  }),
  addDraft: route({
    method: 'POST',
    path: '/api/loops/:id/drafts',
    tag: 'comments',
    summary: 'Keeps a comment until it is submitted.',
    params: LoopParams,
    body: z.object({
      text,
      file: file.default(null),
      line: line.default(null),
      lineEnd: lineEnd.default(null),
      side: Side.default('new'),
      /** The commit of the loop that was looked at; left out: the newest. */
      head: ObjectId.optional(),
    }),
    reply: Draft,
    status: 201,
  }),
  changeDraft: route({
    method: 'PATCH',
    path: '/api/loops/:id/drafts/:draft',
    tag: 'comments',
    summary: 'Changes a comment that was not submitted yet; what is left out stays.',
    params: DraftParams,
    body: z.object({ text, file, line, lineEnd, side: Side, head: ObjectId }).partial(),
    reply: Draft,
  }),
  removeDraft: route({
    method: 'DELETE',
    path: '/api/loops/:id/drafts/:draft',
    tag: 'comments',
    summary: 'Removes a comment that was not submitted yet.',
    params: DraftParams,
    reply: Nothing,
  }),
  submitDrafts: route({
    method: 'POST',
    path: '/api/loops/:id/drafts/submit',
    tag: 'comments',
    summary:
      'Makes comments of drafts, all of them or none and once: as guidance, as a request for changes, or with an approval in your name.',
    params: LoopParams,
    body: z.object({
      as: SubmitAs,
      /** A word about all of them. */
      text: text.optional(),
      /** Which ones; left out: all. Whoever names at least one may send the same request again without any harm. */
      drafts: z.array(z.string().min(1).max(40)).max(500).optional(),
      seq: Seq,
    }),
    reply: Said,
  }),
};
