import type { z } from 'zod';
import { isAtRest } from '../core/at-rest.ts';
import type { Loop } from '../core/loop.ts';
import { FindingPage, findingPage, pageText } from './finding-pages.ts';
import { LoopNote, loopNote, noteText } from './loop-words.ts';
import type { Call, Reply } from './tool.ts';

/** How a loop stands, with the open findings of one at rest. */
export const LoopReply = LoopNote.extend({ findings: FindingPage.nullable().describe('The open findings, once it is at rest.') });

const FIRST_PAGE = 25;

/** Tells how a loop stands, after what happened. */
export async function loopReply(loop: Loop, { desk }: Call, said: readonly string[] = []): Promise<Reply<z.infer<typeof LoopReply>>> {
  const note = loopNote(loop, { mayDecide: await desk.control.mayDecide() });
  const page = isAtRest(loop) ? findingPage(loop, { which: 'open', from: 0, limit: FIRST_PAGE }) : null;
  const findings = page === null || page.total === 0 ? [] : [`Findings:\n${pageText(page, 'list_findings')}`];
  return { said, text: [noteText(note), ...findings].join('\n\n'), data: { ...note, findings: page } };
}
