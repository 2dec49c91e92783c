import { lstatSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isWithin } from './names.ts';
import type { Link, Place } from './names.ts';

/** What lies at a path of the sandbox: something of the outside, a read-only folder with nothing in it, or one in memory. */
export type Mount =
  | { readonly kind: 'read' | 'write'; readonly path: string; readonly source: string; readonly optional?: boolean }
  | { readonly kind: 'empty' | 'memory'; readonly path: string };

/** A file with nothing in it, which has to come from somewhere. */
export type EmptyFile = { readonly kind: 'file'; readonly source: string };

/** What a sandbox will look like. Later mounts cover earlier ones, as they would if they were made one after the other. */
export type MountPlan = {
  /** Keeps the name of a place working. */
  name(place: Place): void;
  /** Shows a place where it really lies, and keeps its name working. */
  show(place: Place, access: 'read' | 'write'): void;
  put(mount: Mount): void;
  /** What a path of the outside is inside; null where it cannot be seen. */
  accessTo(path: string): 'read' | 'write' | null;
  /** Makes what can be written read-only; nothing is done where it cannot be written anyway. */
  protect(path: string): void;
  /** Makes what can be seen look empty. */
  veil(path: string, empty: EmptyFile | { readonly kind: 'folder' }): void;
  /** Makes the links that lie in folders of the session itself: those outlive one program, and bubblewrap would make them for each. */
  makeLinks(): void;
  /** The arguments of bubblewrap. */
  toArguments(): string[];
};

/** A plan with nothing in it. */
export function makeMountPlan(): MountPlan {
  const mounts = new Map<string, Mount>();
  const links = new Map<string, Link>();
  const accessTo = (path: string): 'read' | 'write' | null => {
    const mount = mountAbove(mounts, path);
    return mount !== null && 'source' in mount && mount.source === mount.path ? mount.kind : null;
  };
  const put = (mount: Mount): void => {
    for (const path of mounts.keys()) if (isWithin(path, mount.path)) mounts.delete(path);
    mounts.set(mount.path, mount);
  };
  const name = (place: Place): void => {
    for (const link of place.links) links.set(link.path, link);
  };
  return {
    accessTo,
    put,
    name,
    show: (place, access) => {
      name(place);
      const seen = accessTo(place.real);
      if (seen === null || (seen === 'read' && access === 'write')) put({ kind: access, path: place.real, source: place.real });
    },
    protect: (path) => {
      if (accessTo(path) !== 'write') return;
      pin(mounts, path);
      put({ kind: 'read', path, source: path });
    },
    veil: (path, empty) => {
      if (accessTo(path) === null) return;
      put(empty.kind === 'folder' ? { kind: 'empty', path } : { kind: 'read', path, source: empty.source });
    },
    makeLinks: () => makeLinks(mounts, links),
    toArguments: () => toArguments(mounts, links),
  };
}

/** The folders above a protected path become mounts too: only what is mounted cannot be renamed, and another one put in its place. */
function pin(mounts: Map<string, Mount>, path: string): void {
  for (let above = dirname(path); !mounts.has(above) && above !== '/'; above = dirname(above)) {
    mounts.set(above, { kind: 'write', path: above, source: above });
  }
}

function mountAbove(mounts: ReadonlyMap<string, Mount>, path: string): Mount | null {
  const mount = mounts.get(path);
  if (mount !== undefined) return mount;
  return path === '/' ? null : mountAbove(mounts, dirname(path));
}

function toArguments(mounts: ReadonlyMap<string, Mount>, links: ReadonlyMap<string, Link>): string[] {
  // A folder comes before what lies in it.
  const ordered = [...mounts.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const made = ordered.flatMap((mount) => {
    if ('source' in mount)
      return [`--${mount.kind === 'write' ? '' : 'ro-'}bind${mount.optional === true ? '-try' : ''}`, mount.source, mount.path];
    return ['--tmpfs', mount.path];
  });
  const linked = [...links.values()]
    .filter(({ path }) => isMadeAnew(mountAbove(mounts, path)))
    .flatMap(({ path, target }) => ['--symlink', target, path]);
  // Only now, since mounting below makes folders in them.
  const emptied = ordered.flatMap((mount) => (mount.kind === 'empty' ? ['--remount-ro', mount.path] : []));
  return [...made, ...linked, ...emptied];
}

/** Whether a folder is made for one program alone, so that a link has to be made in it; in those of the outside it is there already. */
function isMadeAnew(mount: Mount | null): boolean {
  return mount === null || !('source' in mount);
}

function makeLinks(mounts: ReadonlyMap<string, Mount>, links: ReadonlyMap<string, Link>): void {
  for (const { path, target } of links.values()) {
    const mount = mountAbove(mounts, path);
    if (mount === null || !('source' in mount) || mount.kind !== 'write' || mount.source === mount.path) continue;
    const own = join(mount.source, path.slice(mount.path.length));
    mkdirSync(dirname(own), { recursive: true });
    if (lstatSync(own, { throwIfNoEntry: false }) === undefined) symlinkSync(target, own);
  }
}
