import { VolleyError } from '../core/errors.ts';
import type { Event } from '../core/event.ts';
import { currentHead } from '../core/choices.ts';
import type { PlacedWords } from '../core/draft.ts';
import type { RaisedFinding, ReportedIssue } from '../core/finding.ts';
import type { Loop } from '../core/loop.ts';
import { counted } from '../core/words.ts';
import type { Engine } from './engine.ts';
import { raiseIssues } from './perform/raise.ts';

type Commented = Extract<Event, { type: 'commented' }>;

/** What a person says about the change, and where; `asks` makes it a finding of theirs that has to be answered. */
export type CommentRequest = Omit<PlacedWords, 'lineEnd'> & {
  readonly by: string;
  readonly lineEnd?: number | null;
  readonly asks: boolean;
  /** The draft that it was. */
  readonly draft?: Commented['draft'];
  readonly submission?: Commented['submission'];
};

/** Comments as events, in the places that they have in the change as it is now; those that ask for changes are findings. */
export async function commentedEvents(engine: Engine, loop: Loop, comments: readonly CommentRequest[]): Promise<readonly Commented[]> {
  const head = currentHead(loop);
  if (head === null && comments.some(({ asks }) => asks)) throw noChange(loop);
  const raised = head === null ? [] : await raise(engine, { loop, head: head.commit }, comments);
  return comments.map(({ by, text, draft, submission, asks, ...at }, index) => {
    const { file, line, lineEnd } = { lineEnd: null, ...at, ...raised[index] };
    return { type: 'commented', by, text, file, line, lineEnd, draft, submission, raised: asks ? (raised[index] ?? null) : null };
  });
}

/** Where a person says something: lines of a file of one commit. */
export type Spot = Pick<PlacedWords, 'file' | 'line' | 'lineEnd'> & { readonly commit: string };

/** Nobody should wonder later where a comment went that was about no line at all. */
export async function requirePlace(engine: Engine, loop: Loop, { file, line, lineEnd, commit }: Spot): Promise<void> {
  if (file === null && line !== null) throw new VolleyError('bad-usage', 'A line is named without its file.', 'Name the file too.');
  if (lineEnd !== null && (line === null || lineEnd < line))
    throw new VolleyError(
      'bad-usage',
      'The last line comes before the first one.',
      'Name the first line, and a last one that is not above it.',
    );
  if (file === null) return;
  const text = await engine.workspace.readText(commit, file);
  if (text === null) return await requireDeleted(engine, loop, { file, line });
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  const last = lineEnd ?? line;
  if (last !== null && last > lines)
    throw new VolleyError(
      'bad-usage',
      `'${file}' has ${counted(lines, 'line')} in task ${loop.id}, and no line ${last}.`,
      `See volley diff ${loop.id}.`,
    );
}

/** What the change deletes can be commented on as a whole. */
async function requireDeleted(
  engine: Engine,
  loop: Loop,
  { file, line }: { readonly file: string; readonly line: number | null },
): Promise<void> {
  const head = currentHead(loop);
  const files = head === null ? [] : await engine.workspace.changedPaths(loop.base.mergeBase, head.commit);
  if (files.includes(file) && line === null) return;
  const known = files.length === 0 ? '' : ` It changes ${files.slice(0, 5).join(', ')}${files.length > 5 ? ' and more' : ''}.`;
  if (files.includes(file))
    throw new VolleyError(
      'bad-usage',
      `'${file}' has no lines on that side of task ${loop.id}.`,
      'Name a line of the other side, or none to comment on the file as a whole.',
    );
  throw new VolleyError('bad-usage', `Task ${loop.id} has no file '${file}'.`, `Write the path from the project's root.${known}`);
}

/** Each comment as the finding that it would be. */
async function raise(
  engine: Engine,
  { loop, head }: { readonly loop: Loop; readonly head: string },
  comments: readonly CommentRequest[],
): Promise<readonly RaisedFinding[]> {
  if (comments.every(({ file, asks }) => file === null && !asks)) return [];
  const change = await engine.workspace.readChange(loop.base.commit, head);
  const issues = comments.map(({ text, file, line, lineEnd = null }): ReportedIssue => ({
    file,
    line,
    lineEnd,
    severity: 'high',
    category: 'logic',
    type: null,
    description: text,
    impact: null,
    suggestion: null,
    patch: null,
  }));
  const by = comments[0]?.by ?? '';
  const raised = await raiseIssues({ engine, change, reading: { issues, claim: null }, agent: by, roots: [] });
  return raised.map((finding) => ({ ...finding, source: 'person' }));
}

function noChange({ id }: Loop): VolleyError {
  return new VolleyError(
    'refused',
    `Task ${id} has no change yet.`,
    `Say it without asking for changes: it then guides the author. See volley show ${id}.`,
  );
}
