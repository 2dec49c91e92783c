import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** The absolute path of a program, or one sentence saying why it cannot be run. */
export type Executable = { readonly path: string; readonly problem: null } | { readonly path: null; readonly problem: string };

/** Finds a program by its absolute path or its name in `searchPath`; a path relative to anything is refused, since it could lead into a checkout. */
export async function findExecutable(program: string, searchPath: string): Promise<Executable> {
  if (program === '') return missing('No program is named.');
  if (isAbsolute(program)) return await check(program);
  if (program.includes('/')) return missing(`${program} is neither an absolute path nor the name of a program.`);
  for (const folder of absoluteFolders(searchPath)) {
    const found = await check(join(folder, program));
    if (found.path !== null) return found;
  }
  return missing(`${program} was not found in PATH.`);
}

/** The folder of the project at hand, whose programs are nobody's tools. */
let leftOut: string | null = null;

/** A clone may bring programs, and tools put its folder first in PATH: from now on this process finds none of them by name. */
export function leaveOutPrograms(folder: string): void {
  leftOut = folder;
  const path = process.env['PATH'] ?? '';
  const kept = path.split(delimiter).filter((one) => !isLeftOut(one));
  process.env['PATH'] = kept.join(delimiter);
}

/** Whether a path lies in the project at hand. */
export function isLeftOut(path: string): boolean {
  return leftOut !== null && `${path}/`.startsWith(`${leftOut}/`);
}

/** The folders of a search path that do not depend on where a program is started. */
export function absoluteFolders(searchPath: string): string[] {
  return searchPath.split(delimiter).filter((folder) => isAbsolute(folder));
}

async function check(path: string): Promise<Executable> {
  const found = await stat(path).catch(() => null);
  if (found === null) return missing(`${path} does not exist.`);
  if (!found.isFile()) return missing(`${path} is not a file.`);
  const executable = await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
  return executable ? { path, problem: null } : missing(`${path} is not executable.`);
}

function missing(problem: string): Executable {
  return { path: null, problem };
}
