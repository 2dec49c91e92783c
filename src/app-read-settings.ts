import { DRIVERS } from './agents/index.ts';
import { readConfig } from './app-config.ts';
import { lookAtRepository } from './app-repository.ts';
import type { Loaded } from './config/load.ts';
import type { Flags } from './config/value-layers.ts';
import { VolleyError } from './core/errors.ts';
import { openProject } from './git/project.ts';

/** The configuration as it lies in the working tree. */
export async function readSettings(cwd: string, flags: Flags): Promise<Loaded> {
  const none = async (): Promise<never> => await Promise.reject(new Error('there is no base here'));
  return await readConfig({
    root: await workTreeOf(cwd),
    drivers: DRIVERS.map(({ id }) => id),
    flags,
    change: null,
    readBase: none,
    exportBase: none,
  });
}

/** The root of the work tree that a folder belongs to, also where nothing is committed yet. */
export async function workTreeOf(cwd: string): Promise<string> {
  try {
    return (await openProject(cwd)).currentWorktree;
  } catch (error) {
    if (error instanceof VolleyError && error.code === 'no-commits') return (await lookAtRepository(cwd)).workTree;
    throw error;
  }
}
