import { existsSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readIfPresent } from './file-error.ts';
import type { Mirror } from './mirror.ts';

/** The folders that a mirror keeps for checkouts whose own folder is gone since before a moment. */
export async function findOrphans({ dir }: Mirror, before: Date): Promise<readonly string[]> {
  const [linked, own] = await Promise.all(['worktrees', 'volley'].map(async (name) => await foldersIn(join(dir, name))));
  const names = [...new Set([...(linked ?? []), ...(own ?? [])])];
  const found = await Promise.all(names.map(async (name) => ((await isOrphan(dir, name, before)) ? bothFolders(dir, name) : [])));
  return found.flat();
}

function bothFolders(dir: string, name: string): readonly string[] {
  return [join(dir, 'worktrees', name), join(dir, 'volley', name)].filter((path) => existsSync(path));
}

/** Young ones may be about to get their folder. */
async function isOrphan(dir: string, name: string, before: Date): Promise<boolean> {
  const pointer = await readIfPresent(join(dir, 'worktrees', name, 'gitdir')).catch(() => null);
  if (pointer !== null && existsSync(dirname(pointer.trim()))) return false;
  const stats = await Promise.all(bothFolders(dir, name).map(async (path) => await lstat(path).catch(() => null)));
  return stats.every((found) => found === null || found.mtime < before);
}

async function foldersIn(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
