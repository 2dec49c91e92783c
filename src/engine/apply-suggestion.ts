import { currentHead } from '../core/choices.ts';
import { VolleyError } from '../core/errors.ts';
import type { Head } from '../core/event.ts';
import type { Finding } from '../core/finding.ts';
import type { Loop } from '../core/loop.ts';
import { redact } from '../core/secrets.ts';
import { applySuggestionTo, costsFix, suggestionMessage, suggestionOf } from '../core/suggestion.ts';
import type { Suggestion } from '../core/suggestion.ts';
import { failpoint } from '../lib/failpoint.ts';
import { followBranch, ourBranch } from './branch.ts';
import { requireLoop } from './commands.ts';
import type { Engine } from './engine.ts';
import { subjectLine } from './perform/commit-work.ts';
import { supersede } from './supersede.ts';

/** A finding whose suggestion a person applies, who that is, and why. */
export type Applying = { readonly findingId: string; readonly by: string; readonly reason: string | null };

/** Why the exact patch of a finding cannot be applied now, as a sentence; null if it can. */
export async function suggestionProblem(engine: Engine, loop: Loop, finding: Finding): Promise<string | null> {
  const edit = await prepareEdit(engine, loop, finding);
  return edit instanceof VolleyError ? edit.message : null;
}

/** Commits the exact patch of a finding on the loop's branch, as a person's own commit, which the loop then follows. */
export async function applySuggestion(
  engine: Engine,
  id: number,
  applying: Applying,
): Promise<{ readonly loop: Loop; readonly commit: string }> {
  const loop = await followBranch(engine, await requireLoop(engine, id));
  const finding = loop.findings.find((one) => one.id === applying.findingId);
  if (finding === undefined)
    throw new VolleyError('not-found', `There is no finding ${applying.findingId}.`, `See volley findings ${id} for those of task ${id}.`);
  const edit = await prepareEdit(engine, loop, finding);
  if (edit instanceof VolleyError) throw edit;
  const { suggestion, commit, before, after } = edit;
  const result = await engine.workspace.commitEdit({
    branch: loop.branch,
    parent: commit,
    edit: { path: suggestion.file, before, after },
    message: subjectLine(suggestionMessage(suggestion)),
    sign: loop.settings.commit.sign,
  });
  await failpoint('applied');
  switch (result.kind) {
    case 'not-text':
      throw refused(loop, `${suggestion.file} is no text file`);
    case 'checked-out':
      throw new VolleyError(
        'refused',
        `${loop.branch} is checked out in ${result.workTree}, so its files would look changed there.`,
        'Check out another branch there and apply it again, or make the edit there and commit it.',
      );
    case 'moved':
      throw movedAway(await followBranch(engine, loop), commit);
    case 'committed':
      return { loop: await follow(engine, id, { ...applying, head: result.head }), commit: result.head.commit };
  }
}

/** The branch is not where it was a moment ago: somebody went on from there, or left the work behind. */
function movedAway({ id, branch, pushed }: Loop, commit: string): VolleyError {
  if (pushed?.descends === true)
    return new VolleyError(
      'conflict',
      `Somebody committed on ${branch} in this moment.`,
      'Look at the finding again, then apply it again.',
    );
  return new VolleyError(
    'conflict',
    `${branch} does not stand where task ${id} left it, at ${commit.slice(0, 12)}.`,
    `Look at what is there now; git branch --force ${branch} ${commit.slice(0, 12)} brings it back to the work.`,
  );
}

/** Journals the commit with who made it. The loop may have gone on meanwhile, or have seen the commit by itself. */
async function follow(engine: Engine, id: number, { head, findingId, by, reason }: Applying & { readonly head: Head }): Promise<Loop> {
  const seen = await engine.workspace.movedBranch(ourBranch(await requireLoop(engine, id)));
  const applied = { findingId, by, reason: reason === null ? null : redact(reason) };
  return (await supersede(engine, id, { type: 'moved', head, descends: seen?.descends ?? true, applied })).loop;
}

/** A suggestion with its file as it is at a commit, and as it would be. */
type PreparedEdit = { readonly suggestion: Suggestion; readonly commit: string; readonly before: string; readonly after: string };

/** All that applying the suggestion of a finding takes, or why that cannot be. */
async function prepareEdit(engine: Engine, loop: Loop, finding: Finding): Promise<PreparedEdit | VolleyError> {
  const { id } = loop;
  const suggestion = suggestionOf(loop, finding);
  if (typeof suggestion === 'string') return refused(loop, suggestion);
  if (costsFix(loop, suggestion))
    return new VolleyError(
      'refused',
      `A fix of task ${id} is under way, which a commit now would throw away, and ${suggestion.id} does not block.`,
      `Wait for the fix and apply it then, or take the loop over: volley takeover ${id}.`,
    );
  const { file } = suggestion;
  const { commit } = currentHead(loop) ?? loop.start;
  const paths = await engine.workspace.changedPaths(loop.base.mergeBase, commit);
  if (!paths.includes(file)) return refused(loop, `${file} is not part of the change`);
  const before = await engine.workspace.readText(commit, file);
  if (before === null) return refused(loop, `the change deletes ${file}`);
  const patched = applySuggestionTo(before, suggestion);
  if (typeof patched === 'string')
    return new VolleyError('conflict', `${patched}.`, `Make the change by hand, or let the fixer do it: volley refine ${id}.`);
  return { suggestion, commit, before, after: patched.text };
}

function refused({ id }: Loop, why: string): VolleyError {
  return new VolleyError('refused', `Task ${id} does not take that: ${why}.`, `See volley findings ${id} and volley show ${id}.`);
}
