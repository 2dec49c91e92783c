import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Access } from '../core/access.ts';
import { readIfPresent } from './file-error.ts';
import { keepFile, keepFolder } from './keep-file.ts';

/** What such a repository may hold; anything else (hooks, a merge under way) is of an agent's making. */
const KEPT = new Set(['HEAD', 'config', 'index', 'info', 'logs', 'objects', 'refs', 'shallow']);

/** Who an agent is where it commits: it does not get the user's name. */
const AGENT = '[user]\n\tname = Agent\n\temail = agent@localhost\n';

/**
 * Makes the repository that agents and gates see in a checkout what it must be, whatever they wrote there. It is theirs: they may
 * commit in it, and nothing of it is believed. Objects come from the mirror, which they cannot write, because git does not
 * look whether the content of an object is that of its name.
 */
export async function mendAgentRepository(dir: string, given: { readonly mirror: string; readonly head: string }): Promise<void> {
  const { mirror } = given;
  const [config, exclude, shallow] = await Promise.all([
    readIfPresent(join(mirror, 'config')),
    readIfPresent(join(mirror, 'info', 'exclude')),
    readIfPresent(join(mirror, 'shallow')),
  ]);
  await keepFolder(dirname(dir), basename(dir));
  const foreign = (await readdir(dir)).filter((name) => !KEPT.has(name));
  await Promise.all([...foreign, 'info'].map(async (name) => await rm(join(dir, name), { recursive: true, force: true })));
  await Promise.all([['objects', 'info'], ['refs', 'heads'], ['info']].map(async (steps) => await keepFolder(dir, ...steps)));
  await Promise.all([
    keepFile(join(dir, 'HEAD'), `${given.head}\n`),
    keepFile(join(dir, 'config'), `${(config ?? '').replace(/^(\tbare = ).*$/m, '$1false')}${AGENT}`),
    keepFile(join(dir, 'objects', 'info', 'alternates'), `${join(mirror, 'objects')}\n`),
    // A change must not choose the encoding in which it is read.
    keepFile(join(dir, 'info', 'attributes'), '* !working-tree-encoding\n'),
    keepFile(join(dir, 'info', 'exclude'), exclude ?? ''),
    shallow === null ? rm(join(dir, 'shallow'), { recursive: true, force: true }) : keepFile(join(dir, 'shallow'), shallow),
  ]);
}

/** What programs in a checkout have to reach of git. */
export async function agentAccess(
  dir: string,
  { mirror, checkout }: { readonly mirror: string; readonly checkout: string },
): Promise<Access> {
  return {
    read: await objectFolders(join(mirror, 'objects')),
    write: [dir],
    protect: [join(checkout, '.git'), join(dir, 'config'), join(dir, 'objects', 'info', 'alternates')],
    hide: [],
  };
}

const DEEPEST = 5;

/** A folder of objects with those that it borrows from. */
export async function objectFolders(objects: string, depth = 0): Promise<string[]> {
  const text = depth === DEEPEST ? null : await readIfPresent(join(objects, 'info', 'alternates'));
  const borrowed = (text ?? '').split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const further = await Promise.all(borrowed.map(async (path) => await objectFolders(resolve(objects, path), depth + 1)));
  return [objects, ...further.flat()];
}
