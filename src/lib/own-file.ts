import { lstat, readFile, realpath, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';

/** A text file below a folder that may be changed, or why not. */
export type OwnFile =
  | { readonly kind: 'text'; readonly text: string; write(text: string): Promise<void> }
  | { readonly kind: 'refused'; readonly why: string };

/** Opens a file that truly lies below a folder: a link must not lead anybody out of it, and git's own files are nobody's. */
export async function openOwnFile(dir: string, file: string): Promise<OwnFile> {
  const path = join(dir, file);
  if (file === '' || file.split('/').includes('.git') || !(await isOwnFile(path, dir))) {
    return { kind: 'refused', why: 'it names no file that could be changed' };
  }
  const bytes = await readFile(path);
  const text = bytes.toString('utf8');
  // Other bytes than those of the finding would come back changed.
  if (!Buffer.from(text).equals(bytes)) return { kind: 'refused', why: 'its file is not UTF-8' };
  return { kind: 'text', text, write: async (changed) => await writeFile(path, changed) };
}

async function isOwnFile(path: string, dir: string): Promise<boolean> {
  const stat = await lstat(path).catch(() => null);
  if (stat === null || !stat.isFile()) return false;
  const [folder, root] = await Promise.all([realpath(dirname(path)), realpath(dir)]);
  return folder === root || folder.startsWith(`${root}${sep}`);
}
