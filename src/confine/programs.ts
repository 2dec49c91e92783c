import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { findExecutable } from '../lib/executable.ts';
import { searchFolders } from './environment.ts';
import type { Variables } from './variables.ts';
import { locate } from './names.ts';

/** What lies beside `bin` where programs do not stand alone. */
const BESIDE_BIN = ['lib', 'libexec', 'pyvenv.cfg'];

/** Programs that are found wherever they are, and what tells that the folder above `bin` is their own. */
const ALWAYS: readonly { readonly name: string; readonly sign: string }[] = [{ name: 'git', sign: 'libexec/git-core' }];
const NODE_SIGN = 'lib/node_modules/npm';

/** A name that is shown if it is safe to do so; if not, the one that comes after it is tried. */
export type Candidate = readonly string[];

/** Where the programs lie that a held program may start: what PATH names, the Node that we run on, and git. */
export async function programCandidates(user: Variables): Promise<Candidate[]> {
  const folders = searchFolders(user);
  const always = await Promise.all(
    ALWAYS.map(async ({ name, sign }) => {
      const { path } = await findExecutable(name, folders.join(':'));
      return path === null ? [] : [installation(path, sign)];
    }),
  );
  return [...folders.map(withItsParent), installation(process.execPath, NODE_SIGN), ...always.flat(), ...ownManifest()];
}

/** A folder of programs often needs its siblings: a virtual environment, a tool that was unpacked somewhere. */
function withItsParent(folder: string): Candidate {
  const parent = dirname(folder);
  const has = (name: string): boolean => existsSync(join(parent, name));
  const belongs = basename(folder) === 'bin' && BESIDE_BIN.some(has);
  return belongs && basename(parent) !== '.local' && !isInRepository(parent) ? [parent, folder] : [folder];
}

/** What lies in a repository is somebody's project, not a tool that was unpacked there. */
function isInRepository(folder: string): boolean {
  for (let at = folder; at !== dirname(at); at = dirname(at)) if (existsSync(join(at, '.git'))) return true;
  return false;
}

function installation(program: string, sign: string): Candidate {
  const prefix = dirname(dirname(locate(program)?.real ?? program));
  return existsSync(join(prefix, sign)) ? [prefix, program] : [program];
}

/** Our own package.json, without which Node would have to guess what kind of module the files are that we start inside. */
function ownManifest(): Candidate[] {
  for (let folder = import.meta.dirname; folder !== '/'; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest)) return [[manifest]];
  }
  return [];
}
