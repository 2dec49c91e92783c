import type { Loop } from '../core/loop.ts';
import { failpoint } from '../lib/failpoint.ts';
import { appendEvent } from './append.ts';
import type { Engine } from './engine.ts';
import { supersede } from './supersede.ts';

/**
 * Gives the user's repository the newest commit of the loop, and to whoever took it over a branch even without one; a branch
 * that somebody moved becomes an event.
 */
export async function publishBranch(engine: Engine, loop: Loop): Promise<Loop> {
  if (loop.commits.length === 0 && loop.takenOver === null) return loop;
  await failpoint('publish');
  const result = await engine.workspace.publish(ourBranch(loop));
  await failpoint('published');
  if (result.kind === 'moved') return await noteMove(engine, loop, result);
  return result.kind === 'checked-out' ? await noteHeld(engine, loop, result.workTree) : loop;
}

/** Takes notice of a branch that somebody else moved since we last looked. */
export async function followBranch(engine: Engine, loop: Loop): Promise<Loop> {
  const moved = await engine.workspace.movedBranch(ourBranch(loop));
  if (moved !== null) return await noteMove(engine, loop, moved);
  // Whoever moved it took that back.
  return loop.pushed === null || loop.head === null ? loop : await noteMove(engine, loop, { head: loop.head, descends: true });
}

/** The branch of a loop, its newest commit, and all commits that may be there because of us. */
export function ourBranch(loop: Loop): {
  readonly loopId: number;
  readonly branch: string;
  readonly commit: string;
  readonly known: readonly string[];
} {
  return { loopId: loop.id, branch: loop.branch, commit: (loop.head ?? loop.start).commit, known: [loop.start.commit, ...loop.commits] };
}

async function noteHeld(engine: Engine, loop: Loop, workTree: string): Promise<Loop> {
  const text = `${loop.branch} is checked out in ${workTree} and was left where it is; our newest commit comes there once it is free.`;
  return loop.notes.includes(text) ? loop : await appendEvent(engine, loop.id, { type: 'warned', about: 'branch', text });
}

async function noteMove(
  engine: Engine,
  loop: Loop,
  moved: { readonly head: { readonly commit: string; readonly tree: string }; readonly descends: boolean },
): Promise<Loop> {
  if (loop.pushed?.head.commit === moved.head.commit) return loop;
  return (await supersede(engine, loop.id, { type: 'moved', head: moved.head, descends: moved.descends })).loop;
}
