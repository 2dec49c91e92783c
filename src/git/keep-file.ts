import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Makes a file hold exactly this text; a link or folder in its place is replaced, never followed. */
export async function keepFile(path: string, text: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found?.isFile() === true && found.size === Buffer.byteLength(text) && (await readFile(path, 'utf8')) === text) return;
  const temporary = `${path}.${randomBytes(4).toString('hex')}`;
  await writeFile(temporary, text, { flag: 'wx' });
  await replace(temporary, path);
}

/** Moves a file to where another one, a link or a whole folder may stand. */
export async function replace(from: string, to: string): Promise<void> {
  if ((await lstat(to).catch(() => null))?.isDirectory() === true) await rm(to, { recursive: true, force: true });
  await rename(from, to);
}

/** Makes a folder below another one, step by step; a link or file on the way is replaced, never followed. */
export async function keepFolder(root: string, ...steps: readonly string[]): Promise<string> {
  let path = root;
  for (const step of steps) {
    path = join(path, step);
    const found = await lstat(path).catch(() => null);
    if (found?.isDirectory() === true) continue;
    if (found !== null) await rm(path, { force: true });
    // Whoever opens another checkout may have made it meanwhile.
    await mkdir(path, { recursive: true });
  }
  return path;
}
