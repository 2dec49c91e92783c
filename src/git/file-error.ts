import { constants, open } from 'node:fs/promises';
import { VolleyError } from '../core/errors.ts';

/** Whether an error of the file system has one of these codes, such as `ENOENT`. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
}

/** The text of a file, or null if there is none. */
export async function readIfPresent(path: string): Promise<string | null> {
  try {
    return (await readPlainFile(path)).toString('utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
}

/** The bytes of a file. A pipe or a device in its place, on which one could wait forever, is an error. */
export async function readPlainFile(path: string | Buffer): Promise<Buffer> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if ((await handle.stat()).isFile()) return await handle.readFile();
    throw new VolleyError('git-failed', `${path.toString()} is not a file.`, 'Look what it is, and remove it.');
  } finally {
    await handle.close();
  }
}
