import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { accessOf, removeCheckout, resetCheckout } from './checkout.ts';
import type { Checkout } from './checkout.ts';
import { commitAll } from './commit.ts';
import { keepFile } from './keep-file.ts';
import { restorePartial, savePartial } from './partial.ts';
import type { Identity } from './project.ts';
import type { Signing } from './sign.ts';
import { inSoundCheckout } from './sound-checkout.ts';
import { isBelow, readStatus, toPathBytes } from './status.ts';
import type { CommitRequest, WorkCheckout } from './workspace.ts';

const LOCK_TURNS = 40;
const LOCK_TURN_MS = 50;

type Parts = {
  readonly checkout: Checkout;
  readonly commit: string;
  readonly loopId: number;
  readonly identity: Identity;
  readonly provisioned: readonly string[];
  readonly warnings: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** How the user signs commits. */
  signing(): Promise<Signing | null>;
  /** Is told which files differ between two commits of which we made the second. */
  onCommit(from: string, to: string, files: readonly string[]): void;
};

/** The engine's view of a checkout. What a dead session left in it is kept first, so that the next one starts clean. */
export async function workCheckout(parts: Parts): Promise<WorkCheckout> {
  const { checkout } = parts;
  if (!checkout.fresh && !(await isClean(parts))) await keep(parts);
  return {
    dir: checkout.dir,
    access: await accessOf(checkout),
    fresh: checkout.fresh,
    env: parts.env,
    warnings: parts.warnings,
    commit: async (request) => await inSoundCheckout(checkout, parts.commit, async () => await commit(parts, request)),
    keepPartial: async () => await keep(parts),
    restore: async (ref) => await restorePartial(checkout, ref, parts.commit),
    reset: async () =>
      await inSoundCheckout(checkout, parts.commit, async () => await resetCheckout(checkout, parts.commit, parts.provisioned)),
    markReady: async () => await keepFile(readyFile(checkout), ''),
  };
}

/** Whether a checkout was set up to its end. */
export function isReady(checkout: Checkout): boolean {
  return existsSync(readyFile(checkout));
}

/** Makes a checkout that a dead driver left fit to be opened: one that was never ready goes away, and so do locks of its git. */
export async function mendLeftCheckout(checkout: Checkout): Promise<void> {
  if (!isReady(checkout)) return await removeCheckout(checkout);
  const locks = [`${checkout.index}.lock`, `${checkout.index}.partial.lock`];
  // A git that outlives its driver by a moment may hold them rightly.
  for (let turn = 0; turn < LOCK_TURNS && locks.some((lock) => existsSync(lock)); turn += 1) await sleep(LOCK_TURN_MS);
  await Promise.all(locks.map(async (lock) => await rm(lock, { force: true })));
}

function readyFile(checkout: Checkout): string {
  return join(checkout.index, '..', 'ready');
}

/** The common case, and quicker to see than to keep nothing; an index that cannot be read is not clean. */
async function isClean({ checkout, provisioned }: Parts): Promise<boolean> {
  const entries = await readStatus(checkout.place, checkout.index).catch(() => null);
  const kept = provisioned.map(toPathBytes);
  return entries?.every((entry) => isBelow(entry.path, kept)) === true;
}

async function keep(parts: Parts): Promise<string | null> {
  const { checkout, provisioned } = parts;
  const save = { checkout, id: parts.loopId, parent: parts.commit, exclude: provisioned, at: new Date() };
  const partial = await inSoundCheckout(checkout, parts.commit, async () => await savePartial(save));
  if (partial === null) return null;
  await resetCheckout(checkout, parts.commit, provisioned);
  return partial.ref;
}

async function commit(parts: Parts, request: CommitRequest): ReturnType<WorkCheckout['commit']> {
  const result = await commitAll({
    checkout: parts.checkout,
    id: parts.loopId,
    parent: request.parent,
    message: request.message,
    trailers: { 'Volley-Loop': String(parts.loopId), 'Volley-Step': request.step },
    identity: parts.identity,
    at: new Date(),
    exclude: parts.provisioned,
    groups: request.groups,
    sign: request.sign === 'inherit' ? await parts.signing() : null,
  });
  if (result.kind === 'committed') {
    parts.onCommit(request.parent, result.head.commit, result.files);
    return result;
  }
  await resetCheckout(parts.checkout, parts.commit, parts.provisioned);
  const { skipped, ...outcome } = result;
  return outcome.kind === 'unchanged' && skipped.length > 0 ? { ...outcome, skipped } : outcome;
}
