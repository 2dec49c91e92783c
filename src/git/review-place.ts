import { randomBytes } from 'node:crypto';
import { cpSync } from 'node:fs';
import { lstat, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { removeTree } from '../lib/remove-tree.ts';
import { objectFolders } from './agent-repository.ts';
import { git } from './git.ts';
import type { GitPlace } from './git.ts';
import { loopFolder } from './loop-folder.ts';
import { makeReviewerRepository } from './reviewer-repository.ts';
import { readTripwire } from './tripwire.ts';
import type { ReviewPlace, Workspace } from './workspace.ts';

/** The throw-away repositories of the reviews of a project, below one folder. */
export type ReviewPlaces = {
  open(input: Parameters<Workspace['openReview']>[0]): Promise<ReviewPlace>;
  /** Removes all those of a loop, and waits for the ones that are being removed. */
  removeAll(uid: string): Promise<void>;
};

/** Reviews in repositories of their own. One that was used is removed while the loop goes on. */
export function reviewPlaces(mirror: GitPlace, folder: string): ReviewPlaces {
  const leaving = new Map<string, Promise<void>>();
  return {
    open: async (input) => {
      // A new name each time, because the one before may still be on its way out.
      const dir = join(loopFolder(folder, input.uid), randomBytes(4).toString('hex'));
      const remove = async (): Promise<void> => {
        const before = leaving.get(input.uid);
        // What cannot be removed now goes when the loop is taken up again.
        leaving.set(input.uid, Promise.all([before, removeTree(dir)]).then(noop, noop));
      };
      return await makePlace({ mirror, dir, ...input }, remove);
    },
    removeAll: async (uid) => {
      await leaving.get(uid);
      leaving.delete(uid);
      await removeTree(loopFolder(folder, uid));
    },
  };
}

const FEW_FILES = 500;

type Plan = Parameters<Workspace['openReview']>[0] & { readonly mirror: GitPlace; readonly dir: string };

async function makePlace(plan: Plan, remove: () => Promise<void>): Promise<ReviewPlace> {
  const { mirror, mergeBase, head, message } = plan;
  await makeFolder(plan.dir);
  const make = async (name: string): ReturnType<typeof makeReviewerRepository> =>
    await makeReviewerRepository({ mirror, dir: join(plan.dir, name), mergeBase, head, message });
  const checkout = await make('checkout');
  const secret = await hideEnvFiles(checkout.place);
  const scratch = join(plan.dir, 'scratch');
  // A copy in one go is quickest, but nothing else happens meanwhile.
  if ((await countFiles(checkout.place)) <= FEW_FILES) cpSync(checkout.dir, scratch, { recursive: true, verbatimSymlinks: true });
  else await hideEnvFiles((await make('scratch')).place);
  return {
    dir: checkout.dir,
    scratch,
    access: {
      read: await objectFolders(join(mirror.commonDir, 'objects')),
      write: [scratch],
      protect: [],
      hide: [checkout.dir, scratch].flatMap((dir) => secret.map((path) => join(dir, path))),
    },
    base: checkout.base,
    head: checkout.head,
    tripwire: async () => await readTripwire(checkout.place),
    remove,
  };
}

const ENV_FILES = [':(glob)**/.env', ':(glob)**/.env.*'];

/** The files of variables, which look empty to who looks; git is told not to take that for a change. */
async function hideEnvFiles(place: GitPlace): Promise<readonly string[]> {
  const listed = (await git(place, ['ls-files', '-z', '--', ...ENV_FILES])).split('\0');
  const secret = listed.filter((path) => path !== '' && !isExample(path));
  if (secret.length > 0)
    await git(place, ['update-index', '--skip-worktree', '-z', '--stdin'], { input: secret.map((path) => `${path}\0`).join('') });
  return secret;
}

/** A file that only shows which variables there are holds no secret. */
function isExample(path: string): boolean {
  return /\.(?:example|sample|template|dist|defaults)$/.test(path);
}

/** The number stands in the head of every index, whatever its version. */
async function countFiles({ gitDir }: GitPlace): Promise<number> {
  const index = await open(join(gitDir, 'index'));
  try {
    const { buffer, bytesRead } = await index.read(Buffer.alloc(12), 0, 12, 0);
    return bytesRead === 12 ? buffer.readUInt32BE(8) : Infinity;
  } finally {
    await index.close();
  }
}

/** An author can reach the folder of its loop, and must not lead a review elsewhere. */
async function makeFolder(dir: string): Promise<void> {
  const parent = dirname(dir);
  if ((await lstat(parent).catch(() => null))?.isDirectory() === false) await rm(parent, { force: true });
  await mkdir(dir, { recursive: true });
}

function noop(): void {}
