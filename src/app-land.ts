import { VolleyError } from './core/errors.ts';
import type { Loop } from './core/loop.ts';
import type { Engine } from './engine/engine.ts';
import { workEnvironment } from './engine/prepare-checkout.ts';
import { readBranch } from './git/holders.ts';
import { landBranch } from './git/land.ts';
import type { LandResult } from './git/land.ts';
import { landPatch } from './git/land-patch.ts';
import type { PatchResult } from './git/land-patch.ts';
import type { Mirror } from './git/mirror.ts';
import type { Identity, Project } from './git/project.ts';
import { provision } from './git/provision.ts';
import { currentHead } from './git/refs.ts';

/** What came of landing, and where. */
export type Landing = { readonly onto: string; readonly result: LandResult | PatchResult };

type Landed = {
  readonly project: Project;
  readonly mirror: Mirror;
  readonly engine: Engine;
  readonly person: Identity;
  readonly scratch: string;
};

/** Brings work over that is approved, or that was left to a person without a review: into a branch, or, for a working tree, as a patch. */
export async function landLoop(open: Landed, loop: Loop, named: string | null): Promise<Landing> {
  const { project, mirror } = open;
  if (loop.head === null || (loop.approval === null && loop.state !== 'ready_for_human_review')) {
    throw new VolleyError(
      'refused',
      `Task ${loop.id} is not approved; it is ${loop.state}.`,
      `See volley show ${loop.id}; what you accept yourself can be landed too.`,
    );
  }
  if (loop.task.source.kind === 'working-tree') {
    const result = await landPatch({ user: project.place, mirror: mirror.place, base: loop.start.commit, head: loop.head.commit });
    return { onto: 'the working tree', result };
  }
  const onto = named ?? (await targetOf(project, loop));
  const result = await landBranch({
    project,
    mirror,
    onto,
    commit: loop.head.commit,
    scratchDir: open.scratch,
    identity: open.person,
    message: `Merge task ${loop.id}: ${loop.task.title}`,
    at: new Date(open.engine.now()),
    runGates: async (dir) => await gatesOn(open, loop, dir),
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

/** The gates on a merge, in a folder that is provisioned and set up like every checkout. */
async function gatesOn(
  { engine, project }: Landed,
  loop: Loop,
  dir: string,
): Promise<{ readonly passed: boolean; readonly detail: string }> {
  const { setup, copy } = loop.settings.checkout;
  await provision({ from: project.root, to: dir, paths: copy });
  const prepared = setup === null ? [] : [{ name: 'set-up', run: setup, cwd: '.', paths: [], network: true }];
  for (const gate of [...prepared, ...loop.settings.gates]) {
    const run = await engine.runGate({
      gate,
      dir,
      env: workEnvironment(engine, { dir }),
      wallMs: loop.settings.policy.timeoutsMs.gate,
      marker: `${loop.uid}-land`,
      signal: new AbortController().signal,
    });
    const said = run.output.trim().split('\n').slice(-5).join('\n') || `exit code ${run.exitCode ?? 'none'}`;
    if (!run.passed) return { passed: false, detail: `${gate.name} failed: ${said}` };
  }
  return { passed: true, detail: '' };
}
