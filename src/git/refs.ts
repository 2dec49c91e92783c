import { VolleyError } from '../core/errors.ts';
import { git, gitError, tryGit } from './git.ts';
import type { GitPlace } from './git.ts';
import type { Project } from './project.ts';

/** The commit that is checked out, and its branch, which a detached head has not. */
export type CurrentHead = { readonly commit: string; readonly branch: string | null };

/** A name that people know a commit by. */
export type NamedCommit = { readonly ref: string; readonly commit: string };

/** The commit that a name stands for, tags peeled. */
export async function resolveCommit(place: GitPlace, ref: string): Promise<string> {
  if (ref !== '' && !ref.includes('\0')) {
    const result = await tryGit(place, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]);
    if (result.exitCode === 0) return result.stdout.toString('utf8').trim();
  }
  const names = await nearestRefs(place, ref);
  const remedy = names.length === 0 ? 'See git branch --all for what there is.' : `Did you mean ${names.join(', ')}?`;
  throw new VolleyError('unknown-ref', `There is no commit, branch or tag called '${ref}'.`, remedy);
}

/** What is checked out in the work tree that the user is in. */
export async function currentHead(project: Project): Promise<CurrentHead> {
  const lines = (await git(project.place, ['rev-parse', 'HEAD^{commit}', '--symbolic-full-name', 'HEAD'])).split('\n');
  const [commit = '', ref = ''] = lines;
  return { commit, branch: ref.startsWith(BRANCHES) ? ref.slice(BRANCHES.length) : null };
}

/** What a change is compared with unless told otherwise: the remote's default branch, else `main` or `master`. */
export async function defaultBase(project: Project): Promise<NamedCommit | null> {
  return await firstOf(project, BASES);
}

/** The default branch as the remote had it when this repository heard of it last; null without a remote. */
export async function remoteDefault(project: Project): Promise<NamedCommit | null> {
  return await firstOf(project, [REMOTE_HEAD, ...REMOTE_DEFAULTS]);
}

/** The default branch of this repository alone; what is checked out, where it has none that could be told by its name. */
export async function localDefault(project: Project): Promise<NamedCommit> {
  const found = await firstOf(project, LOCAL_DEFAULTS);
  if (found !== null) return found;
  const { branch, commit } = await currentHead(project);
  return { ref: branch ?? 'HEAD', commit };
}

async function firstOf({ place }: Project, refs: readonly string[]): Promise<NamedCommit | null> {
  const listed = await git(place, ['for-each-ref', '--format=%(refname) %(objectname) %(symref:short)', ...refs]);
  const found = new Map(listed.split('\n').map((line) => [line.slice(0, line.indexOf(' ')), line.split(' ')]));
  for (const ref of refs) {
    const [name, commit, target] = found.get(ref) ?? [];
    if (name && commit) return { ref: target || name.replace(/^refs\/(heads|remotes)\//, ''), commit };
  }
  return null;
}

/** The best common ancestor of two commits. */
export async function mergeBase(place: GitPlace, a: string, b: string): Promise<string> {
  const args = ['merge-base', '--end-of-options', a, b];
  const result = await tryGit(place, args);
  if (result.exitCode === 0) return result.stdout.toString('utf8').trim();
  throw result.exitCode === 1 ? noCommonHistory(a, b) : gitError(args, result);
}

/** The latest commit that a head has in common with any of these; null if it has nothing in common with them, or they are gone. */
export async function latestShared(place: GitPlace, head: string, others: readonly string[]): Promise<string | null> {
  const found = await Promise.all(others.map(async (other) => await tryGit(place, ['merge-base', '--end-of-options', other, head])));
  let latest: string | null = null;
  for (const { exitCode, stdout } of found) {
    const commit = stdout.toString('utf8').trim();
    if (exitCode === 0 && (latest === null || (await isAncestor(place, latest, commit)))) latest = commit;
  }
  return latest;
}

/** The error of two commits that cannot be compared. */
export function noCommonHistory(a: string, b: string): VolleyError {
  const remedy = 'Choose another base; in a shallow clone fetch more history first: git fetch --deepen=100.';
  return new VolleyError('unknown-ref', `${a.slice(0, 12)} and ${b.slice(0, 12)} have no common history.`, remedy);
}

/** Whether the second commit contains the first one. */
export async function isAncestor(place: GitPlace, ancestor: string, descendant: string): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', '--end-of-options', ancestor, descendant];
  const result = await tryGit(place, args);
  if (result.exitCode > 1 || result.exitCode < 0) throw gitError(args, result);
  return result.exitCode === 0;
}

/** The tree of a commit. */
export async function treeOf(place: GitPlace, commit: string): Promise<string> {
  return (await git(place, ['rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`])).trim();
}

const BRANCHES = 'refs/heads/';

const REMOTE_HEAD = 'refs/remotes/origin/HEAD';
const LOCAL_DEFAULTS = ['refs/heads/main', 'refs/heads/master'];
const REMOTE_DEFAULTS = ['refs/remotes/origin/main', 'refs/remotes/origin/master'];

/** A clone made by a build server often has neither `origin/HEAD` nor local branches, hence the last two. */
const BASES = [REMOTE_HEAD, ...LOCAL_DEFAULTS, ...REMOTE_DEFAULTS];

async function nearestRefs(place: GitPlace, wanted: string): Promise<readonly string[]> {
  const listed = await git(place, ['for-each-ref', '--format=%(refname:short)', 'refs/heads', 'refs/remotes', 'refs/tags']);
  const pairs = letterPairs(wanted);
  return listed
    .split('\n')
    .map((name) => ({ name, likeness: likeness(pairs, letterPairs(name)) }))
    .filter((candidate) => candidate.name !== '' && candidate.likeness >= 0.4)
    .toSorted((a, b) => b.likeness - a.likeness)
    .slice(0, 3)
    .map((candidate) => candidate.name);
}

function letterPairs(word: string): ReadonlySet<string> {
  const lower = `^${word.toLowerCase()}$`;
  return new Set(Array.from({ length: Math.max(0, lower.length - 1) }, (_, at) => lower.slice(at, at + 2)));
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return a.size + b.size === 0 ? 0 : (2 * [...a].filter((pair) => b.has(pair)).length) / (a.size + b.size);
}

/** The names of the user's branches that begin with a prefix. */
export async function branchNames(place: GitPlace, prefix: string): Promise<string[]> {
  const listed = await git(place, ['for-each-ref', '--format=%(refname:lstrip=2)', `refs/heads/${prefix}`]);
  return listed.split('\n').filter((name) => name !== '');
}
