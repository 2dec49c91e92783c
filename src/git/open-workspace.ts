import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Change } from '../core/diff.ts';
import type { Head } from '../core/event.ts';
import { recall } from '../lib/recall.ts';
import type { Recall } from '../lib/recall.ts';
import { changedPaths, listFiles, readChange } from './change.ts';
import { accessOf, openCheckout, removeCheckout, resetCheckout, checkoutAt } from './checkout.ts';
import type { Checkout } from './checkout.ts';
import { commitEdit } from './commit-edit.ts';
import { stageForHooks } from './commit-hooks.ts';
import { readDelta } from './delta.ts';
import { git } from './git.ts';
import { joinCommits } from './join-commits.ts';
import { loopFolder } from './loop-folder.ts';
import { importCommits, keepCommits } from './mirror.ts';
import type { Mirror } from './mirror.ts';
import type { Identity, Project } from './project.ts';
import { findPorts, portEnvironment, provision } from './provision.ts';
import { publishBranch } from './publish.ts';
import { findBranchMove, keepOurs } from './branch-move.ts';
import { isAncestor, treeOf } from './refs.ts';
import { reviewPlaces } from './review-place.ts';
import { readSigning } from './sign.ts';
import type { Signing } from './sign.ts';
import { removeOpened } from './sound-checkout.ts';
import { textReader } from './text-reader.ts';
import { trustedRun } from './trusted-run.ts';
import { isReady, mendLeftCheckout, workCheckout } from './work-checkout.ts';
import type { CheckoutRequest, EditOutcome, WorkCheckout, Workspace } from './workspace.ts';

type Opened = { readonly project: Project; readonly mirror: Mirror; readonly folder: string; readonly identity: Identity };

/** What was learnt about commits, which never change, and once about the user. A fixer is shown the change that was just reviewed. */
type Known = {
  readonly changes: Recall<Change>;
  readonly paths: Recall<readonly string[]>;
  readonly signing: Recall<Signing | null>;
};

const KNOWN_CHANGES = 4;
const KNOWN_PATHS = 256;

/** The git side of a project: its mirror, the checkouts below `folder`, and the user's repository. */
export function openWorkspace(opened: Opened): Workspace {
  const { project, mirror } = opened;
  const reviews = reviewPlaces(mirror.place, join(opened.folder, 'reviews'));
  const known: Known = { changes: recall(KNOWN_CHANGES), paths: recall(KNOWN_PATHS), signing: recall(1) };
  return {
    openCheckout: async (input) => await openWork(opened, known, input),
    openBase: async ({ uid, commit, copy }) => {
      const dir = baseFolder(opened, uid);
      const checkout = await openCheckout({ mirror: mirror.place, dir, commit });
      await resetCheckout(checkout, commit);
      await provision({ from: project.root, to: dir, paths: copy });
      return { dir, access: await accessOf(checkout), remove: async () => await removeCheckout(checkout) };
    },
    openReview: async (input) => await reviews.open(input),
    openHooks: async ({ uid, checkout, base, mergeBase, head, path }) => {
      const hooks = join(await exportTree(opened, base), path);
      return await stageForHooks({
        mirror: mirror.place,
        dir: hooksFolder(opened, uid),
        workTree: checkout,
        hooks,
        mergeBase,
        head,
      });
    },
    readChange: async (base, head) =>
      await known.changes.get(`${base} ${head}`, async () => await readChange({ place: mirror.place, base, head })),
    changedPaths: async (from, to) => await known.paths.get(`${from} ${to}`, async () => await changedPaths(mirror.place, from, to)),
    readDelta: async (from, to) => await readDelta(mirror.place, from, to),
    listFiles: async (commit, folder) => await listFiles(mirror.place, commit, folder),
    readText: textReader(mirror.place),
    trustedRun: async (run, { base, paths }) =>
      await trustedRun({ run, paths, roots: [project.root, project.currentWorktree] }, async () => await exportTree(opened, base)),
    exportTree: async (commit) => await exportTree(opened, commit),
    restoreTrees: async (texts) => {
      for (const commit of treesNamed(opened, texts)) await exportTree(opened, commit);
    },
    publish: async (input) => {
      const before = await findMove(opened, input);
      if (before !== null) return { kind: 'moved', ...before };
      const result = await publishBranch({ ...input, mirror: mirror.place, user: project.place });
      return result.kind === 'moved' ? { kind: 'moved', ...(await moveTo(opened, input, result.to)) } : result;
    },
    commitEdit: async (input) => await commitOnBranch(opened, known, input),
    movedBranch: async (input) => await findMove(opened, input),
    joinCommits: async (commits, message) =>
      await joinCommits({ project, mirror, commits, identity: opened.identity, message, at: new Date() }),
    removeCheckout: async (input) => await removeWork(opened, known, input),
    removeThrowAways: async (uid) => {
      const [hooks, base] = [hooksFolder(opened, uid), baseFolder(opened, uid)];
      await Promise.all([
        reviews.removeAll(uid),
        rm(hooks, { recursive: true, force: true, maxRetries: 3 }),
        removeCheckout(checkoutAt(mirror.place, base)),
      ]);
    },
  };
}

