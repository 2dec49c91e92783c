import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The bytes that would be free if a file or folder were gone: a file with another name elsewhere counts nothing, links are not followed. */
export async function ownBytes(path: string): Promise<number> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return 0;
  if (!found.isDirectory()) return found.nlink > 1 ? 0 : found.size;
  // What is closed to us, or goes away meanwhile, is not counted.
  const names = await readdir(path).catch(() => []);
  let bytes = 0;
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const sizes = await Promise.all(names.slice(at, at + AT_ONCE).map(async (name) => await ownBytes(join(path, name))));
    bytes += sizes.reduce((sum, size) => sum + size, 0);
  }
  return bytes;
}

const AT_ONCE = 64;
