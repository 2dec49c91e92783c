import { randomBytes } from 'node:crypto';
import { link, lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { VolleyError } from '../core/errors.ts';
import { codeOf, diskFull, isOutOfSpace } from './sqlite-error.ts';

const FOLDER = '.volley';

/** What people write by hand is theirs to commit; all else, this file included, stays out of their `git status`. */
const GITIGNORE = ['*', '!standards.md', '!prompts/', '!prompts/**', '!rules/', '!rules/**', ''].join('\n');

/** Makes sure that the project has its `.volley` folder, and returns its path; an existing `.gitignore` in it is left alone. */
export async function ensureVolleyFolder(root: string): Promise<string> {
  const file = await safePath(root, `${FOLDER}/.gitignore`);
  if ((await lstatOf(file)) === null) await writeWhole(file, GITIGNORE, 'keep');
  return dirname(file);
}

/** Writes a file below the project's root, whole or not at all, and returns its path. */
export async function writeArtefact(root: string, relativePath: string, text: string): Promise<string> {
  const file = await safePath(root, relativePath);
  await writeWhole(file, text, 'replace');
  return file;
}

/** Whether there is a file of that name below the project's root. */
export async function artefactExists(root: string, relativePath: string): Promise<boolean> {
  return (await lstatOf(join(root, ...segmentsOf(relativePath))))?.isFile() === true;
}

/** The path of a file below the root, its folders made; neither `..` nor a link on the way leads out. */
export async function safePath(root: string, relativePath: string): Promise<string> {
  const segments = segmentsOf(relativePath);
  let path = root;
  for (const segment of segments.slice(0, -1)) {
    path = join(path, segment);
    await makeFolder(path);
  }
  const file = join(path, segments.at(-1) ?? '');
  if ((await lstatOf(file))?.isDirectory() === true)
    throw new VolleyError('refused', `${file} is a folder.`, 'Choose another path for it.');
  return file;
}

function segmentsOf(relativePath: string): readonly string[] {
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

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (isOutOfSpace(error)) throw diskFull(error);
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  if ((await lstatOf(path))?.isDirectory() !== true) {
    throw new VolleyError('refused', `${path} is not a plain folder, so nothing is written through it.`, 'Replace it by a folder.');
  }
}

/** With `keep`, a file that another process has made meanwhile stays. */
async function writeWhole(file: string, text: string, existing: 'keep' | 'replace'): Promise<void> {
  const draft = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}.new`);
  try {
    await writeFile(draft, text, { flag: 'wx' });
    if (existing === 'replace') await rename(draft, file);
    else await linkUnlessThere(draft, file);
  } catch (error) {
    throw isOutOfSpace(error) ? diskFull(error) : error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function linkUnlessThere(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    // Some file systems cannot link.
    await rename(draft, file);
  }
}

async function lstatOf(path: string): Promise<Awaited<ReturnType<typeof lstat>> | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
    throw error;
  }
}
