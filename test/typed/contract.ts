// Compiled, never run, in the repository and against the installed package: what the contract lets a program say, and what it does not.
import { createClient, follow } from 'volley';
import type { ApiReply, ApiRequest, RouteName, ServerFrame } from 'volley';

const { ask } = createClient({ url: 'http://127.0.0.1:4780', token: 'token' });

/** What is right. */
export async function asked(): Promise<void> {
  const { version, seq }: { version: string; seq: number } = await ask('health');
  const { loops, total, next } = await ask('listLoops', { query: { needsYou: true, state: 'needs_human,approved', limit: 20 } });
  const { id, state } = loops[0] ?? { id: 1, state: '' };
  const { approval, atRest } = await ask('showLoop', { params: { id } });
  const proof = approval?.by === 'review' ? approval.proof.head : null;
  const { findings } = await ask('listFindings', {
    params: { id: '01JD0000000000000000000000' },
    query: { severity: 'high', blocking: true },
  });
  const severity: 'critical' | 'high' | 'medium' | 'low' | 'suggestion' | undefined = findings[0]?.severity;
  await ask('startTasks', { body: { text: 'Add it', autoReview: true } });
  await ask('startTasks', { body: { tasks: [{ kind: 'review', change: { kind: 'working-tree' } }] } });
  await ask('decideLoop', { params: { id }, body: { choice: 'one-more-round', seq } });
  await ask('changePatch', { params: { change: 'BASE..HEAD' }, query: { path: 'a.ts' } });
  const words: readonly unknown[] = [version, total, next, state, atRest, proof, severity];
  for await (const frame of follow({ topics: ['journal', 'output'], loops: [id], after: seq })) console.log(frame.type, words);
}

/** What is not: each line is refused by the compiler, or this file is. */
export async function refused(): Promise<void> {
  // @ts-expect-error There is no such route.
  await ask('showLop', { params: { id: 1 } });
  // @ts-expect-error It needs to know which loop.
  await ask('showLoop');
  // @ts-expect-error The parameter is missing.
  await ask('showLoop', { params: {} });
  // @ts-expect-error A loop is a number or a text.
  await ask('showLoop', { params: { id: true } });
  // @ts-expect-error There is no such kind.
  await ask('startTasks', { body: { kind: 'reveiw' } });
  // @ts-expect-error There is no such key.
  await ask('startTasks', { body: { kind: 'review', fixes: true } });
  // @ts-expect-error A decision names its choice.
  await ask('decideLoop', { params: { id: 1 }, body: {} });
  // @ts-expect-error There is no such severity.
  await ask('listFindings', { params: { id: 1 }, query: { severity: 'grave' } });
  // @ts-expect-error A patch is that of one file.
  await ask('changePatch', { params: { change: 'BASE..HEAD' } });
  // @ts-expect-error There is no such topic.
  for await (const frame of follow({ topics: ['everything'] })) console.log(frame.type);
  const { loops } = await ask('listLoops');
  // @ts-expect-error A row has no such column.
  console.log(loops[0]?.owner);
}

/** A frame is what its type says. */
export function told(frame: ServerFrame): string {
  if (frame.type === 'event') return `${frame.payload.loop} ${frame.payload.event.type}`;
  if (frame.type === 'review-loop:state-changed') return `${frame.payload.newState} ${frame.payload.session.currentIteration}`;
  if (frame.type === 'review-loop:review-completed') return frame.payload.result.verdict;
  if (frame.type === 'snapshot') return String(frame.loops?.length);
  // @ts-expect-error What agents say has no number.
  if (frame.type === 'output') return `${frame.text}${frame.seq}`;
  return frame.type;
}

/** The types of a route by its name, for whoever writes a client or a server of their own. */
export const NAME: RouteName = 'submitDrafts';
export type Submitted = ApiRequest<'submitDrafts'>['body']['as'];
export const AS: Submitted = 'request-changes';
export type Matches = ApiReply<'changeSearch'>['matches'];
// @ts-expect-error There is no such way to submit.
export const WRONG: Submitted = 'reject';
