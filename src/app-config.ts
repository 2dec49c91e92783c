import { existsSync, realpathSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { Programs } from './config/agent-specs.ts';
import { projectRun, readsFromBase } from './config/base-commit.ts';
import type { FileLayer } from './config/layer.ts';
import { loadConfig } from './config/load.ts';
import type { Loaded } from './config/load.ts';
import { environmentLayer, flagsLayer } from './config/value-layers.ts';
import type { Flags } from './config/value-layers.ts';
import { VolleyError } from './core/errors.ts';

const PROJECT_FILE = 'volley.yaml';

/** What is known about the change before the configuration is read. */
export type ConfigContext = {
  /** The root of the work tree that the user is in. */
  readonly root: string;
  readonly drivers: readonly string[];
  readonly flags: Flags;
  /** The change under review, or null where there is none (an author starts, or only the settings are asked for). */
  readonly change: { readonly base: string; readonly paths: readonly string[] } | null;
  /** The text of a file of the base commit. */
  readBase(commit: string, path: string): Promise<string | null>;
  /** A folder with all files of the base commit, for the programs that its configuration names. */
  exportBase(commit: string): Promise<string>;
};

/** The configuration in force for a change; from the base commit where the change must not choose its own reviewer. */
export async function readConfig(context: ConfigContext): Promise<Loaded> {
  const here = await fileLayer('project', join(context.root, PROJECT_FILE), PROJECT_FILE);
  const fixed = [
    ...(await fileLayer('user', userFile(), '~/.config/volley/config.yaml')),
    environmentLayer(process.env),
    flagsLayer(context.flags),
  ];
  const { change } = context;
  if (change === null) return loadConfig({ layers: [...fixed, ...here], drivers: context.drivers });
  // A change without files touches no program, and reading the configuration twice takes its time.
  const named = change.paths.length === 0 ? [] : runsNamed(here, context.drivers);
  const run = named.flatMap((element) => [element, ...realPath(context.root, element)]);
  const answer = readsFromBase({ changedPaths: change.paths, run, root: context.root, ci: process.env['CI'] });
  if (!answer.fromBase) return loadConfig({ layers: [...fixed, ...here], drivers: context.drivers });
  const text = await context.readBase(change.base, PROJECT_FILE);
  const base: FileLayer[] =
    text === null ? [] : [{ origin: 'project', label: `${PROJECT_FILE} of the base`, dir: await context.exportBase(change.base), text }];
  const loaded = loadConfig({ layers: [...fixed, ...base], drivers: context.drivers });
  return { ...loaded, notes: [...loaded.notes, `The configuration is read from the base commit, because ${answer.why}.`] };
}

/** The user's own configuration alone, whatever the project says. */
export async function readUserConfig(drivers: readonly string[]): Promise<Loaded> {
  return loadConfig({ layers: await fileLayer('user', userFile(), '~/.config/volley/config.yaml'), drivers });
}

/** How programs are found on this machine. */
export const programs: Programs = {
  resolveFile: (dir, element) => {
    if (isAbsolute(element) || element.startsWith('-')) return null;
    const path = resolve(dir, element);
    return isFile(path) ? path : null;
  },
  resolvePath: (dir, path) => (path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : resolve(dir ?? '/', path)),
  findProgram: (name) => {
    if (name.includes('/')) return null;
    const folders = (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
    return folders.map((folder) => join(folder, name)).find(isFile) ?? null;
  },
};

/** Where the links of a program lead; a change of that file is a change of the program. */
function realPath(root: string, element: string): string[] {
  const path = resolve(root, element);
  return existsSync(path) ? [relative(realpathSync(root), realpathSync(path))] : [];
}

/** A project file that is broken in the change names no program that could be believed; its errors are told elsewhere. */
function runsNamed(layers: readonly FileLayer[], drivers: readonly string[]): readonly string[] {
  try {
    return projectRun(loadConfig({ layers, drivers }));
  } catch {
    return [];
  }
}

async function fileLayer(origin: 'user' | 'project', path: string, label: string): Promise<FileLayer[]> {
  if (!existsSync(path)) return [];
  const text = await readFile(path, 'utf8').catch((cause: Error) => {
    throw new VolleyError(
      'bad-config',
      `${label} cannot be read: ${cause.message}.`,
      'Make it a file that you may read, or take it away.',
    ).from(cause);
  });
  return [{ origin, label, dir: dirname(path), text }];
}

function userFile(): string {
  return join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'volley', 'config.yaml');
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
