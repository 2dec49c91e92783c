import { readlink, realpath } from 'node:fs/promises';
import { dirname, join, parse, resolve, sep } from 'node:path';

const MODULES = 'node_modules';
const MAX_LINKS = 40;

/**
 * What must be readable so that the program at this path runs: the path, where its links lead, and the packages among which it
 * lies, since the part for this platform is often one beside it. Never more than that: a program may lie in a whole home.
 */
export async function programFolders(path: string): Promise<string[]> {
  const hops = await linksFrom(path);
  return [...new Set(hops.map((hop) => modulesAround(hop) ?? hop))];
}

/** The path, each place to which its link leads, and the true place of the last one. */
async function linksFrom(path: string): Promise<string[]> {
  const hops: string[] = [];
  for (let hop: string | null = resolve(path); hop !== null && hops.length < MAX_LINKS;) {
    hops.push(hop);
    const target: string | null = await readlink(hop).catch(() => null);
    // A link is followed from where its own folder truly is.
    const folder: string = await realpath(dirname(hop)).catch(() => '/');
    hop = target === null ? null : resolve(folder, target);
  }
  const last = await realpath(path).catch(() => null);
  return last === null ? hops : [...hops, last];
}

/** The outermost folder of packages in which a path lies. */
function modulesAround(path: string): string | null {
  const { root } = parse(path);
  const parts = path.slice(root.length).split(sep);
  const at = parts.indexOf(MODULES);
  return at === -1 || at === parts.length - 1 ? null : join(root, ...parts.slice(0, at + 1));
}
