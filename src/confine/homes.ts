import { chmodSync, closeSync, constants, lstatSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unreachable } from '../core/errors.ts';
import type { Profile } from './confinement.ts';

/** What package managers and compilers keep to be quicker the next time. All else in a home is gone with its session. */
const CACHE_FOLDERS = [
  '.cache',
  '.npm',
  '.yarn/berry/cache',
  '.local/share/pnpm/store',
  '.bun/install/cache',
  '.deno',
  '.cargo/registry',
  '.cargo/git',
  'go/pkg/mod',
  'go/pkg/sumdb',
  '.m2/repository',
  '.gradle/caches',
  '.gradle/wrapper',
  '.ivy2/cache',
  '.nuget/packages',
  '.composer/cache',
  '.gem',
  '.hex',
  '.pub-cache',
];

/** Without these locks two sessions would write to the same registry at once. */
const CACHE_FILES = ['.cargo/.package-cache', '.cargo/.package-cache-mutate'];

/** A part of a home that lasts: where it is kept, and its path in the home. */
export type Lasting = { readonly source: string; readonly name: string };

/**
 * The lasting parts of the home of a role. There are three homes, so that an author cannot leave anything to a reviewer or a gate;
 * what lies in the place of one of our folders and is none is removed, never followed.
 */
export function lastingParts(profile: Pick<Profile, 'home' | 'role'>): Lasting[] {
  const kept = join(profile.home, homeOf(profile.role));
  return [
    ...CACHE_FOLDERS.map((name) => ({ name, source: ownFolder(kept, name) })),
    ...CACHE_FILES.map((name) => ({ name, source: ownFile(join(kept, name)) })),
  ];
}

/** Writes what tools have to know about a home that is new to them. */
export function writeSettings(folder: string, home: string): void {
  // A store from which nothing can be linked into the checkout, as from another mount, would be made in the checkout itself.
  const store = join(home, '.local/share/pnpm/store');
  const pnpm = join(folder, '.config/pnpm');
  mkdirSync(pnpm, { recursive: true, mode: 0o700 });
  writeFileSync(join(pnpm, 'rc'), `store-dir=${store}\n`);
  writeFileSync(join(pnpm, 'config.yaml'), `storeDir: ${JSON.stringify(store)}\n`);
}

/** An empty file that no held program can reach. */
export function emptyFile(home: string): string {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  return ownFile(join(home, 'empty'));
}

function homeOf(role: Profile['role']): 'look' | 'work' | 'gate' {
  switch (role) {
    case 'reviewer':
    case 'arbiter':
      return 'look';
    case 'author':
    case 'fixer':
      return 'work';
    case 'gate':
      return 'gate';
    default:
      return unreachable(role);
  }
}

function ownFolder(root: string, name: string): string {
  let path = root;
  for (const part of ['', ...name.split('/')]) {
    path = join(path, part);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory() === true) {
      // A session may have closed it to everybody.
      if ((found.mode & 0o700) !== 0o700) chmodSync(path, 0o700);
      continue;
    }
    if (found !== undefined) rmSync(path, { force: true });
    mkdirSync(path, { recursive: true, mode: 0o700 });
  }
  return path;
}

function ownFile(path: string): string {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isFile() === true && found.size === 0) return path;
  rmSync(path, { recursive: true, force: true });
  closeSync(openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW, 0o600));
  return path;
}
