import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Head } from '../core/event.ts';
import { changedPaths, readChange, readFileAt } from './change.ts';
import { openCheckout, removeCheckout, resetCheckout, checkoutAt } from './checkout.ts';
import { stageForHooks } from './commit-hooks.ts';
import { git } from './git.ts';
import { importCommits } from './mirror.ts';
import type { Mirror } from './mirror.ts';
import type { Identity, Project } from './project.ts';
import { findPorts, portEnvironment, provision } from './provision.ts';
import { publishBranch } from './publish.ts';
import { findBranchMove, keepOurs } from './branch-move.ts';
import { isAncestor, treeOf } from './refs.ts';
import { makeReviewerRepository } from './reviewer-repository.ts';
import { readTripwire } from './tripwire.ts';
import { isReady, mendLeftCheckout, workCheckout } from './work-checkout.ts';
import type { CheckoutRequest, ReviewPlace, WorkCheckout, Workspace } from './workspace.ts';

type Opened = { readonly project: Project; readonly mirror: Mirror; readonly folder: string; readonly identity: Identity };

/** The git side of a project: its mirror, the checkouts below `folder`, and the user's repository. */
export function openWorkspace(opened: Opened): Workspace {
  const { project, mirror } = opened;
  return {
    openCheckout: async (input) => await openWork(opened, input),
    openBase: async ({ uid, commit, copy }) => {
      const dir = baseFolder(opened, uid);
      const checkout = await openCheckout({ mirror: mirror.place, dir, commit });
      await resetCheckout(checkout, commit);
      await provision({ from: project.root, to: dir, paths: copy });
      return { dir, remove: async () => await removeCheckout(checkout) };
    },
    openReview: async (input) => await openReview(opened, input),
    openHooks: async ({ uid, checkout, base, mergeBase, head, path }) => {
      const hooks = join(await exportTree(opened, base), path);
      return await stageForHooks({
        mirror: mirror.place,
        dir: join(opened.folder, 'hooks', uid),
        workTree: checkout,
        hooks,
        mergeBase,
        head,
      });
    },
    readChange: async (base, head) => await readChange({ place: mirror.place, base, head }),
    changedPaths: async (from, to) => await changedPaths(mirror.place, from, to),
    readText: async (commit, path) => (await readFileAt(mirror.place, commit, path))?.toString('utf8') ?? null,
    exportTree: async (commit) => await exportTree(opened, commit),
    publish: async (input) => {
      const before = await findMove(opened, input);
      if (before !== null) return { kind: 'moved', ...before };
      const { branch, commit, known } = input;
      const result = await publishBranch({ mirror: mirror.place, user: project.place, branch, commit, known });
      return result.kind === 'moved' ? { kind: 'moved', ...(await moveTo(opened, input, result.to)) } : result;
    },
    movedBranch: async (input) => await findMove(opened, input),
    removeCheckout: async (input) => await removeWork(opened, input),
    removeThrowAways: async (uid) => {
      const folders = ['reviews', 'hooks'].map((name) => join(opened.folder, name, uid));
      await Promise.all([
        ...folders.map(async (dir) => await rm(dir, { recursive: true, force: true, maxRetries: 3 })),
        removeCheckout(checkoutAt(mirror.place, baseFolder(opened, uid))),
      ]);
    },
  };
}

function workFolder(opened: Opened, uid: string): string {
  return join(opened.folder, 'checkouts', uid);
}

function baseFolder(opened: Opened, uid: string): string {
  return join(opened.folder, 'checkouts', `${uid}-base`);
}

type Published = Parameters<Workspace['movedBranch']>[0];

async function findMove(opened: Opened, input: Published): ReturnType<Workspace['movedBranch']> {
  const to = await findBranchMove(opened.project.place, { branch: input.branch, known: [...input.known, input.commit] });
  return to === null ? null : await moveTo(opened, input, to);
}

/** Only the mirror has both sides: what we have not published yet is not in the user's repository. */
async function moveTo({ mirror, project }: Opened, { loopId, commit }: Published, to: string): Promise<{ head: Head; descends: boolean }> {
  await importCommits(mirror, project, [to]);
  const [tree, descends] = await Promise.all([treeOf(mirror.place, to), isAncestor(mirror.place, commit, to)]);
  if (!descends) await keepOurs(mirror.place, loopId, commit);
  return { head: { commit: to, tree }, descends };
}

async function openWork(opened: Opened, input: CheckoutRequest): Promise<WorkCheckout> {
  const { mirror, project } = opened;
  const dir = workFolder(opened, input.uid);
  await mendLeftCheckout(checkoutAt(mirror.place, dir));
  const checkout = await openCheckout({ mirror: mirror.place, dir, commit: input.commit });
  const [provisioned, ports] = await Promise.all([provision({ from: project.root, to: dir, paths: input.copy }), findPorts(input.uid)]);
  return await workCheckout({
    checkout,
    commit: input.commit,
    loopId: input.loopId,
    user: project.place,
    identity: opened.identity,
    provisioned: provisioned.paths,
    warnings: checkout.fresh ? provisioned.warnings : [],
    env: portEnvironment(ports),
  });
}

async function removeWork(opened: Opened, input: CheckoutRequest): Promise<void> {
  const place = opened.mirror.place;
  const checkout = checkoutAt(place, workFolder(opened, input.uid));
  if (isReady(checkout)) {
    await openWork(opened, input);
    await git(place, ['update-ref', '--end-of-options', `refs/volley/${input.loopId}/head`, input.commit]);
  }
  await removeCheckout(checkout);
}

async function openReview(opened: Opened, input: Parameters<Workspace['openReview']>[0]): Promise<ReviewPlace> {
  const { mirror, folder } = opened;
  const dir = join(folder, 'reviews', input.uid);
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { recursive: true });
  const { mergeBase, head, message } = input;
  const scratchDir = join(dir, 'scratch');
  const repository = await makeReviewerRepository({
    mirror: mirror.place,
    dir: join(dir, 'checkout'),
    mergeBase,
    head,
    message,
    scratchDir,
  });
  return {
    dir: repository.dir,
    scratch: scratchDir,
    base: repository.base,
    head: repository.head,
    tripwire: async () => await readTripwire(repository.place),
    remove: async () => await rm(dir, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Kept by commit, so that a program named by the base's configuration stays where a loop expects it. */
async function exportTree({ mirror, folder }: Opened, commit: string): Promise<string> {
  const dir = join(folder, 'trees', commit);
  if (existsSync(dir)) return dir;
  const draft = `${dir}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  const checkout = await openCheckout({ mirror: mirror.place, dir: join(draft, 'files'), commit });
  await rm(join(checkout.dir, '.git'), { force: true });
  await rename(checkout.dir, dir).catch((error: NodeJS.ErrnoException) => {
    // Another process made the same folder in the meantime.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
  await Promise.all([removeCheckout(checkout), rm(draft, { recursive: true, force: true })]);
  return dir;
}
