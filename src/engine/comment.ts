import { VolleyError } from '../core/errors.ts';
import type { Event } from '../core/event.ts';
import { currentHead } from '../core/choices.ts';
import type { RaisedFinding, ReportedIssue } from '../core/finding.ts';
import type { Loop } from '../core/loop.ts';
import { counted } from '../core/words.ts';
import type { Engine } from './engine.ts';
import { raiseIssues } from './perform/raise.ts';

/** What a person says about the change, and where; `asks` makes it a finding of theirs that has to be answered. */
export type CommentRequest = {
  readonly by: string;
  readonly text: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly asks: boolean;
};

/** A comment as an event: its place is one of the change as it is now, and where it asks for changes it is a finding. */
export async function commentedEvent(engine: Engine, loop: Loop, comment: CommentRequest): Promise<Extract<Event, { type: 'commented' }>> {
  const { by, text, file, line } = comment;
  if (file !== null) await requirePlace(engine, loop, { file, line });
  const head = currentHead(loop);
  const raised = head === null ? null : await raise(engine, { loop, head: head.commit }, comment);
  const said = { type: 'commented' as const, by, text };
  if (head === null && comment.asks) throw noChange(loop);
  return { ...said, file: raised?.file ?? file, line: raised?.line ?? line, raised: comment.asks ? raised : null };
}

/** Nobody should wonder later where a comment went that was about no line at all. */
async function requirePlace(
  engine: Engine,
  loop: Loop,
  { file, line }: { readonly file: string; readonly line: number | null },
): Promise<void> {
  const head = currentHead(loop);
  const text = await engine.workspace.readText((head ?? loop.start).commit, file);
  if (text === null) {
    const files = head === null ? [] : await engine.workspace.changedPaths(loop.base.mergeBase, head.commit);
    // What the change deletes can be commented on as a whole.
    if (files.includes(file) && line === null) return;
    const known = files.length === 0 ? '' : ` It changes ${files.slice(0, 5).join(', ')}${files.length > 5 ? ' and more' : ''}.`;
    throw new VolleyError('bad-usage', `Task ${loop.id} has no file '${file}'.`, `Write the path from the project's root.${known}`);
  }
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  if (line !== null && line > lines)
    throw new VolleyError(
      'bad-usage',
      `'${file}' has ${counted(lines, 'line')} in task ${loop.id}, and no line ${line}.`,
      `See volley diff ${loop.id}.`,
    );
}

async function raise(
  engine: Engine,
  { loop, head }: { readonly loop: Loop; readonly head: string },
  comment: CommentRequest,
): Promise<RaisedFinding> {
  const change = await engine.workspace.readChange(loop.base.commit, head);
  const issue: ReportedIssue = {
    file: comment.file,
    line: comment.line,
    lineEnd: null,
    severity: 'high',
    category: 'logic',
    type: null,
    description: comment.text,
    impact: null,
    suggestion: null,
    patch: null,
  };
  const [raised] = await raiseIssues({ engine, change, reading: { issues: [issue], claim: null }, agent: comment.by, roots: [] });
  if (raised === undefined) throw new Error('a comment that is no finding');
  return { ...raised, source: 'person' };
}

function noChange({ id }: Loop): VolleyError {
  return new VolleyError(
    'refused',
    `Task ${id} has no change yet.`,
    `Say it without asking for changes: it then guides the author. See volley show ${id}.`,
  );
}
