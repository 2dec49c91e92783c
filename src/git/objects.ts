import { constants, copyFileSync, linkSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { hasCode } from './file-error.ts';
import { git } from './git.ts';
import type { GitPlace } from './git.ts';

/**
 * Links every object of one store, and of the stores it borrows from, into another one on the same disk; copies on another.
 * Loose objects go first: whatever a running `git gc` packs meanwhile is then found in the packs.
 */
export function linkObjects(from: string, to: string): void {
  for (const store of withAlternates(from)) {
    linkLoose(store, to);
    linkPacks(store, to);
  }
}

/**
 * Packs what the given commits need and the place's refs do not reach, taken from another store too. The walk goes over the
 * place's own history, so its `shallow` file holds unless another is named.
 */
export async function packReachable(place: GitPlace, options: PackOptions): Promise<void> {
  const known = options.exceptKnown ? await git(place, ['for-each-ref', '--format=^%(objectname)']) : '';
  // Deltas that exist are taken over; looking for more would cost more time than it saves room.
  const args = ['pack-objects', '--quiet', '--revs', '--non-empty', '--delta-base-offset', '--window=0', '--missing=allow-promisor'];
  await git(place, [...args, join(place.commonDir, 'objects', 'pack', 'pack')], {
    input: `${options.commits.join('\n')}\n${known}`,
    env: { ...borrowFrom(options.from), ...(options.shallowFile === null ? {} : { GIT_SHALLOW_FILE: options.shallowFile }) },
  });
}

/** What to pack, and where else its objects may lie. */
export type PackOptions = {
  readonly commits: readonly string[];
  readonly from: string;
  /** Leaves out what the place's refs reach. */
  readonly exceptKnown: boolean;
  readonly shallowFile: string | null;
};

/** The environment in which git also reads the objects of another store. */
export function borrowFrom(objects: string): Record<string, string> {
  // A bare path would be split at its colons; git reads a quoted one whole.
  return { GIT_ALTERNATE_OBJECT_DIRECTORIES: `"${objects.replace(/["\\]/g, '\\$&')}"` };
}

const LOOSE_FOLDER = /^[0-9a-f]{2}$/;
const LOOSE_OBJECT = /^[0-9a-f]{38,62}$/;
const PACK_FILE = /^(pack-[0-9a-f]+)\.(?:pack|idx|rev|bitmap|promisor|mtimes)$/;
const ATTEMPTS = 10;

function withAlternates(objects: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(objects)) return found;
  found.add(objects);
  for (const line of readLines(join(objects, 'info', 'alternates'))) {
    if (!line.startsWith('#')) withAlternates(resolve(objects, line), found);
  }
  return found;
}

function readLines(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

function linkLoose(from: string, to: string): void {
  for (const folder of readdirSync(from).filter((name) => LOOSE_FOLDER.test(name))) {
    mkdirSync(join(to, folder), { recursive: true });
    for (const name of listIfPresent(join(from, folder)).filter((entry) => LOOSE_OBJECT.test(entry))) {
      linkOrCopy(join(from, folder, name), join(to, folder, name));
    }
  }
}

/** Git removes a folder with the last object in it. */
function listIfPresent(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

function linkPacks(from: string, to: string): void {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const names = listIfPresent(join(from, 'pack'));
    // Git writes the index last: a pack without one is not finished.
    const finished = names.filter((name) => names.includes(`${PACK_FILE.exec(name)?.[1]}.idx`));
    const linked = finished.map((name) => linkOrCopy(join(from, 'pack', name), join(to, 'pack', name)));
    if (linked.every(Boolean)) return;
  }
  throw new Error(`the packs in ${from} keep changing`);
}

/** False: the file went away, as packs and loose objects do when git repacks. */
function linkOrCopy(from: string, to: string): boolean {
  for (const bring of [linkSync, copyQuickly]) {
    try {
      bring(from, to);
      return true;
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return true;
      if (hasCode(error, 'ENOENT')) return false;
      // Not every disk has links, and none has them to another disk; a copy that fails is an error.
      if (bring === copyQuickly) throw error;
    }
  }
  return false;
}

function copyQuickly(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
}
