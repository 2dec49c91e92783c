import { lstat, rm, unlink } from 'node:fs/promises';
import { VolleyError } from '../core/errors.ts';
import type { Checkout } from './checkout.ts';
import { mendCheckout } from './checkout.ts';
import { openUp } from '../lib/remove-tree.ts';
import { hasCode } from './file-error.ts';
import { git } from './git.ts';
import { findPipes, isAboutPipe } from './stuck.ts';

/**
 * Does something with a checkout that agents and gates could reach. One that is gone is told as such; an index that git
 * cannot read any more is made anew from the commit, with the files as they are; files closed to their owner are opened, and pipes
 * on which git would wait forever are removed.
 */
export async function inSoundCheckout<T>(checkout: Checkout, commit: string, work: () => Promise<T>): Promise<T> {
  if (!(await isFolder(checkout.dir))) throw gone();
  for (let remedies = 0; ; remedies += 1) {
    try {
      if ((await lstat(checkout.index).catch(() => null))?.isFile() !== true) await renewIndex(checkout, commit);
      return await work();
    } catch (error) {
      if (remedies === MOST_REMEDIES) throw error;
      if (isAboutIndex(error, checkout)) await renewIndex(checkout, commit);
      else if (isAboutAccess(error)) await openUp(checkout.dir);
      else if (isAboutPipe(error)) await removePipes(checkout);
      else throw error;
    }
  }
}

/** Each of them once. */
const MOST_REMEDIES = 3;

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

async function renewIndex(checkout: Checkout, commit: string): Promise<void> {
  const { place, index } = checkout;
  await mendCheckout(checkout, commit);
  await Promise.all([index, `${index}.lock`].map(async (path) => await rm(path, { recursive: true, force: true })));
  await git(place, ['read-tree', '--end-of-options', commit], { indexFile: index });
}

async function removePipes({ place }: Checkout): Promise<void> {
  const pipes = await findPipes(place);
  // One that is gone already needs no removal.
  await Promise.all(pipes.map(async (path) => await unlink(Buffer.from(path, 'latin1')).catch(() => undefined)));
}

function isAboutAccess(error: unknown): boolean {
  return hasCode(error, 'EACCES') || (error instanceof VolleyError && /permission denied/i.test(error.message));
}
