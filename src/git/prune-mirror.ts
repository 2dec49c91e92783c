import { existsSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { VolleyError } from '../core/errors.ts';
import { ownBytes } from '../lib/own-bytes.ts';
import { git } from './git.ts';
import { markPruned } from './mirror.ts';
import type { Mirror } from './mirror.ts';

/** What came of it; `left` says why nothing was done. */
export type Pruned = { readonly kind: 'pruned'; readonly freedBytes: number } | { readonly kind: 'left'; readonly why: string };

/**
 * Packs the objects of a mirror, and removes those that no ref leads to and that are older than a moment. Packs that the user's
 * repository has too stay as they are: they are the same files, and another copy of them would only take room. New packs are
 * whole before old ones go, so it may be killed at any time; nobody may drive a loop meanwhile.
 */
export async function pruneMirror(mirror: Mirror, before: Date): Promise<Pruned> {
  const { place, dir } = mirror;
  // Git takes objects for expendable that it believes to get again, and here it never fetches any.
  if (/partialclone|promisor/i.test(place.config ?? '')) return { kind: 'left', why: 'this repository is a partial clone' };
  if (existsSync(join(dir, 'shallow'))) return { kind: 'left', why: 'the history of this repository is shallow' };
  const objects = join(dir, 'objects');
  const bytes = await ownBytes(objects);
  await markPruned(mirror);
  const since = before.toISOString();
  const kept = (await sharedPacks(join(objects, 'pack'))).map((name) => `--keep-pack=${name}`);
  const config = { 'repack.writeBitmaps': 'false' };
  try {
    await git(place, ['repack', '-A', '-d', '-l', '-n', '-q', `--unpack-unreachable=${since}`, ...kept], { config });
    await git(place, ['prune', `--expire=${since}`]);
  } catch (error) {
    // What an agent left in a checkout may keep git from looking at it; then all of it stays.
    if (error instanceof VolleyError) return { kind: 'left', why: error.message.replace(/\.$/, '') };
    throw error;
  }
  return { kind: 'pruned', freedBytes: Math.max(0, bytes - (await ownBytes(objects))) };
}

/** Packs that have another name elsewhere. */
async function sharedPacks(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.pack'));
  const links = await Promise.all(names.map(async (name) => (await lstat(join(folder, name)).catch(() => null))?.nlink ?? 0));
  return names.filter((_, index) => (links[index] ?? 0) > 1);
}
