import { readdirSync, readlinkSync } from 'node:fs';
import type { Dirent } from 'node:fs';
import { dirname, join } from 'node:path';
import type { EmptyFile, MountPlan } from './mounts.ts';

/** A secret that a plan may have brought into sight. */
export type Secret = { readonly path: string; readonly kind: 'file' | 'folder' };

/** A folder with more entries than this is not taken apart. */
const MAX_ENTRIES = 400;

/**
 * Covers what must not be seen. A cover over a single file falls off when somebody outside puts a new file in its place, as most
 * programs do that save settings; so the folder around it is covered, and all but the secret is shown again in it.
 */
export function coverSecrets(plan: MountPlan, secrets: readonly Secret[], empty: EmptyFile): void {
  const files = secrets.filter(({ kind }) => kind === 'file').map(({ path }) => path);
  const folders = [...new Set(files.filter((path) => plan.accessTo(path) === 'read').map(dirname))].toSorted();
  for (const folder of folders) takeApart(plan, folder, files);
  for (const { path, kind } of secrets) plan.veil(path, kind === 'folder' ? { kind } : empty);
}

function takeApart(plan: MountPlan, folder: string, without: readonly string[]): void {
  const entries = entriesOf(folder);
  if (entries.length > MAX_ENTRIES) return;
  plan.veil(folder, { kind: 'folder' });
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (without.includes(path)) continue;
    if (entry.isSymbolicLink()) plan.name({ real: path, links: [{ path, target: readlinkSync(path) }] });
    // It may be gone by the time the sandbox is made.
    else plan.put({ kind: 'read', path, source: path, optional: true });
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // A folder that we cannot look into shows nothing.
    return [];
  }
}
