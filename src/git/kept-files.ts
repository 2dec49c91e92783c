import { constants, open, lstat, mkdir, realpath, rename } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { dirname, join, sep } from 'node:path';
import { fewAtOnce } from '../lib/few-at-once.ts';

/** A file held in memory while the tree around it changes. */
export type KeptFile = { readonly path: string; readonly bytes: Buffer; readonly mode: number };

/** Reads those of the paths that are plain files inside the folder; links are never followed. */
export async function readKept(root: string, paths: readonly string[]): Promise<KeptFile[]> {
  const found = await fewAtOnce(paths, async (path) => await readPlainFile(root, path));
  return found.filter((file) => file !== null);
}

/** Puts files back; one whose folder leads out of the root, or is no folder any more, is left out. */
export async function writeKept(root: string, files: readonly KeptFile[]): Promise<void> {
  await fewAtOnce(files, async (file) => await writePlainFile(root, file));
}

/** Writes one file below a root without following links; says whether it could be placed. */
export async function writePlainFile(root: string, { path, bytes, mode }: KeptFile): Promise<boolean> {
  const target = join(root, path);
  if (!(await makeFolderInside(root, dirname(target)))) return false;
  if ((await lstat(target).catch(() => null))?.isDirectory() === true) return false;
  const temporary = `${target}.${randomBytes(4).toString('hex')}`;
  const handle = await open(temporary, 'wx', mode & 0o777);
  try {
    await handle.writeFile(bytes);
  } finally {
    await handle.close();
  }
  await rename(temporary, target);
  return true;
}

async function readPlainFile(root: string, path: string): Promise<KeptFile | null> {
  const folder = await realpath(dirname(join(root, path))).catch(() => null);
  if (folder === null || !isInside(await realpath(root), folder)) return null;
  const handle = await open(join(root, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  if (handle === null) return null;
  try {
    const stat = await handle.stat();
    return stat.isFile() ? { path, bytes: await handle.readFile(), mode: stat.mode } : null;
  } finally {
    await handle.close();
  }
}

/** Makes the folders down to one, checking each by its real path before the next is made. */
async function makeFolderInside(root: string, folder: string): Promise<boolean> {
  const real = await realpath(folder).catch(() => null);
  if (real !== null) return isInside(await realpath(root), real) && (await lstat(real)).isDirectory();
  if (folder === dirname(folder) || !(await makeFolderInside(root, dirname(folder)))) return false;
  // Something else may be there by now: another file's folder, which is fine, or a link to nowhere, which is not.
  await mkdir(folder).catch(() => null);
  return (await lstat(folder).catch(() => null))?.isDirectory() === true;
}

/** Whether a real path is the root's or lies below it. */
export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
}
