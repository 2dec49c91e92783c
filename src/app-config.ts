import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { readFile, readlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { Programs } from './config/agent-specs.ts';
import { projectRun, readsFromBase } from './config/base-commit.ts';
import type { FileLayer, Layer } from './config/layer.ts';
import { loadConfig } from './config/load.ts';
import type { Loaded } from './config/load.ts';
import { withUsersEnv } from './config/passed-env.ts';
import { environmentLayer, flagsLayer } from './config/value-layers.ts';
import type { Flags } from './config/value-layers.ts';
import { VolleyError } from './core/errors.ts';

const PROJECT_FILE = 'volley.yaml';

/** A configuration file that is there or could be: where it lies, and how it is called in messages. */
export type ConfigPlace = { readonly origin: FileLayer['origin']; readonly path: string; readonly label: string };

/** What is known about the change before the configuration is read. */
export type ConfigContext = {
  /** The root of the work tree that the user is in. */
  readonly root: string;
  readonly drivers: readonly string[];
  readonly flags: Flags;
  /** The change under review, or null where there is none (an author starts, or only the settings are asked for). */
  readonly change: {
    readonly base: string;
    readonly paths: readonly string[];
    /** What git does not list as changed, because it is told to ignore it, is no more believed than what it lists. */
    readonly asCommitted?: boolean;
    /** An agent asks, which may have written whatever lies here: the configuration is that of this commit in any case. */
    readonly trusted?: { readonly ref: string; readonly commit: string };
  } | null;
  /** The text of a file of the base commit. */
  readBase(commit: string, path: string): Promise<string | null>;
  /** A folder with all files of the base commit, for the programs that its configuration names. */
  exportBase(commit: string): Promise<string>;
};

/** The configuration in force for a change; from the base commit where the change must not choose its own reviewer. */
export async function readConfig(context: ConfigContext): Promise<Loaded> {
  const here = await readPlace(projectPlace(context.root));
  const user = await readPlace(userPlace());
  const fixed = [...user, environmentLayer(process.env), flagsLayer(context.flags)];
  const { change } = context;
  if (change === null) return loadConfig({ layers: [...fixed, ...here], drivers: context.drivers });
  if (change.trusted !== undefined) return withUsersEnv(await readTrusted(context, change.trusted, { fixed, here }), user);
  // A change without files touches no program, and reading the configuration twice takes its time.
  const named = change.paths.length === 0 ? [] : runsNamed(here, context.drivers);
  const run = named.flatMap((element) => [element, ...realPath(context.root, element)]);
  const { why: touched } = readsFromBase({ changedPaths: change.paths, run, root: context.root, ci: process.env['CI'] });
  const files = [PROJECT_FILE, ...realPath(context.root, PROJECT_FILE), ...run];
  const why = touched ?? (change.asCommitted === true ? await whyUnlike(context, change.base, files) : null);
  if (why === null) return loadConfig({ layers: [...fixed, ...here], drivers: context.drivers });
  const text = await context.readBase(change.base, PROJECT_FILE);
  const base: FileLayer[] =
    text === null ? [] : [{ origin: 'project', label: `${PROJECT_FILE} of the base`, dir: await context.exportBase(change.base), text }];
  const loaded = loadConfig({ layers: [...fixed, ...base], drivers: context.drivers });
  return { ...loaded, notes: [...loaded.notes, `The configuration is read from the base commit, because ${why}.`] };
}

/**
 * The configuration as a commit has it. Programs that it names are those of the commit too: one in the work tree could still be
 * written while the review waits for it.
 */
async function readTrusted(
  context: ConfigContext,
  { ref, commit }: { readonly ref: string; readonly commit: string },
  { fixed, here }: { readonly fixed: readonly Layer[]; readonly here: readonly FileLayer[] },
): Promise<Loaded> {
  const text = await context.readBase(commit, PROJECT_FILE);
  const load = (dir: string): Loaded => {
    const committed: FileLayer[] = text === null ? [] : [{ origin: 'project', label: `${PROJECT_FILE} of ${ref}`, dir, text }];
    return loadConfig({ layers: [...fixed, ...committed], drivers: context.drivers });
  };
  const read = load(context.root);
  const loaded = projectRun(read).length === 0 ? read : load(await context.exportBase(commit));
  if ((here[0]?.text ?? null) === text) return loaded;
  const why = `because an agent asks and ${PROJECT_FILE} here differs from that`;
  return { ...loaded, notes: [...loaded.notes, `The configuration is read from ${ref} at ${commit.slice(0, 12)}, ${why}.`] };
}

/** The user's own configuration alone, whatever the project says. */
export async function readUserConfig(drivers: readonly string[]): Promise<Loaded> {
  return loadConfig({ layers: await readPlace(userPlace()), drivers });
}

/** The user's own file. */
export function userPlace(): ConfigPlace {
  const path = join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'volley', 'config.yaml');
  const home = `${homedir()}/`;
  return { origin: 'user', path, label: path.startsWith(home) ? `~/${path.slice(home.length)}` : path };
}

/** The file of the project whose work tree begins in a folder. */
export function projectPlace(root: string): ConfigPlace {
  return { origin: 'project', path: join(root, PROJECT_FILE), label: PROJECT_FILE };
}

/** What a configuration file says; nothing where there is none. */
export async function readPlace({ origin, path, label }: ConfigPlace): Promise<FileLayer[]> {
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

/** Why the files of a configuration are not those of the base commit, whatever git is told to ignore; null if they are. */
async function whyUnlike(context: ConfigContext, base: string, files: readonly string[]): Promise<string | null> {
  const { root } = context;
  const inside = files.map((file) => relative(root, resolve(root, file))).filter((path) => !/^(?:\.\.(?:\/|$)|$)/.test(path));
  for (const path of new Set(inside)) {
    const [here, there] = await Promise.all([contentOf(join(root, path)), context.readBase(base, path)]);
    if (here !== there) return `${path} differs from it`;
  }
  return null;
}

/** What git would hold of a file, a link by where it leads; null if there is none. A folder is like nothing: what lies in it is not compared. */
async function contentOf(path: string): Promise<string | null> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return null;
  if (found.isSymbolicLink()) return await readlink(path);
  return found.isFile() ? await readFile(path, 'utf8') : '';
}

/** A project file that is broken in the change names no program that could be believed; its errors are told elsewhere. */
function runsNamed(layers: readonly FileLayer[], drivers: readonly string[]): readonly string[] {
  try {
    return projectRun(loadConfig({ layers, drivers }));
  } catch {
    return [];
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
