import { z } from 'zod';
import { isAtRest } from '../../core/at-rest.ts';
import { blockingIn } from '../../core/convergence.ts';
import { VolleyError } from '../../core/errors.ts';
import { isClosed, Resolution } from '../../core/finding.ts';
import type { Loop } from '../../core/loop.ts';
import { commentOnLoop, requireLoop } from '../../engine/commands.ts';
import type { ChangeNow, StartedReview } from '../../engine/control-desk.ts';
import { LoopReply, loopReply } from '../loop-reply.ts';
import { scopeWords, startNotes, startReview } from '../start-review.ts';
import { defineTool } from '../tool.ts';
import type { Call } from '../tool.ts';
import { loopInput, workTreeInput } from './inputs.ts';

const Answer = Resolution.pick({ status: true }).extend({
  findingId: z.string().max(40).describe('The id of the finding, such as 7.2.'),
  status: Resolution.shape.status.describe(
    'fixed: you changed the code; disputed: the finding is wrong; needs_person: you cannot decide it.',
  ),
  note: z.string().trim().min(1).max(2000).describe('What you did, or why the finding is wrong, with evidence.'),
});
type Answer = z.infer<typeof Answer>;

/** `report_fixes`: the agent's answers to the findings of its review, and the next review of the change as it is now. */
export const reportFixes = defineTool({
  name: 'report_fixes',
  title: 'Report what I fixed',
  description:
    'After you fixed findings of review_my_change in your own files: writes your answer to each finding into the journal of that review and starts the next review of the change as it is now, committed or not. It returns the number of the new review: call wait_for_review with that. The new reviewer does not see your answers; only the code counts. Unless you name a work tree, the change is looked for in the one where it was reviewed.',
  input: z.object({
    loop: loopInput,
    resolutions: z.array(Answer).min(1).max(200).describe('One for each finding that you answer.'),
    workTree: workTreeInput,
  }),
  output: LoopReply.extend({
    answered: z.number().int().describe('The review whose findings were answered.'),
    reviewStarted: z
      .boolean()
      .describe('False: nothing changed since that review, or nothing is left of the change, so there is no new one.'),
  }),
  effects: 'writes',
  call: async ({ loop: id, resolutions, workTree = null }, call) => {
    const before = await requireLoop(call.desk.engine, id);
    refuseUnfit(before);
    refuseUnknown(before, resolutions);
    const now = await call.desk.control.changeNow(before, workTree);
    const { change } = now;
    const again = { change, follows: id, autoIterate: false, reviewer: before.settings.roles.reviewer, workTree: now.workTree };
    const next = now.is === 'changed' ? await startReview(again, call) : null;
    await journal(before, { resolutions, now, next }, call);
    const { data, ...rest } = await loopReply(next?.loop ?? before, call, said(before, { resolutions, now, next }));
    return { ...rest, data: { ...data, answered: id, reviewStarted: next !== null } };
  },
});

/** Only a review that rests, and that nobody else answers, is the agent's to answer. */
function refuseUnfit(loop: Loop): void {
  const { id, task } = loop;
  if (task.kind !== 'review' || task.fix)
    throw new VolleyError(
      'refused',
      `The findings of task ${id} are answered by Volley's own fixer.`,
      'Use review_my_change for a change that you fix yourself.',
    );
  if (!isAtRest(loop))
    throw new VolleyError('refused', `Task ${id} is still being reviewed.`, `Call wait_for_review with loop ${id} first.`);
  if (loop.ending?.state === 'cancelled')
    throw new VolleyError('refused', `Task ${id} was cancelled.`, 'Call review_my_change for a new review.');
  if (loop.approval !== null)
    throw new VolleyError(
      'refused',
      `Task ${id} is approved, so nothing is left to answer.`,
      'If you changed more since then, call review_my_change.',
    );
}

function refuseUnknown({ id, findings }: Loop, resolutions: readonly Answer[]): void {
  const strangers = resolutions.filter(({ findingId }) => !findings.some((one) => one.id === findingId));
  if (strangers.length > 0) {
    const open = findings.filter((one) => !isClosed(one)).map((one) => one.id);
    throw new VolleyError(
      'bad-usage',
      `Task ${id} has no finding ${strangers
        .map(({ findingId }) => JSON.stringify(findingId))
        .slice(0, 5)
        .join(', ')}.`,
      `Nothing is written. Answer one of: ${open.slice(0, 30).join(', ') || 'none is open'}.`,
    );
  }
  if (new Set(resolutions.map(({ findingId }) => findingId)).size < resolutions.length)
    throw new VolleyError('bad-usage', 'A finding is answered twice.', 'Nothing is written. Give one answer for each finding.');
}

type Reported = { readonly resolutions: readonly Answer[]; readonly now: ChangeNow; readonly next: StartedReview | null };

async function journal({ id }: Loop, { resolutions, now, next }: Reported, { desk, agent }: Call): Promise<void> {
  const lines = resolutions.map(({ findingId, status, note }) => `${findingId} ${status}: ${note}`);
  const link =
    next !== null
      ? `Task ${next.loop.id} reviews the change as it is now.`
      : now.is === 'gone'
        ? NOTHING_LEFT
        : 'The code is as it was reviewed.';
  const text = ['Answers of the agent that made the change:', ...lines, link].join('\n');
  await commentOnLoop(desk.engine, id, { by: agent, text, file: null, line: null, asks: false });
}

const NOTHING_LEFT = 'Nothing is left of the change: the code is as its base has it.';

function said(before: Loop, { resolutions, now, next }: Reported): string[] {
  const answered = new Set(resolutions.map(({ findingId }) => findingId));
  const silent = blockingIn(before)
    .filter(({ id }) => !answered.has(id))
    .map(({ id }) => id);
  const asked = resolutions.filter(({ status }) => status !== 'fixed').map(({ findingId }) => findingId);
  return [
    `Your answers are written into the journal of task ${before.id}.`,
    ...(silent.length === 0 ? [] : [`You did not answer ${silent.slice(0, 20).join(', ')}, which blocked too.`]),
    ...(asked.length === 0
      ? []
      : [
          `About ${asked.slice(0, 20).join(', ')} a person decides: volley finding ${asked[0] ?? ''} refute|uphold --reason "…". Tell them.`,
        ]),
    ...whatFollows(now, next),
  ];
}

function whatFollows(now: ChangeNow, next: StartedReview | null): string[] {
  if (next === null)
    return [
      now.is === 'gone'
        ? `${NOTHING_LEFT} So there is nothing to review.`
        : 'Nothing changed in the code since that review, so no new one is started. The same code would get the same answer.',
      ...now.notes,
    ];
  return [
    `Task ${next.loop.id} reviews the change in ${next.workTree} as it is now: review ${next.number} of at most ${next.most}.`,
    scopeWords(next),
    ...now.notes,
    ...next.notes,
    ...(next.isNew ? startNotes(next.loop) : ['It was started before, so no other one is.']),
  ];
}
