import { createHash, randomBytes } from 'node:crypto';
import { access, mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import { VolleyError } from '../core/errors.ts';
import { readPlainFile } from './file-error.ts';
import type { GitPlace } from './git.ts';
import { git, gitError, tryGit } from './git.ts';

/** A commit whose objects are to be copied; what the commits of `except` reach is in the other repository already. */
export type Copying = { readonly from: GitPlace; readonly to: GitPlace; readonly commit: string; readonly except: readonly string[] };

/** Above this number one pack is quicker than single files. */
const MANY_OBJECTS = 500;

const compress = promisify(deflate);
const decompress = promisify(inflate);

/** Copies what a commit needs from one repository to another. No ref, config or FETCH_HEAD is written, as `git fetch` would. */
export async function copyObjects(copying: Copying): Promise<void> {
  const { from, to, commit } = copying;
  const except = copying.except.length > 0 ? copying.except : await sharedCommits(copying);
  const revisions = `${commit}\n${except.map((known) => `^${known}\n`).join('')}`;
  const listing = ['rev-list', '--objects', '--no-object-names', '--missing=allow-any', '--stdin'];
  const ids = (await git(from, listing, { input: revisions })).split('\n').filter((id) => id !== '');
  if (ids.length <= MANY_OBJECTS && (await copySingly(objectsOf(from), objectsOf(to), ids))) return;
  const args = ['pack-objects', '--quiet', '--revs', '--stdout', '--missing=allow-promisor'];
  const pack = await tryGit(from, args, { input: revisions });
  if (pack.exitCode !== 0) throw gitError(args, pack);
  await git(to, ['unpack-objects', '-q', '--strict'], { input: pack.stdout });
}

/** Commits on the way to ours that the other repository has, looked for among the newest of our history. */
async function sharedCommits({ from, to, commit }: Copying): Promise<string[]> {
  const recent = await git(from, ['rev-list', '--max-count=1000', '--end-of-options', commit]);
  const listed = await git(to, ['cat-file', '--batch-check=%(objectname) %(objecttype)'], { input: recent });
  return [...listed.matchAll(/^([0-9a-f]+) commit$/gm)].map(([, id = '']) => id);
}

/** Copies loose objects, packed anew, as more may stand in their files than themselves; false if one is not loose. Children go first. */
async function copySingly(from: string, to: string, ids: readonly string[]): Promise<boolean> {
  const read = await Promise.all(ids.map(async (id) => await readObject(join(from, id.slice(0, 2), id.slice(2)), id)));
  if (read.includes(null)) return false;
  for (const [i, id] of [...ids.entries()].toReversed())
    await writeObject(join(to, id.slice(0, 2), id.slice(2)), read[i] ?? Buffer.alloc(0));
  return true;
}

async function readObject(path: string, id: string): Promise<Buffer | null> {
  // What is not loose lies in a pack.
  const bytes = await readPlainFile(path).catch(() => null);
  if (bytes === null) return null;
  const content = await decompress(bytes).catch(() => Buffer.alloc(0));
  const hash = createHash(id.length === 64 ? 'sha256' : 'sha1').update(content);
  if (hash.digest('hex') === id) return holdsGitFolder(content) ? null : await compress(content);
  throw new VolleyError(
    'git-failed',
    `Object ${id} in Volley's own repository is damaged.`,
    `Look at it with: git -C '${dirname(dirname(dirname(path)))}' fsck.`,
  );
}

/** Such a tree is not ours to judge; git itself refuses it when it takes a pack. */
function holdsGitFolder(object: Buffer): boolean {
  return object.toString('latin1', 0, 5) === 'tree ' && / \.git\0/i.test(object.toString('latin1'));
}

/** Writes an object file whole or not at all; one that is there already stays. */
export async function writeObject(path: string, bytes: Uint8Array): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  const temporary = join(folder, `tmp_obj_${randomBytes(6).toString('hex')}`);
  await writeFile(temporary, bytes, { flag: 'wx', mode: 0o444 });
  await rename(temporary, path);
}

function objectsOf(place: GitPlace): string {
  return join(place.commonDir, 'objects');
}
