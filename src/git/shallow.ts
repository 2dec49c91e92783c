import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfPresent } from './file-error.ts';
import { git } from './git.ts';
import type { GitPlace } from './git.ts';

/** Where a mirror's history is cut off from now on, because the user's repository was deepened or cut off elsewhere. */
export type ShallowUpdate = {
  readonly boundary: readonly string[];
  /** Former boundaries whose parents the user's repository now has. */
  readonly deepened: readonly string[];
  /** The user's `shallow` file, as it was read. */
  readonly seen: string;
};

/** Remembers which state of the user's `shallow` file a mirror is up to date with. */
const SEEN = 'volley-shallow';

/** What has changed about the ends of the user's history since the mirror last looked, or null. */
export async function readShallowUpdate(mirror: GitPlace, user: GitPlace): Promise<ShallowUpdate | null> {
  const seen = (await readIfPresent(join(user.commonDir, 'shallow'))) ?? '';
  if (seen === ((await readIfPresent(join(mirror.commonDir, SEEN))) ?? '')) return null;
  const wanted = lines(seen);
  const current = lines((await readIfPresent(join(mirror.commonDir, 'shallow'))) ?? '');
  const left = current.filter((commit) => !wanted.includes(commit));
  const deepened = await present(user, left);
  const complete = await present(
    mirror,
    wanted.filter((commit) => !current.includes(commit)),
  );
  const boundary = [...wanted.filter((commit) => !complete.includes(commit)), ...left.filter((commit) => !deepened.includes(commit))];
  return { boundary, deepened, seen };
}

/** Writes a boundary where git looks for it, once the objects are there. */
export async function writeShallow(mirrorDir: string, update: Pick<ShallowUpdate, 'boundary' | 'seen'>): Promise<void> {
  if (update.boundary.length === 0) await rm(join(mirrorDir, 'shallow'), { force: true });
  else await replaceFile(join(mirrorDir, 'shallow'), shallowText(update));
  await replaceFile(join(mirrorDir, SEEN), update.seen);
}

/** A `shallow` file's text. */
export function shallowText(update: Pick<ShallowUpdate, 'boundary'>): string {
  return update.boundary.map((commit) => `${commit}\n`).join('');
}

/** Writes a file so that a reader sees the old text or the new one. */
async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, text);
  await rename(draft, path);
}

async function present(place: GitPlace, commits: readonly string[]): Promise<readonly string[]> {
  if (commits.length === 0) return [];
  const listed = await git(place, ['cat-file', '--batch-check'], { input: commits.map((commit) => `${commit}\n`).join('') });
  const found = new Set(
    lines(listed)
      .filter((line) => line.includes(' commit '))
      .map((line) => line.split(' ')[0]),
  );
  return commits.filter((commit) => found.has(commit));
}

function lines(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}
