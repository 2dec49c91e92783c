import { createHash } from 'node:crypto';
import type { Change } from '../core/diff.ts';
import { git, gitError, tryGit } from './git.ts';
import type { GitOptions, GitPlace } from './git.ts';
import { patchFlags, withoutAttributes, withoutFiles } from './patch-flags.ts';
import { parseChangedFiles } from './raw-diff.ts';
import { noCommonHistory } from './refs.ts';

/** Reads what a head changes since it left its base, both given by commit id; two git processes. */
export async function readChange(options: {
  readonly place: GitPlace;
  readonly base: string;
  readonly head: string;
  readonly signal?: AbortSignal;
}): Promise<Change> {
  const { base, head } = options;
  const place = withoutFiles(options.place);
  const quiet = withoutAttributes(place, options.signal);
  const { mergeBase, tree } = await readEnds(place, { base, head }, quiet);
  const args = ['diff-tree', '-z', '--raw', '--numstat', ...patchFlags(CONTEXT_LINES), mergeBase, head];
  const result = await tryGit(place, args, quiet);
  if (result.exitCode !== 0) throw gitError(args, result);
  const { files, end } = parseChangedFiles(result.stdout);
  const patch = result.stdout.subarray(end);
  return {
    base,
    mergeBase,
    head,
    tree,
    files,
    patch: patch.toString('utf8'),
    patchSha256: createHash('sha256').update(patch).digest('hex'),
  };
}

/** Every path that differs between two commits or trees; a rename counts as both of its paths. */
export async function changedPaths(place: GitPlace, from: string, to: string): Promise<string[]> {
  assertCommitIds(from, to);
  const listed = await git(withoutFiles(place), [
    'diff-tree',
    '-r',
    '-z',
    '--name-only',
    '--no-renames',
    '--ignore-submodules=none',
    from,
    to,
  ]);
  return splitPaths(listed);
}

/** What a file holds in a commit, the target of a symbolic link included; null if it is no file there. */
export async function readFileAt(place: GitPlace, commit: string, path: string): Promise<Buffer | null> {
  assertCommitIds(commit);
  // Git would read a leading dot as relative to its own folder, and no tree has such a path.
  if (path.includes('\0') || /^\.{0,2}(?:\/|$)/.test(path)) return null;
  const result = await tryGit(withoutFiles(place), ['cat-file', '--batch', '-z'], { input: `${commit}:${path}\0` });
  if (result.exitCode !== 0) throw gitError(['cat-file'], result);
  const header = /^[0-9a-f]+ blob (\d+)\n/.exec(result.stdout.toString('latin1', 0, 120));
  return header === null ? null : result.stdout.subarray(header[0].length, header[0].length + Number(header[1]));
}

/** Every path of a commit, or of a folder in it, submodules included. */
export async function listFiles(place: GitPlace, commit: string, folder?: string): Promise<string[]> {
  assertCommitIds(commit);
  const below = folder === undefined ? [] : ['--', `${folder}/`];
  return splitPaths(await git(withoutFiles(place), ['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit, ...below]));
}

const CONTEXT_LINES = 3;

async function readEnds(
  place: GitPlace,
  ends: { readonly base: string; readonly head: string },
  options: GitOptions,
): Promise<{ mergeBase: string; tree: string }> {
  assertCommitIds(ends.base, ends.head);
  const lines = (await git(place, ['rev-parse', `${ends.head}^{tree}`, `${ends.base}...${ends.head}`], options)).split('\n');
  const mergeBase = lines.find((line) => line.startsWith('^'))?.slice(1);
  if (mergeBase === undefined || lines[0] === undefined) throw noCommonHistory(ends.base, ends.head);
  return { mergeBase, tree: lines[0] };
}

/** Refuses what is no commit id, lest git takes it for something else. */
export function assertCommitIds(...ids: readonly string[]): void {
  for (const id of ids) if (!/^[0-9a-f]{40,64}$/.test(id)) throw new Error(`not a commit id: ${id}`);
}

function splitPaths(listed: string): string[] {
  return listed.split('\0').slice(0, -1);
}
