import { loopOutput } from '../../core/project-output.ts';
import { addDraft, changeDraft, commentOnLoop, listDrafts, removeDraft, submitDrafts } from '../../engine/commands.ts';
import type { Desk } from '../../engine/desk.ts';
import type { commentsContract } from '../contract/comments.ts';
import { loopNumber } from '../find-loop.ts';
import type { Handlers } from '../handlers.ts';

/** Answers people who say something about a change; all of it is said in the name of whoever the project belongs to. */
export function commentsRoutes(desk: Desk): Handlers<typeof commentsContract> {
  const { engine, person: by } = desk;
  return {
    commentOnLoop: async ({ params, body }) => {
      const loop = await commentOnLoop(engine, await loopNumber(desk, params.id), { ...body, by });
      desk.stir();
      return { loop: loopOutput(loop), comments: loop.comments.slice(-1) };
    },
    listDrafts: async ({ params }) => ({ drafts: [...(await listDrafts(engine, await loopNumber(desk, params.id)))] }),
    addDraft: async ({ params, body }) => await addDraft(engine, await loopNumber(desk, params.id), body),
    changeDraft: async ({ params: { id, draft: draftId }, body: change }) =>
      await changeDraft(engine, await loopNumber(desk, id), { draftId, change }),
    removeDraft: async ({ params }) => {
      await removeDraft(engine, await loopNumber(desk, params.id), params.draft);
      return {};
    },
    submitDrafts: async ({ params, body: { text = null, drafts = null, ...how } }) => {
      const { loop, comments } = await submitDrafts(engine, await loopNumber(desk, params.id), { ...how, text, drafts, by });
      desk.stir();
      return { loop: loopOutput(loop), comments: [...comments] };
    },
  };
}
