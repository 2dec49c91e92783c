import { constants } from 'node:fs';
import { lstat, open, realpath } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { segmentsOf } from './artefacts.ts';
import { codeOf } from './sqlite-error.ts';
import { isFollowing, wholeCharacters } from './whole-characters.ts';

/** A stretch of a file: its text, how long the whole file is, and at which byte the next stretch begins; null at the end. */
export type ArtefactText = { readonly text: string; readonly bytes: number; readonly offset: number; readonly next: number | null };

/** How many bytes a file below the project's root has; null where there is none that could be ours. */
export async function artefactBytes(root: string, relativePath: string): Promise<number | null> {
  return await withFile(root, relativePath, async (_, bytes) => await Promise.resolve(bytes));
}

/** A stretch of a text below the project's root, which never ends within a character; null where there is no file that could be ours. */
export async function readArtefact(
  root: string,
  relativePath: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<ArtefactText | null> {
  return await withFile(root, relativePath, async (file, bytes) => {
    // One byte more tells whether the last character goes on.
    const buffer = Buffer.alloc(Math.max(0, Math.min(limit + 1, bytes - offset)));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
    const isEnd = bytesRead <= limit;
    const from = offset === 0 ? 0 : beginOf(buffer);
    const until = isEnd ? bytesRead : Math.max(from, endOf(buffer, limit));
    return { text: buffer.toString('utf8', from, until), bytes, offset: offset + from, next: isEnd ? null : offset + until };
  });
}

/** A character of UTF-8 has at most so many bytes after its first one. */
const MOST_FOLLOWING = 3;

/** Where the first character begins: whoever asks from the middle of one does not get its rest. */
function beginOf(bytes: Uint8Array): number {
  return Math.max(
    0,
    bytes.subarray(0, MOST_FOLLOWING + 1).findIndex((byte) => !isFollowing(byte)),
  );
}

/** What is no text is cut anywhere. */
function endOf(bytes: Uint8Array, limit: number): number {
  const end = wholeCharacters(bytes, limit);
  return limit - end > MOST_FOLLOWING ? limit : end;
}

/** Opens a plain file to which no link leads, neither by its own name nor on the way. */
async function withFile<T>(root: string, relativePath: string, use: (file: FileHandle, bytes: number) => Promise<T>): Promise<T | null> {
  const path = join(await realpath(root), ...segmentsOf(relativePath));
  let file: FileHandle | null = null;
  try {
    // Not blocking, because a pipe would never open.
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const [opened, there, real] = await Promise.all([file.stat(), lstat(path), realpath(path)]);
    const isPlain = opened.isFile() && real === path && opened.ino === there.ino && opened.dev === there.dev;
    return isPlain ? await use(file, opened.size) : null;
  } catch (error) {
    if (ABSENT.has(codeOf(error) ?? '')) return null;
    throw error;
  } finally {
    await file?.close();
  }
}

const ABSENT: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EISDIR', 'ENAMETOOLONG']);
