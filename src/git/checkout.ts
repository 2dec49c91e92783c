import { createHash, randomBytes } from 'node:crypto';
import { constants, copyFile, lstat, mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Access } from '../core/access.ts';
import { VolleyError } from '../core/errors.ts';
import { agentAccess, mendAgentRepository } from './agent-repository.ts';
import { readKept, writeKept } from './kept-files.ts';
import type { GitPlace } from './git.ts';
import { git, gitError, tryGit } from './git.ts';
import { keepFile, keepFolder, replace } from './keep-file.ts';
import { mendMirror } from './mend-mirror.ts';
import { isBelow, readStatus, toPathBytes } from './status.ts';

/** A work tree of Volley's own repository in which authors, fixers and gates work. */
export type Checkout = {
  readonly dir: string;
  readonly place: GitPlace;
  /** The index that the engine works with. Agents have one of their own, whose flags could hide files from us. */
  readonly index: string;
  /** The repository that agents and gates see, to which its `.git` leads. */
  readonly agentDir: string;
  /** Whether its files were written just now, so that provisioning and set-up are due. */
  readonly fresh: boolean;
};

/** What a linked worktree's folder may hold; anything else in it (a config, a merge under way) is not of our making. */
const ADMIN_FILES = new Set(['HEAD', 'commondir', 'gitdir', 'locked']);

/** Opens the checkout at a folder, as it was left; if it is missing or broken it is made anew from the commit. */
export async function openCheckout(input: { readonly mirror: GitPlace; readonly dir: string; readonly commit: string }): Promise<Checkout> {
  const checkout = checkoutAt(input.mirror, input.dir);
  if ((await isFolder(input.dir)) && (await isFile(checkout.index))) {
    // Left by a git that was killed with the process that owned this checkout; nobody else uses this index.
    await Promise.all([rm(`${checkout.index}.lock`, { force: true }), mendCheckout(checkout, input.commit)]);
    return checkout;
  }
  await removeCheckout(checkout);
  await Promise.all([mkdir(input.dir, { recursive: true }), mkdir(join(checkout.index, '..'), { recursive: true })]);
  await mendCheckout(checkout, input.commit);
  await readTree(checkout, input.commit);
  await giveIndexToAgents(checkout);
  return { ...checkout, fresh: true };
}

/** Makes all files but the ignored ones equal a commit; the files named in `keep` (provisioned ones) stay as they are. */
export async function resetCheckout(checkout: Checkout, commit: string, keep: readonly string[] = []): Promise<void> {
  await mendCheckout(checkout, commit);
  if (await isClean(checkout, keep)) return;
  const kept = await readKept(checkout.dir, keep);
  await readTree(checkout, commit);
  const patterns = keep.flatMap((path) => ['--exclude', `/${path.replaceAll(/[\\*?[\]!# ]/g, String.raw`\$&`)}`]);
  await git(checkout.place, ['clean', '-ffdq', ...patterns], { indexFile: checkout.index });
  await Promise.all([writeKept(checkout.dir, kept), giveIndexToAgents(checkout)]);
}

/** The common case after gates, and quicker to see than to make; an index that cannot be read is not clean. */
async function isClean(checkout: Checkout, keep: readonly string[]): Promise<boolean> {
  const entries = await readStatus(checkout.place, checkout.index).catch(() => null);
  return entries?.every((entry) => isBelow(entry.path, keep.map(toPathBytes))) === true;
}

/** Removes a checkout with all that belongs to it. */
export async function removeCheckout(checkout: Checkout): Promise<void> {
  const folders = [checkout.dir, checkout.place.gitDir, join(checkout.index, '..')];
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 3 })));
}

/** The checkout that belongs to a folder, whether it exists or not. */
export function checkoutAt(mirror: GitPlace, dir: string): Checkout {
  const digest = createHash('sha256').update(dir).digest('hex').slice(0, 10);
  const name = `${basename(dir).replaceAll(/[^A-Za-z0-9-]/g, '-')}-${digest}`;
  return {
    dir,
    place: { ...mirror, gitDir: join(mirror.commonDir, 'worktrees', name), workTree: dir },
    index: join(mirror.commonDir, 'volley', name, 'index'),
    agentDir: join(mirror.commonDir, 'volley', name, 'agent.git'),
    fresh: false,
  };
}

/** What programs in a checkout have to reach of git. */
export async function accessOf({ agentDir, dir, place }: Checkout): Promise<Access> {
  return await agentAccess(agentDir, { mirror: place.commonDir, checkout: dir });
}

/** Makes the files that tie a checkout to its repositories what they must be, with HEAD at a commit, whatever an agent wrote there. */
export async function mendCheckout(checkout: Checkout, head: string): Promise<void> {
  const { gitDir, commonDir } = checkout.place;
  await mendMirror(checkout.place);
  await Promise.all([keepFolder(commonDir, 'worktrees', basename(gitDir)), keepFolder(commonDir, 'volley', basename(gitDir))]);
  // Git would write through a link, and wait at a pipe; without an index it looks at all files anew.
  if (!(await isFile(checkout.index))) await rm(checkout.index, { recursive: true, force: true });
  const foreign = (await readdir(gitDir)).filter((name) => !ADMIN_FILES.has(name));
  await Promise.all([
    ...foreign.map((name) => rm(join(gitDir, name), { recursive: true, force: true })),
    keepFile(join(checkout.dir, '.git'), `gitdir: ${checkout.agentDir}\n`),
    mendAgentRepository(checkout.agentDir, { mirror: commonDir, head }),
    keepFile(join(gitDir, 'commondir'), `${commonDir}\n`),
    keepFile(join(gitDir, 'gitdir'), `${join(checkout.dir, '.git')}\n`),
    keepFile(join(gitDir, 'HEAD'), `${head}\n`),
    // Without it `git worktree prune`, run by an agent, would take the folder away.
    keepFile(join(gitDir, 'locked'), 'volley\n'),
  ]);
}

/** Gives agents the index that the engine has, so that their `git status` tells the same. */
export async function giveIndexToAgents(checkout: Checkout): Promise<void> {
  const temporary = join(checkout.index, '..', `for-agents-${randomBytes(4).toString('hex')}`);
  await copyIndex(checkout.index, temporary);
  await replace(temporary, join(checkout.agentDir, 'index'));
}

/** Copies an index with its age: git believes what an index says about files that are older than it. */
export async function copyIndex(from: string, to: string): Promise<void> {
  if (!(await isFile(from))) throw new VolleyError('git-failed', `${from} is not an index file.`, 'Try again: it is made anew.');
  const { atime, mtimeMs } = await stat(from);
  await rm(to, { recursive: true, force: true });
  await copyFile(from, to, constants.COPYFILE_EXCL);
  await utimes(to, atime, new Date(Math.floor(mtimeMs)));
}

/** Brings index and tracked files to a commit or tree; an index that git cannot read is made anew. */
export async function readTree(checkout: Checkout, treeish: string): Promise<void> {
  const args = ['read-tree', '--reset', '-u', '--end-of-options', treeish];
  const options = { indexFile: checkout.index };
  const first = await tryGit(checkout.place, args, options);
  if (first.exitCode === 0) return;
  if (!/index file|bad signature|corrupt|smaller than expected|index\.lock/i.test(first.stderr)) throw gitError(args, first);
  await Promise.all([checkout.index, `${checkout.index}.lock`].map(async (path) => await rm(path, { recursive: true, force: true })));
  await git(checkout.place, args, options);
}

async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isDirectory() === true;
}

async function isFile(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isFile() === true;
}
