import { lstatSync, readdirSync } from 'node:fs';
import type { Dirent } from 'node:fs';
import { join } from 'node:path';

/** What programs of the system need to run; those that are links on this machine stay links. */
const FOLDERS = ['/usr', '/etc', '/opt', '/bin', '/sbin', '/nix/store', '/gnu/store', '/run/current-system', '/snap'];

const LIBRARIES = /^lib(32|64|x32)?$/;

/** Files that the ones above may lead to elsewhere: without this one no name is resolved. */
const FILES = ['/etc/resolv.conf'];

/** The names of the system's own folders and files, whether they exist or not. */
export function systemNames(): string[] {
  const libraries = readdirSync('/').filter((name) => LIBRARIES.test(name));
  return [...FOLDERS, ...libraries.map((name) => `/${name}`), ...FILES];
}

/** Something that not everybody may read. */
export type Unreadable = { readonly path: string; readonly kind: 'file' | 'folder' };

const READ = 0o004;
const READ_AND_ENTER = 0o005;

/** How long an answer about a whole folder serves: it takes milliseconds, and sessions often start together. */
const LASTS_MS = 30_000;

/** Tells what not everybody may read below a folder, and looks again only after a while. */
export function watchUnreadable(folder: string): () => readonly Unreadable[] {
  let known: { readonly at: number; readonly found: readonly Unreadable[] } | null = null;
  return () => {
    if (known === null || performance.now() - known.at > LASTS_MS) known = { at: performance.now(), found: unreadableBelow(folder) };
    return known.found;
  };
}

/**
 * What not everybody may read below a folder: passwords, private keys. Root, or a member of the right group, could, and a program
 * in a sandbox is the same user.
 */
export function unreadableBelow(folder: string): Unreadable[] {
  return entriesOf(folder).flatMap((entry): Unreadable[] => {
    const path = join(folder, entry.name);
    const mode = entry.isSymbolicLink() ? undefined : lstatSync(path, { throwIfNoEntry: false })?.mode;
    if (mode === undefined) return [];
    if (!entry.isDirectory()) return (mode & READ) === 0 ? [{ path, kind: 'file' }] : [];
    return (mode & READ_AND_ENTER) === READ_AND_ENTER ? unreadableBelow(path) : [{ path, kind: 'folder' }];
  });
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Gone meanwhile, or closed to us by more than its mode.
    return [];
  }
}
