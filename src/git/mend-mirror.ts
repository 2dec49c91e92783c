import { lstatSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { keepFile, keepFolder } from './keep-file.ts';

/** Of what lies in `.volley/` only these belong into commits; an agent may write there by mistake or on purpose. */
const EXCLUDED = ['/.volley/*', '!/.volley/standards.md', '!/.volley/prompts/', '!/.volley/rules/', ''].join('\n');

/** A mirror has none of its own. */
export const MIRROR_HEAD = 'ref: refs/heads/volley-has-no-head\n';

const FOLDERS = ['info', 'objects', 'objects/info', 'refs'];

/** What git would obey in a repository, and a mirror never has. */
const FOREIGN = ['commondir', 'config.worktree', 'hooks', 'info/attributes', 'info/grafts', 'objects/info/alternates'];

/** Makes the files that say how a mirror works what they must be, whatever an agent wrote there; other places stay as they are. */
export async function mendMirror({ commonDir, config }: { readonly commonDir: string; readonly config?: string }): Promise<void> {
  if (config === undefined) return;
  const files = { config, HEAD: MIRROR_HEAD, 'info/exclude': EXCLUDED };
  if (isSound(commonDir, files)) return;
  for (const folder of FOLDERS) await keepFolder(commonDir, ...folder.split('/'));
  await Promise.all([
    ...Object.entries(files).map(async ([name, text]) => await keepFile(join(commonDir, name), text)),
    ...FOREIGN.map(async (name) => await rm(join(commonDir, name), { recursive: true, force: true })),
  ]);
}

/** Asks at once, as this is done before each git command: to wait for answers would take ten times as long. */
function isSound(dir: string, files: Readonly<Record<string, string>>): boolean {
  const find = (name: string): ReturnType<typeof lstatSync> => lstatSync(join(dir, name), { throwIfNoEntry: false });
  const holds = ([name, text]: readonly [string, string]): boolean => {
    const found = find(name);
    return found?.isFile() === true && found.size === Buffer.byteLength(text) && readFileSync(join(dir, name), 'utf8') === text;
  };
  return (
    FOLDERS.every((name) => find(name)?.isDirectory() === true) &&
    Object.entries(files).every(holds) &&
    !FOREIGN.some((name) => find(name) !== undefined)
  );
}
