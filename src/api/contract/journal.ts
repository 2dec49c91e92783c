import { z } from 'zod';
import { FrameSeq, JournalFrame, Unreadable } from './live.ts';
import { Page, route, whole } from './route.ts';

/** The journals of all loops as one. */
export const journalContract = {
  readProjectJournal: route({
    method: 'GET',
    path: '/api/journal',
    tag: 'journal',
    summary:
      'The entries of all journals behind a frame of the live channel, in order and under the same numbers; ask again after `next` until that is null.',
    query: z.object({ after: whole(0).default(0), limit: Page.shape.limit }),
    reply: z.object({
      events: z.array(z.discriminatedUnion('type', [JournalFrame, Unreadable])),
      /** The newest number of the live channel, looked up before the entries were: nothing up to it is missing at the end. */
      seq: FrameSeq,
      next: FrameSeq.nullable(),
    }),
  }),
};
