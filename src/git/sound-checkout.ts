import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { VolleyError } from '../core/errors.ts';
import type { Checkout } from './checkout.ts';
import { disarm } from './disarm.ts';
import { hasCode } from './file-error.ts';
import { git } from './git.ts';

/**
 * Does something with a checkout that agents and gates could reach. One that is gone is told as such; an index that git
 * cannot read any more is made anew from the commit, with the files as they are; files closed to their owner are opened.
 */
export async function inSoundCheckout<T>(checkout: Checkout, commit: string, work: () => Promise<T>): Promise<T> {
  if (!(await isFolder(checkout.dir))) throw gone();
  try {
    return await work();
  } catch (error) {
    if (isAboutIndex(error, checkout)) await renewIndex(checkout, commit);
    else if (isAboutAccess(error)) await openUp(checkout.dir);
    else throw error;
    return await work();
  }
}

/** Removes a folder of ours that agents could reach, also where they closed a part of it. */
export async function removeOpened(folder: string, remove: () => Promise<void>): Promise<void> {
  try {
    await remove();
  } catch (error) {
    if (!isAboutAccess(error)) throw error;
    await openUp(folder);
    await remove();
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isDirectory() === true;
}

function gone(): VolleyError {
  return new VolleyError('checkout-missing', 'Its checkout is gone.', 'Try again: a new one is made from the branch.');
}

function isAboutIndex(error: unknown, { index }: Checkout): boolean {
  if (hasCode(error, 'ENOENT') && error instanceof Error && 'path' in error) return error.path === index;
  const words = /index file|bad signature|index\.lock|remove the file manually|unknown index entry|bad index/i;
  return error instanceof VolleyError && error.code === 'git-failed' && words.test(error.message);
}

async function renewIndex({ place, index }: Checkout, commit: string): Promise<void> {
  await Promise.all([index, `${index}.lock`].map(async (path) => await rm(path, { recursive: true, force: true })));
  await git(place, ['read-tree', '--end-of-options', commit], { indexFile: index, env: await disarm(place) });
}

function isAboutAccess(error: unknown): boolean {
  return hasCode(error, 'EACCES') || (error instanceof VolleyError && /permission denied/i.test(error.message));
}

/** Gives the owner of everything in a folder the right to read, write and enter it; links are not followed. */
async function openUp(path: string): Promise<void> {
  const found = await lstat(path);
  const wanted = found.isDirectory() ? 0o700 : found.isFile() ? 0o600 : 0;
  if ((found.mode & wanted) !== wanted) await chmod(path, (found.mode & 0o777) | wanted);
  if (found.isDirectory()) for (const name of await readdir(path)) await openUp(join(path, name));
}
