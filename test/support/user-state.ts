import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Every file below a folder with its mode and the hash of its bytes; `leaveOut` names what may differ. */
export async function filesOf(
  folder: string,
  leaveOut: (path: string) => boolean = () => false,
): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  const kept = paths.filter((path) => !leaveOut(path)).toSorted();
  return Object.fromEntries(await Promise.all(kept.map(async (path) => [path, await printOf(join(folder, path))])));
}

/** All that belongs to the user in a repository: work tree, index, config, hooks, refs, reflogs; not what Volley may add. */
export async function userState(root: string): Promise<Readonly<Record<string, string>>> {
  return await filesOf(root, (path) => /^\.volley\/|^\.git\/(objects|refs\/heads\/volley|logs\/refs\/heads\/volley)\//.test(path));
}

async function printOf(path: string): Promise<string> {
  const stat = await lstat(path);
  const bytes = stat.isSymbolicLink() ? await readlink(path) : stat.isFile() ? await readFile(path) : 'not a file';
  return `${stat.mode.toString(8)} ${createHash('sha256').update(bytes).digest('hex')}`;
}