function workFolder(opened: Opened, uid: string): string {
  return loopFolder(join(opened.folder, 'checkouts'), uid);
}

function baseFolder(opened: Opened, uid: string): string {
  return loopFolder(join(opened.folder, 'checkouts'), uid, '-base');
}

function hooksFolder(opened: Opened, uid: string): string {
  return loopFolder(join(opened.folder, 'hooks'), uid);
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

async function commitOnBranch(
  { project, mirror, identity }: Opened,
  known: Known,
  { branch, parent, edit, message, ...input }: Parameters<Workspace['commitEdit']>[0],
): Promise<EditOutcome> {
  const sign = input.sign === 'inherit' ? await userSigning(project, known) : null;
  const head = await commitEdit({ mirror, parent, edit, message, identity, at: new Date(), sign });
  if (head === null) return { kind: 'not-text' };
  const published = { mirror: mirror.place, user: project.place, branch, commit: head.commit, known: [parent] };
  const result = await publishBranch(published);
  if (result.kind === 'moved' || result.kind === 'checked-out') return result;
  await keepCommits(mirror, [head.commit]);
  return { kind: 'committed', head };
}

async function userSigning(project: Project, { signing }: Known): Promise<Signing | null> {
  return await signing.get('', async () => await readSigning(project.place));
}

async function openWork(opened: Opened, known: Known, input: CheckoutRequest): Promise<WorkCheckout> {
  const { mirror, project } = opened;
  const dir = workFolder(opened, input.uid);
  const [checkout, ports] = await Promise.all([openFiles(mirror, dir, input.commit), findPorts(input.uid)]);
  const provisioned = await provision({ from: project.root, to: dir, paths: input.copy });
  return await workCheckout({
    checkout,
    commit: input.commit,
    loopId: input.loopId,
    identity: opened.identity,
    provisioned: provisioned.paths,
    warnings: checkout.fresh ? provisioned.warnings : [],
    env: portEnvironment(ports),
    signing: async () => await userSigning(project, known),
    onCommit: (from, to, files) => known.paths.put(`${from} ${to}`, files),
  });
}

async function openFiles(mirror: Mirror, dir: string, commit: string): Promise<Checkout> {
  await mendLeftCheckout(checkoutAt(mirror.place, dir));
  return await openCheckout({ mirror: mirror.place, dir, commit });
}

async function removeWork(opened: Opened, known: Known, input: CheckoutRequest): Promise<void> {
  const place = opened.mirror.place;
  const checkout = checkoutAt(place, workFolder(opened, input.uid));
  if (isReady(checkout)) {
    const ref = `refs/volley/${input.loopId}/head`;
    await Promise.all([openWork(opened, known, input), git(place, ['update-ref', '--end-of-options', ref, input.commit])]);
  }
  await removeOpened(checkout.dir, async () => await removeCheckout(checkout));
}

/** The commits whose files these texts name by their path. */
function treesNamed({ folder }: Opened, texts: readonly string[]): ReadonlySet<string> {
  const parts = texts.flatMap((text) => text.split(join(folder, 'trees', '/')).slice(1));
  return new Set(parts.flatMap((part) => /^[0-9a-f]{40}(?:[0-9a-f]{24})?(?=\/)/.exec(part)?.[0] ?? []));
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
