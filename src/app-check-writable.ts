import { constants } from 'node:fs';
import { access, lstat, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The path because of which a folder can neither be written nor made; null if nothing is in the way. */
export async function obstacleTo(folder: string): Promise<string | null> {
  const nearest = await nearestExisting(folder);
  const isFolder = (await stat(nearest).catch(() => null))?.isDirectory() === true;
  return isFolder && (await canWrite(nearest)) ? null : nearest;
}

/** The path itself, or what of it exists. A link to nowhere does: nothing can be made in its place. */
export async function nearestExisting(path: string): Promise<string> {
  const found = await lstat(path).catch(() => null);
  return found !== null || dirname(path) === path ? path : await nearestExisting(dirname(path));
}

async function canWrite(path: string): Promise<boolean> {
  return await access(path, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}
