import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Head } from '../core/event.ts';
import { findFile } from './blob-lines.ts';
import { withTrailers, writeCommit } from './commit-object.ts';
import type { Author, CommitDraft } from './commit-object.ts';
import { git, gitError, tryGit } from './git.ts';
import type { Mirror } from './mirror.ts';
import type { Signing } from './sign.ts';
import { writeSignedCommit } from './sign.ts';

/** A file as it is in a commit and as it is to be in the next one. */
export type Edit = { readonly path: string; readonly before: string; readonly after: string };

/** How an edit is committed. */
export type EditCommit = {
  readonly mirror: Mirror;
  readonly parent: string;
  readonly edit: Edit;
  readonly message: string;
  readonly identity: Author;
  readonly at: Date;
  readonly sign: Signing | null;
};

const PLAIN_FILES = ['100644', '100755'];

/** Commits one edit in the mirror, without a checkout; null where the commit has no such text file. No ref leads to the new commit. */
export async function commitEdit({ mirror, parent, edit, message, identity, at, sign }: EditCommit): Promise<Head | null> {
  const { place } = mirror;
  const file = await findFile(place, parent, edit.path);
  if (file === null || !PLAIN_FILES.includes(file.mode)) return null;
  const args = ['cat-file', 'blob', file.blob];
  const old = await tryGit(place, args);
  if (old.exitCode !== 0) throw gitError(args, old);
  // Bytes that are no UTF-8 would come back changed.
  if (!old.stdout.equals(Buffer.from(edit.before))) return null;
  const blob = (await git(place, ['hash-object', '-w', '--no-filters', '--stdin'], { input: edit.after })).trim();
  const tree = await treeWith(mirror, parent, `${file.mode} ${blob}\t${edit.path}\0`);
  const draft: CommitDraft = { tree, parents: [parent], message: withTrailers(message, {}), identity, at };
  const commit = sign === null ? await writeCommit(join(mirror.dir, 'objects'), draft) : await writeSignedCommit(place, draft, sign);
  return { commit, tree };
}

async function treeWith(mirror: Mirror, commit: string, entry: string): Promise<string> {
  const folder = await mkdtemp(join(dirname(mirror.dir), 'snapshot-'));
  try {
    const options = { indexFile: join(folder, 'index') };
    await git(mirror.place, ['read-tree', '--end-of-options', commit], options);
    await git(mirror.place, ['update-index', '-z', '--index-info'], { ...options, input: entry });
    return (await git(mirror.place, ['write-tree', '--missing-ok'], options)).trim();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
