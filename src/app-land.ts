import { VolleyError } from './core/errors.ts';
import { isRed } from './core/event.ts';
import { landProblem } from './core/land-problem.ts';
import type { Loop } from './core/loop.ts';
import type { Engine } from './engine/engine.ts';
import { appendEvent } from './engine/append.ts';
import { requireLoop } from './engine/commands.ts';
import { followBranch, publishBranch } from './engine/branch.ts';
import type { CommandPlace } from './engine/run-command.ts';
import { setsUp, tryGates } from './engine/perform/gate.ts';
import type { GateStep } from './engine/perform/gate.ts';
import { readBranch } from './git/holders.ts';
import { landBranch } from './git/land.ts';
import type { LandResult } from './git/land.ts';
import { landPatch } from './git/land-patch.ts';
import type { PatchResult } from './git/land-patch.ts';
import { importCommits } from './git/mirror.ts';
import type { Mirror } from './git/mirror.ts';
import type { Identity, Project } from './git/project.ts';
import { provision } from './git/provision.ts';
import { currentHead, isAncestor } from './git/refs.ts';

/** What came of landing, and where. */
export type Landing = { readonly onto: string; readonly result: LandResult | PatchResult };

type Landed = {
  readonly project: Project;
  readonly mirror: Mirror;
  readonly engine: Engine;
  readonly person: Identity;
  readonly scratch: string;
  readonly signal: AbortSignal;
};

/** Brings work over that is approved, or that was left to a person without a review: into a branch, or, for a working tree, as a patch. */
export async function landLoop(open: Landed, asked: Loop, named: string | null): Promise<Landing> {
  const loop = await publishBranch(open.engine, await followBranch(open.engine, asked));
  const head = landable(loop);
  await requireOwnWord(open, loop);
  const landing = await land(open, loop, { head, named });
  const { kind } = landing.result;
  const isThere = kind === 'already' && loop.landed?.commit !== head;
  if (kind === 'fast-forward' || kind === 'merged' || kind === 'applied' || isThere) {
    await appendEvent(open.engine, loop.id, { type: 'landed', onto: landing.onto, commit: head, by: open.person.name });
  }
  return landing;
}

/** What a task started from comes along with it, so each part of that must be fit to be landed now, or be there already. */
async function requireGround(open: Landed, loop: Loop, onto: string): Promise<void> {
  const there = loop.ground.length === 0 ? null : await readBranch(open.project.place, onto);
  if (there !== null) await importCommits(open.mirror, open.project, [there]);
  for (const { id, commit } of loop.ground) {
    if (there !== null && (await isAncestor(open.mirror.place, commit, there))) continue;
    const on = await requireLoop(open.engine, id);
    const problem = on.head?.commit === commit ? landProblem(on) : { message: `Task ${id} has changed since.` };
    if (problem !== null)
      throw new VolleyError(
        'refused',
        `Task ${loop.id} builds on task ${id}, which would come along: ${problem.message}`,
        `Settle task ${id} and land it first: volley show ${id}.`,
      );
    await requireOwnWord(open, on);
    await requireGround(open, on, onto);
  }
}

/** The word of a file is not taken for that of this project's journal. */
async function requireOwnWord({ project, engine: { store } }: Landed, { id, imported }: Loop): Promise<void> {
  if (imported === null) return;
  const { requireBorneOut } = await import('./app-land-imported.ts');
  await requireBorneOut({ project, store }, id);
}

function landable(loop: Loop): string {
  const problem = landProblem(loop);
  if (problem !== null) throw new VolleyError('refused', problem.message, problem.remedy);
  if (loop.head === null) throw new Error('a loop without a head can be landed');
  return loop.head.commit;
}

async function land(open: Landed, loop: Loop, { head, named }: { readonly head: string; readonly named: string | null }): Promise<Landing> {
  const { project, mirror } = open;
  if (loop.task.source.kind === 'working-tree') {
    const result = await landPatch({ user: project.place, mirror: mirror.place, base: loop.start.commit, head });
    return { onto: 'the working tree', result };
  }
  const onto = named ?? (await targetOf(project, loop));
  await requireGround(open, loop, onto);
  const result = await landBranch({
    project,
    mirror,
    onto,
    commit: head,
    // Its own for each landing: another one may be under way, or have been killed in the middle.
    scratchDir: `${open.scratch}-${process.pid}-${loop.uid}`,
    identity: open.person,
    message: `Merge task ${loop.id}: ${loop.task.title}`,
    at: new Date(open.engine.now()),
    runGates: async (place) => await gatesOn(open, loop, place),
  });
  return { onto, result };
}

async function targetOf(project: Project, loop: Loop): Promise<string> {
  const { source } = loop.task;
  if (source.kind === 'branch' && (await readBranch(project.place, source.branch)) !== null) return source.branch;
  const { branch } = await currentHead(project);
  if (branch !== null) return branch;
  throw new VolleyError(
    'bad-usage',
    'No branch is checked out, so there is nothing to land on.',
    `Name one: volley land ${loop.id} --onto BRANCH.`,
  );
}

/** The gates on a merge, in a folder that is provisioned and set up like every checkout; what was red on the base does not block. */
async function gatesOn(open: Landed, loop: Loop, place: CommandPlace): Promise<{ readonly passed: boolean; readonly detail: string }> {
  const { engine, project } = open;
  const step: GateStep = { engine, loop, action: { do: 'gates', why: 'a merge' }, token: 0, signal: open.signal };
  await provision({ from: project.root, to: place.dir, paths: loop.settings.checkout.copy });
  if (!(await setsUp(step, place))) return { passed: false, detail: 'the set-up command failed' };
  const paths = await engine.workspace.changedPaths(loop.base.mergeBase, loop.head?.commit ?? loop.base.mergeBase);
  const red = (await tryGates(step, place, paths)).find(isRed);
  if (red === undefined) return { passed: true, detail: '' };
  const said = red.output.trim().split('\n').slice(-5).join('\n') || `exit code ${red.exitCode ?? 'none'}`;
  return { passed: false, detail: `${red.name} failed: ${said}` };
}
