import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitPlace } from './git.ts';
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
      const dir = join(folder, input.uid, randomBytes(4).toString('hex'));
      const remove = async (): Promise<void> => {
        const before = leaving.get(input.uid);
        // What cannot be removed now goes when the loop is taken up again.
        leaving.set(input.uid, Promise.all([before, removeFolder(dir)]).then(noop, noop));
      };
      return await makePlace({ mirror, dir, ...input }, remove);
    },
    removeAll: async (uid) => {
      await leaving.get(uid);
      leaving.delete(uid);
      await removeFolder(join(folder, uid));
    },
  };
}

type Plan = Parameters<Workspace['openReview']>[0] & { readonly mirror: GitPlace; readonly dir: string };

async function makePlace(plan: Plan, remove: () => Promise<void>): Promise<ReviewPlace> {
  const { mirror, mergeBase, head, message } = plan;
  await mkdir(plan.dir, { recursive: true });
  const make = async (name: string): ReturnType<typeof makeReviewerRepository> =>
    await makeReviewerRepository({ mirror, dir: join(plan.dir, name), mergeBase, head, message });
  const [checkout, scratch] = await Promise.all([make('checkout'), make('scratch')]);
  return {
    dir: checkout.dir,
    scratch: scratch.dir,
    base: checkout.base,
    head: checkout.head,
    tripwire: async () => await readTripwire(checkout.place),
    remove,
  };
}

async function removeFolder(dir: string): Promise<void> {
  await rm(dir, { recursive: true, force: true, maxRetries: 3 });
}

function noop(): void {}
