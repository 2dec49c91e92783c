import { copyFile, mkdtemp, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode } from './file-error.ts';
import { git } from './git.ts';
import type { GitOptions } from './git.ts';
import { completeCommit, importCommits, objectsOf } from './mirror.ts';
import type { Mirror } from './mirror.ts';
import { borrowFrom } from './objects.ts';
import { userIdentity } from './project.ts';
import type { Identity, Project } from './project.ts';
import { currentHead, treeOf } from './refs.ts';

/** What the commit of a working tree says. */
export const SNAPSHOT_MESSAGE = 'volley: working tree';

/** A commit of the mirror that holds the user's working tree as it was. */
export type Snapshot = { readonly commit: string; readonly tree: string };

/**
 * Commits the user's tracked and untracked files, not the ignored ones, on top of their HEAD, or gives null if nothing
 * differs. Neither their index nor their object store is written.
 */
export async function snapshotWorkingTree(options: { readonly project: Project; readonly mirror: Mirror }): Promise<Snapshot | null> {
  const { project, mirror } = options;
  const [head, who] = await Promise.all([currentHead(project), userIdentity(project)]);
  await importCommits(mirror, project, [head.commit]);
  const tree = await workingTreeOf(options);
  if (tree === (await treeOf(project.place, head.commit))) return null;
  const known = await findSnapshot(mirror, tree, head.commit);
  if (known !== null) await importCommits(mirror, project, [known]);
  const commit = known ?? (await commitTree({ project, mirror, tree, parent: head.commit, who }));
  if (known === null) await completeCommit(mirror, project, commit);
  return { commit, tree };
}

/** A tree in which nothing changed since it was looked at last has the same commit. */
async function findSnapshot(mirror: Mirror, tree: string, parent: string): Promise<string | null> {
  const format = '--format=%(objectname) %(tree) %(parent) %(contents:subject)';
  const listed = (await git(mirror.place, ['for-each-ref', format, 'refs/volley/base/'])).split('\n');
  const found = listed.find((line) => line.endsWith(` ${tree} ${parent} ${SNAPSHOT_MESSAGE}`));
  return found?.split(' ')[0] ?? null;
}

/** The tree that a snapshot would have; its objects lie in the mirror, and nothing keeps them there. */
export async function workingTreeOf({ project, mirror }: { readonly project: Project; readonly mirror: Mirror }): Promise<string> {
  const folder = await mkdtemp(join(dirname(mirror.dir), 'snapshot-'));
  try {
    return await writeWorkingTree(project, mirror, join(folder, 'index'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeWorkingTree(project: Project, mirror: Mirror, indexFile: string): Promise<string> {
  const options: GitOptions = {
    indexFile,
    config: { 'core.splitIndex': 'false' },
    env: { GIT_OBJECT_DIRECTORY: join(mirror.dir, 'objects'), ...borrowFrom(objectsOf(project)) },
  };
  if (!(await copyIndex(join(project.place.gitDir, 'index'), indexFile))) await git(project.place, ['read-tree', 'HEAD'], options);
  await git(project.place, ['add', '--update'], options);
  const listed = await git(project.place, ['ls-files', '-z', '--others', '--exclude-standard'], options);
  // A name with a slash at its end is a repository inside the tree that is no submodule; its files are its own.
  const input = listed.replace(/[^\0]*\/\0/g, '');
  if (input !== '') await git(project.place, ['update-index', '-z', '--add', '--stdin'], { ...options, input });
  return (await git(project.place, ['write-tree', '--missing-ok'], options)).trim();
}

/** Git trusts an entry that is older than its index, so the copy must not look younger than what it was made from. */
async function copyIndex(from: string, to: string): Promise<boolean> {
  try {
    const { atime, mtimeMs } = await stat(from);
    await copyFile(from, to);
    await utimes(to, atime, new Date(Math.floor(mtimeMs) - 1));
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

type CommitPlan = {
  readonly project: Project;
  readonly mirror: Mirror;
  readonly tree: string;
  readonly parent: string;
  readonly who: Identity;
};

async function commitTree({ project, mirror, tree, parent, who }: CommitPlan): Promise<string> {
  const person = { GIT_AUTHOR_NAME: who.name, GIT_AUTHOR_EMAIL: who.email, GIT_COMMITTER_NAME: who.name, GIT_COMMITTER_EMAIL: who.email };
  const env = { ...borrowFrom(objectsOf(project)), ...person };
  return (await git(mirror.place, ['commit-tree', tree, '-p', parent, '-m', SNAPSHOT_MESSAGE], { env })).trim();
}
