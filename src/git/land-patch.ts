import { lstat, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GitPlace } from './git.ts';
import { git, gitError, tryGit } from './git.ts';
import { borrowFrom } from './objects.ts';

/** What came of applying fixes to the user's working tree. */
export type PatchResult =
  | { readonly kind: 'applied'; readonly files: readonly string[] }
  | { readonly kind: 'already' }
  /** Nothing was changed, because these files are no longer as they were reviewed. */
  | { readonly kind: 'differs'; readonly files: readonly string[] };

const DIFF = [
  'diff-tree',
  '-r',
  '-p',
  '--binary',
  '--full-index',
  '--no-renames',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];
const APPLY = ['apply', '--whitespace=nowarn', '-p1'];

/** Applies what changed between a reviewed snapshot and its fixes to the user's files, wholly or not at all; the index stays as it is. */
export async function landPatch(input: {
  readonly user: GitPlace;
  readonly mirror: GitPlace;
  readonly base: string;
  readonly head: string;
}): Promise<PatchResult> {
  const { user, mirror, base, head } = input;
  const entries = await readEntries(mirror, base, head);
  if (entries.length === 0 || user.workTree === null) return { kind: 'already' };
  const args = [...DIFF, '--end-of-options', base, head];
  const patch = await tryGit(mirror, args);
  if (patch.exitCode !== 0) throw gitError(args, patch);
  // Without its folder as cwd, git would apply the patch wherever it stands.
  const options = { cwd: user.workTree, input: patch.stdout, config: { 'apply.ignoreWhitespace': 'no' } };
  if ((await tryGit(user, APPLY, options)).exitCode === 0) return { kind: 'applied', files: entries.map((entry) => entry.path) };
  if ((await tryGit(user, [...APPLY, '--reverse', '--check'], options)).exitCode === 0) return { kind: 'already' };
  return { kind: 'differs', files: await differing(user, mirror, entries) };
}

type Entry = { readonly path: string; readonly mode: string; readonly id: string };

async function readEntries(mirror: GitPlace, base: string, head: string): Promise<Entry[]> {
  const raw = await git(mirror, ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', '--end-of-options', base, head]);
  return [...raw.matchAll(/:(\d+) \d+ (\S+) \S+ \w+\0([^\0]+)\0/g)].map(([, mode = '', id = '', path = '']) => ({ path, mode, id }));
}

/** Compares the user's files with the snapshot through an index of its own that holds only these paths. */
async function differing(user: GitPlace, mirror: GitPlace, entries: readonly Entry[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'volley-land-'));
  try {
    const options = { indexFile: join(folder, 'index'), env: borrowFrom(join(mirror.commonDir, 'objects')) };
    const known = entries.filter((entry) => entry.mode !== '000000');
    const input = known.map(({ mode, id, path }) => `${mode} ${id}\t${path}\0`).join('');
    await git(user, ['update-index', '-z', '--index-info'], { ...options, input });
    await tryGit(user, ['update-index', '-q', '--refresh'], options);
    const changed = (await git(user, ['diff-files', '--name-only', '-z'], options)).split('\0').filter((path) => path !== '');
    const added = entries.filter((entry) => entry.mode === '000000').map((entry) => entry.path);
    const present = await Promise.all(added.map(async (path) => (await lstat(join(user.workTree ?? '', path)).catch(() => null)) !== null));
    return [...changed, ...added.filter((_, i) => present[i])].toSorted();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
