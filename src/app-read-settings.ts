import { DRIVERS, rolesOf } from './agents/index.ts';
import { readConfig } from './app-config.ts';
import { lookAtRepository } from './app-repository.ts';
import type { Loaded } from './config/load.ts';
import type { Flags } from './config/value-layers.ts';
import { VolleyError } from './core/errors.ts';
import { Role } from './core/settings.ts';
import { openProject } from './git/project.ts';

/** The configuration as it lies in the working tree; it may name these drivers beside the known ones. */
export async function readSettings(cwd: string, flags: Flags, more: readonly string[] = []): Promise<Loaded> {
  const none = async (): Promise<never> => await Promise.reject(new Error('there is no base here'));
  return await readConfig({
    root: await workTreeOf(cwd),
    drivers: [...DRIVERS.map(({ id }) => id), ...more],
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

/** The roles that agents of a driver can play, where these drivers, for trials, can play all. */
export function rolesWith(more: readonly string[]): (driver: string) => readonly Role[] {
  return (driver) => (more.includes(driver) ? Role.options : rolesOf(driver));
}
