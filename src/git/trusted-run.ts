import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';

/** A program of the user's, the paths that a change touches, and the work trees in which those paths may lie. */
export type RunInChange = { readonly run: readonly string[]; readonly paths: readonly string[]; readonly roots: readonly string[] };

/** Takes every file of a program that a change touches from the base instead; null if the base does not have it. */
export async function trustedRun(input: RunInChange, exportBase: () => Promise<string>): Promise<readonly string[] | null> {
  const trusted: string[] = [];
  for (const element of input.run) {
    const touched = await touchedPath(element, input);
    if (touched === null) {
      trusted.push(element);
      continue;
    }
    const fromBase = join(await exportBase(), touched);
    if (!existsSync(fromBase)) return null;
    trusted.push(fromBase);
  }
  return trusted;
}

/** The path by which the change knows an element: as it is written, or where its links lead. */
async function touchedPath(element: string, { paths, roots }: RunInChange): Promise<string | null> {
  if (!isAbsolute(element)) return paths.find((path) => path === element.replace(/^\.\//, '')) ?? null;
  const real = await realpath(element).catch(() => element);
  const reals = await Promise.all(roots.map(async (root) => await realpath(root).catch(() => root)));
  const names = [...roots, ...reals].flatMap((root) => [relative(root, element), relative(root, real)]);
  return paths.find((path) => names.includes(path)) ?? null;
}
