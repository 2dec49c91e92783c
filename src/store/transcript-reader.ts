import { constants } from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from './sqlite-error.ts';

const FOLDER = '.volley/transcripts';
const NAME = /^task-([1-9]\d{0,14})-(\d{1,15})-[\w.-]+\.log$/;

/** More than any file system is late with the time of a change. */
const CLOCK_TICK_MS = 100n;

/** What one session of a loop said; the same shape that the engine reads. */
type Found = { readonly path: string; readonly loopId: number; readonly token: number };

/** Reads the transcripts of a project while they grow; nothing outside of their folder, and nothing through a link. */
export function openTranscriptReader(root: string): {
  list(): Promise<readonly Found[]>;
  size(path: string): Promise<number>;
  read(path: string, offset: number, limit: number): Promise<{ readonly text: string; readonly next: number }>;
} {
  const folder = join(root, FOLDER);
  let listed: { readonly at: bigint; readonly found: readonly Found[] } | null = null;
  return {
    list: async () => {
      const at = await changedAt(root, folder);
      if (at === null) return [];
      if (listed?.at === at) return listed.found;
      const found = foundIn(await readdir(folder, { withFileTypes: true }));
      // A file that comes within the same tick of the clock would not be noticed.
      listed = BigInt(Date.now()) - at > CLOCK_TICK_MS ? { at, found } : null;
      return found;
    },
    size: async (path) => (await withFile(root, path, async (file) => (await file.stat()).size)) ?? 0,
    read: async (path, offset, limit) =>
      (await withFile(root, path, async (file) => await readPart(file, offset, limit))) ?? { text: '', next: offset },
  };
}

/** When a file last came or went, in ms; null where there is no such plain folder. */
async function changedAt(root: string, folder: string): Promise<bigint | null> {
  try {
    const stats = await lstat(folder, { bigint: true });
    return stats.isDirectory() && (await isWithin(root)) ? stats.mtimeMs : null;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
    throw error;
  }
}

async function isWithin(root: string): Promise<boolean> {
  return (await realpath(join(root, FOLDER))) === join(await realpath(root), FOLDER);
}

function foundIn(entries: readonly { readonly name: string; isFile(): boolean }[]): readonly Found[] {
  return entries.flatMap((entry) => {
    const [, id, token] = NAME.exec(entry.name) ?? [];
    return id === undefined || !entry.isFile() ? [] : [{ path: `${FOLDER}/${entry.name}`, loopId: Number(id), token: Number(token) }];
  });
}

/** Null where the file is gone, or is none. */
async function withFile<T>(root: string, path: string, work: (file: FileHandle) => Promise<T>): Promise<T | null> {
  if (!path.startsWith(`${FOLDER}/`) || !NAME.test(path.slice(FOLDER.length + 1))) return null;
  try {
    if (!(await isWithin(root))) return null;
    await using file = await open(join(root, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    return (await file.stat()).isFile() ? await work(file) : null;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'EISDIR') return null;
    throw error;
  }
}

async function readPart(file: FileHandle, offset: number, limit: number): Promise<{ text: string; next: number }> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(limit), 0, limit, offset);
  const whole = wholeLength(buffer.subarray(0, bytesRead));
  return { text: buffer.toString('utf8', 0, whole), next: offset + whole };
}

/** How much of the bytes there is before a character of UTF-8 whose end has not come yet. */
function wholeLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
