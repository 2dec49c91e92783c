import { lstatSync, readlinkSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';

/** A symbolic link; the folder that it lies in is a real path. */
export type Link = { readonly path: string; readonly target: string };

/** What a name leads to, and the links on the way, without which the name would lead nowhere. */
export type Place = { readonly real: string; readonly links: readonly Link[] };

/** As many as the kernel follows. */
const MAX_LINKS = 40;

/** Follows an absolute name to its real path; null where nothing is there. */
export function locate(name: string): Place | null {
  const links: Link[] = [];
  let rest = partsOf(name);
  let real = '/';
  for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
    const path = part === '..' ? dirname(real) : join(real, part);
    const found = look(path);
    if (found === null) return null;
    if (!found.isSymbolicLink()) {
      real = path;
      continue;
    }
    if (links.length === MAX_LINKS) return null;
    const target = readlinkSync(path);
    links.push({ path, target });
    rest = [...partsOf(target), ...rest];
    if (isAbsolute(target)) real = '/';
  }
  return { real, links };
}

/** The real path of a name, whose last part is taken as it is, link or not; null where nothing is there. */
export function locateItself(name: string): { readonly real: string; readonly kind: 'file' | 'folder' | 'link' } | null {
  const parent = locate(dirname(name));
  if (parent === null) return null;
  const real = join(parent.real, partsOf(name).at(-1) ?? '');
  const found = look(real);
  if (found === null) return null;
  return { real, kind: found.isSymbolicLink() ? 'link' : found.isDirectory() ? 'folder' : 'file' };
}

/** Whether a path is a folder or lies below it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

function look(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    // What is not there, or closed to us, is not there for a program of ours either.
    return null;
  }
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}
