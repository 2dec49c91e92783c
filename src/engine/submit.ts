import { currentHead } from '../core/choices.ts';
import type { Delta } from '../core/delta.ts';
import type { Draft, DraftAnchor, SubmissionMark, SubmitAs } from '../core/draft.ts';
import { VolleyError } from '../core/errors.ts';
import type { Event } from '../core/event.ts';
import type { Comment, Loop } from '../core/loop.ts';
import { shownPlace } from '../core/prompts/sections.ts';
import { reanchor } from '../core/re-anchor.ts';
import { redact } from '../core/secrets.ts';
import { sha256, ulid } from '../lib/ids.ts';
import type { Transaction } from '../store/store.ts';
import { followBranch } from './branch.ts';
import { commentedEvents, requirePlace } from './comment.ts';
import type { CommentRequest } from './comment.ts';
import { originOf, unknownDraft } from './drafts.ts';
import type { Engine } from './engine.ts';
import { Moved, untilUnmoved } from './moved.ts';
import { snippetOf } from './perform/read-lines.ts';
import { requireLoop } from './require-loop.ts';
import { takeTogether } from './take.ts';
import type { Seen } from './take.ts';

/** Words of a person about the change of a loop. */
export async function commentOnLoop(engine: Engine, id: number, { seq, ...comment }: Seen & CommentRequest): Promise<Loop> {
  return await sayAtHead(engine, id, {
    seq,
    make: async (loop) => {
      const { commit } = currentHead(loop) ?? loop.start;
      await requirePlace(engine, loop, { lineEnd: null, ...comment, commit });
      return { events: await commentedEvents(engine, loop, [comment]), before: async () => {} };
    },
  });
}

/** What a person makes of their drafts, with a word about all of them. */
export type Submission = Seen & {
  readonly by: string;
  readonly as: SubmitAs;
  readonly text: string | null;
  /** Which drafts; null for all of the loop's. */
  readonly drafts: readonly string[] | null;
};

/** What came of a submission: the comments that it became. */
export type Submitted = { readonly loop: Loop; readonly comments: readonly Comment[] };

/**
 * Makes comments of drafts, all of them or none, and once: whoever submits drafts again that are comments already is told what
 * they became, if they meant the same by it.
 */
export async function submitDrafts(engine: Engine, id: number, { seq, ...submission }: Submission): Promise<Submitted> {
  let wanted = submission.drafts === null ? null : [...new Set(submission.drafts)];
  const mark = markOf(engine, submission);
  let count = 0;
  try {
    const loop = await sayAtHead(engine, id, {
      seq,
      make: async (now) => {
        const drafts = await chosenDrafts(engine, now, { wanted, mark });
        // Whoever submits all of them means those that there were when they did.
        if (drafts.length > 0) wanted = drafts.map((draft) => draft.id);
        const events = await submittedEvents(engine, now, { ...submission, drafts, mark });
        count = events.filter(({ type }) => type === 'commented').length;
        return { events, before: async (tx) => await takeDrafts(tx, id, drafts) };
      },
    });
    return { loop, comments: count === 0 ? [] : loop.comments.slice(-count) };
  } catch (error) {
    if (error instanceof Done) return error.submitted;
    throw error;
  }
}

/** A secret in the text is not in its hash either. */
function markOf(engine: Engine, { as, text }: Pick<Submission, 'as' | 'text'>): SubmissionMark {
  return { id: ulid(Date.parse(engine.now())), as, textSha256: text === null ? null : sha256(redact(text)) };
}

/** They were submitted before, and in the same way. */
class Done extends Error {
  readonly submitted: Submitted;

  constructor(submitted: Submitted) {
    super('the drafts are comments already');
    this.submitted = submitted;
  }
}

type Chosen = { readonly wanted: readonly string[] | null; readonly mark: SubmissionMark };

async function chosenDrafts(engine: Engine, loop: Loop, { wanted, mark }: Chosen): Promise<readonly Draft[]> {
  const drafts = await engine.store.drafts(loop.id);
  if (wanted === null) return drafts;
  const comments = loop.comments.filter(({ draft }) => draft !== null && wanted.includes(draft.id));
  if (wanted.length > 0 && comments.length === wanted.length) throw alreadySubmitted(loop, comments, mark);
  if (comments.length > 0)
    throw new VolleyError(
      'conflict',
      'Some of these drafts were submitted already.',
      'List the drafts again, and submit those that are left.',
    );
  const byId = new Map(drafts.map((draft) => [draft.id, draft]));
  const missing = wanted.find((draftId) => !byId.has(draftId));
  if (missing === undefined) return wanted.flatMap((draftId) => byId.get(draftId) ?? []);
  // Somebody may have submitted it since the loop was read.
  if ((await requireLoop(engine, loop.id)).seq !== loop.seq) throw new Moved();
  throw unknownDraft(loop.id, missing);
}

