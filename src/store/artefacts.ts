import { randomBytes } from 'node:crypto';
import { linkSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { VolleyError } from '../core/errors.ts';
import { codeOf, diskFull, isOutOfSpace } from './sqlite-error.ts';

const FOLDER = '.volley';

/** What people write by hand is theirs to commit; all else, this file included, stays out of their `git status`. */
const GITIGNORE = ['*', '!standards.md', '!prompts/', '!prompts/**', '!rules/', '!rules/**', ''].join('\n');

/** Makes sure that the project has its `.volley` folder, and returns its path; an existing `.gitignore` in it is left alone. */
export async function ensureVolleyFolder(root: string): Promise<string> {
  const file = safePath(root, `${FOLDER}/.gitignore`);
  if (lstatOf(file) === null) writeWhole(file, GITIGNORE, 'keep');
  return dirname(file);
}

/** Writes a file below the project's root, whole or not at all, and returns its path. */
export async function writeArtefact(root: string, relativePath: string, text: string): Promise<string> {
  const file = safePath(root, relativePath);
  writeWhole(file, text, 'replace');
  return file;
}

/** Whether there is a file of that name below the project's root. */
export async function artefactExists(root: string, relativePath: string): Promise<boolean> {
  return lstatOf(join(root, ...segmentsOf(relativePath)))?.isFile() === true;
}

/**
 * The path of a file below the root, its folders made; neither `..` nor a link on the way leads out.
 * Synchronous, as all here: such small steps take a tenth of the time that waiting for each of them would.
 */
export function safePath(root: string, relativePath: string): string {
  const segments = segmentsOf(relativePath);
  let path = root;
  for (const segment of segments.slice(0, -1)) {
    path = join(path, segment);
    makeFolder(path);
  }
  const file = join(path, segments.at(-1) ?? '');
  if (lstatOf(file)?.isDirectory() === true) throw new VolleyError('refused', `${file} is a folder.`, 'Choose another path for it.');
  return file;
}

/** The parts of a path below the project's root; any other path is an error. */
export function segmentsOf(relativePath: string): readonly string[] {
  const segments = relativePath.split(/[/\\]/).filter((segment) => segment !== '' && segment !== '.');
  if (isAbsolute(relativePath) || segments.length === 0 || segments.includes('..') || relativePath.includes('\0')) {
    throw new VolleyError(
      'bad-config',
      `${JSON.stringify(relativePath)} does not lie below the project's root.`,
      "Give a path relative to the project's root.",
    );
  }
  return segments;
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (isOutOfSpace(error)) throw diskFull(error);
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  if (lstatOf(path)?.isDirectory() !== true) {
    throw new VolleyError('refused', `${path} is not a plain folder, so nothing is written through it.`, 'Replace it by a folder.');
  }
}

/** With `keep`, a file that another process has made meanwhile stays. */
function writeWhole(file: string, text: string, existing: 'keep' | 'replace'): void {
  const draft = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}.new`);
  try {
    writeFileSync(draft, text, { flag: 'wx' });
    if (existing === 'replace') renameSync(draft, file);
    else linkUnlessThere(draft, file);
  } catch (error) {
    throw isOutOfSpace(error) ? diskFull(error) : error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function linkUnlessThere(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    // Some file systems cannot link.
    renameSync(draft, file);
  }
}

function lstatOf(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
    throw error;
  }
}
