import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Removes what a program left of a folder; parts that it closed to their owner are opened first. What still stays does no harm. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // Somebody may take parts away meanwhile; the second try tells.
    await openUp(path).catch(() => undefined);
    await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}

/** Gives the owner of everything in a folder the right to read, write and enter it; links are not followed. */
export async function openUp(path: string): Promise<void> {
  const found = await lstat(path);
  const wanted = found.isDirectory() ? 0o700 : found.isFile() ? 0o600 : 0;
  if ((found.mode & wanted) !== wanted) await chmod(path, (found.mode & 0o777) | wanted);
  if (found.isDirectory()) for (const name of await readdir(path)) await openUp(join(path, name));
}