/** What comes of submitting drafts again: what they became, or, where something else was meant by it, a conflict. */
function alreadySubmitted(loop: Loop, comments: readonly Comment[], mark: SubmissionMark): Done | VolleyError {
  const isSame = comments.every(({ submission }) => submission?.as === mark.as && submission.textSha256 === mark.textSha256);
  if (!isSame)
    return new VolleyError(
      'conflict',
      `These drafts were submitted already, but not as '${mark.as}' with this text.`,
      'See the comments that they became; to say more, submit it with an empty list of drafts.',
    );
  const ids = comments.map(({ submission }) => submission?.id);
  const isPart = ({ draft, submission }: Comment): boolean => draft === null && submission !== null && ids.includes(submission.id);
  return new Done({ loop, comments: loop.comments.filter((one) => comments.includes(one) || isPart(one)) });
}

/** Takes the drafts away, if they are still as they were read. */
async function takeDrafts(tx: Transaction, id: number, drafts: readonly Draft[]): Promise<void> {
  const now = new Map((await tx.drafts(id)).map((draft) => [draft.id, draft]));
  if (drafts.some((draft) => JSON.stringify(now.get(draft.id)) !== JSON.stringify(draft))) throw new Moved();
  await tx.dropDrafts(
    id,
    drafts.map((draft) => draft.id),
  );
}

async function submittedEvents(
  engine: Engine,
  loop: Loop,
  { by, as, text, drafts, mark }: Omit<Submission, 'drafts'> & { readonly drafts: readonly Draft[]; readonly mark: SubmissionMark },
): Promise<readonly Event[]> {
  const asks = as === 'request-changes';
  const summary = text === null || as === 'approve' ? [] : [{ by, asks, text, file: null, line: null, lineEnd: null }];
  const comments = [...summary, ...(await placeDrafts(engine, loop, drafts)).map((placed) => ({ ...placed, by, asks }))];
  const events = await commentedEvents(
    engine,
    loop,
    comments.map((comment) => ({ ...comment, submission: mark })),
  );
  if (as !== 'approve') return events;
  return [...events, { type: 'overridden', override: 'verdict', verdict: 'APPROVED', by, reason: text, review: false }];
}

/** The drafts where their lines are now; one whose lines are gone is about its file, and quotes them. */
async function placeDrafts(engine: Engine, loop: Loop, drafts: readonly Draft[]): Promise<readonly Omit<CommentRequest, 'by' | 'asks'>[]> {
  const to = (currentHead(loop) ?? loop.start).commit;
  const froms = new Set(drafts.map((draft) => originOf(loop, draft)).filter((from) => from !== to));
  const deltas = new Map<string, Delta>();
  for (const from of froms) deltas.set(from, { from, files: [...(await engine.workspace.readDelta(from, to))] });
  return await Promise.all(
    drafts.map(async (draft) => {
      const { id, text, file, line, lineEnd } = draft;
      const from = originOf(loop, draft);
      const delta = deltas.get(from);
      const { anchor, ...at } =
        delta === undefined ? { file, line, lineEnd, anchor: 'exact' as DraftAnchor } : reanchor({ file, line, lineEnd }, delta);
      if (anchor !== 'outdated') return { text, ...at, draft: { id, anchor } };
      const lost = { text: await quoting(engine, draft, from), file: at.file, line: null, lineEnd: null };
      return { ...lost, draft: { id, anchor } };
    }),
  );
}

async function quoting(engine: Engine, { text, file, line, lineEnd }: Draft, from: string): Promise<string> {
  const snippet = await snippetOf(engine, from, { file, line, lineEnd, place: 'changed', hunks: [] });
  if (snippet === null) return text;
  const quoted = snippet.split('\n').map((one) => `> ${one}`);
  return [
    text,
    '',
    `It was written about ${shownPlace({ file, line, lineEnd })} of ${from.slice(0, 8)}, which changed since:`,
    ...quoted,
  ].join('\n');
}

function nothingSaid(): VolleyError {
  return new VolleyError('bad-usage', 'There is nothing to submit.', 'Write a draft first, or say something in `text`.');
}

type Said = Seen & {
  readonly make: (loop: Loop) => Promise<{ readonly events: readonly Event[]; readonly before: (tx: Transaction) => Promise<void> }>;
};

/** Says what is about lines of the newest commit, all of it or nothing; where somebody commits meanwhile, it is read anew. */
async function sayAtHead(engine: Engine, id: number, { seq, make }: Said): Promise<Loop> {
  return await untilUnmoved(id, async () => {
    const loop = await followBranch(engine, await requireLoop(engine, id));
    const {
      events: [first, ...others],
      before,
    } = await make(loop);
    if (first === undefined) throw nothingSaid();
    return await takeTogether(engine, id, {
      seq,
      events: [first, ...others],
      before: async (tx) => {
        const now = await tx.load(id);
        if (now === null || currentHead(now)?.commit !== currentHead(loop)?.commit) throw new Moved();
        await before(tx);
      },
    });
  });
}
