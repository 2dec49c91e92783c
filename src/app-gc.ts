import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { refuseForeignJournal } from './app.ts';
import { openBoard } from './app-board.ts';
import type { DrivenRow } from './app-board.ts';
import { makeArtefacts, stateFolder } from './app-files.ts';
import { openStore } from './app-store.ts';
import { findWaste, WASTE_KINDS } from './app-waste.ts';
import type { Found, Waste, WasteKind } from './app-waste.ts';
import { VolleyError } from './core/errors.ts';
import { isAlive, thisProcess } from './dispatch/owner.ts';
import { isOver, putAway } from './engine/put-away.ts';
import { checkoutAt, removeCheckout } from './git/checkout.ts';
import { commitsIn, keepNamed } from './git/keep-named.ts';
import { bytesOfRefs, removeRefs } from './git/loop-refs.ts';
import type { LoopRef } from './git/loop-refs.ts';
import { openMirror } from './git/mirror.ts';
import type { Mirror } from './git/mirror.ts';
import { openWorkspace } from './git/open-workspace.ts';
import { openProject, userIdentity } from './git/project.ts';
import type { Project } from './git/project.ts';
import { pruneMirror } from './git/prune-mirror.ts';
import { removeOpened } from './git/sound-checkout.ts';
import { takeLock } from './lib/lock.ts';
import type { Lock } from './lib/lock.ts';
import { ownBytes } from './lib/own-bytes.ts';
import { removeTree } from './lib/remove-tree.ts';
import type { Store } from './store/store.ts';

/** What is to be tidied, and how. */
export type Tidying = {
  readonly cwd: string;
  readonly olderThanMs: number;
  /** Only tells what would be removed. */
  readonly dryRun: boolean;
  /** The home of agents and gates goes too. */
  readonly caches: boolean;
};

/** How much of one kind; `bytes` is null where they are counted with the objects, `count` where they are not things. */
export type Tidied = { readonly kind: WasteKind; readonly count: number | null; readonly bytes: number | null };

/** What was removed, or would be. */
export type TidyReport = {
  readonly tidied: readonly Tidied[];
  readonly freedBytes: number;
  /** What stays although it might go, and why, one sentence each. */
  readonly left: readonly string[];
  /** The home of agents and gates, where it stays. */
  readonly cacheBytes: number;
};

const DAY_MS = 24 * 3_600_000;

/** Objects this young may belong to somebody who is about to name them. */
const YOUNG_OBJECTS_MS = 3_600_000;

/** Removes what no loop of the project that a folder belongs to needs any more. */
export async function tidyUp(tidying: Tidying): Promise<TidyReport> {
  const project = await openProject(tidying.cwd);
  await refuseForeignJournal(project);
  const store = openStore(project.root);
  const lock = tidying.dryRun ? null : await lockOut(project);
  try {
    const place = await openPlace(project, store, tidying);
    const found = await findWaste({
      ...place,
      limit: new Date(place.nowMs - tidying.olderThanMs),
      yesterday: new Date(place.nowMs - DAY_MS),
      load: async (id) => await store.load(id),
    });
    return tidying.dryRun ? await foresee(place, found) : await perform(place, found);
  } finally {
    await lock?.release();
    await store.close();
  }
}

const LOCK_MS = 2_000;

/** Two that tidy the same project would fall over what the other one removes. Null where there is nothing yet to be tidied. */
async function lockOut({ key }: Project): Promise<Lock | null> {
  if (!existsSync(stateFolder(key))) return null;
  try {
    return await takeLock(join(stateFolder(key), 'gc.lock'), { waitMs: LOCK_MS });
  } catch (error) {
    throw new VolleyError('busy', 'Another volley gc is at work in this project.', 'Wait until it is done.').from(error);
  }
}

type Place = {
  readonly tidying: Tidying;
  readonly nowMs: number;
  readonly project: Project;
  readonly store: Store;
  readonly mirror: Mirror | null;
  readonly rows: readonly DrivenRow[];
  readonly home: string;
  named(): Promise<ReadonlySet<string>>;
};

async function openPlace(project: Project, store: Store, tidying: Tidying): Promise<Place> {
  const hasMirror = existsSync(join(stateFolder(project.key), 'repo.git'));
  const mirror = hasMirror ? await openMirror({ project, stateDir: stateFolder() }) : null;
  const rows = await openBoard(tidying.cwd);
  let named: Promise<ReadonlySet<string>> | null = null;
  return {
    tidying,
    nowMs: Date.now(),
    project,
    store,
    mirror,
    rows,
    home: join(stateFolder(project.key), 'home'),
    named: async () => await (named ??= namedCommits(store, rows)),
  };
}

/** One journal at a time, as all of them may be more than fits. */
async function namedCommits(store: Store, rows: readonly DrivenRow[]): Promise<ReadonlySet<string>> {
  const named = new Set<string>();
  for (const { id } of rows) for (const commit of commitsIn(JSON.stringify(await store.journal(id)))) named.add(commit);
  return named;
}

async function foresee(place: Place, { waste, busy }: Found): Promise<TidyReport> {
  const { mirror, home, tidying } = place;
  const left = await reasonToLeave(place, busy);
  const refs = refsIn(waste).filter(({ at }) => at < objectLimit(place).toISOString());
  const objects = mirror === null || left !== null ? 0 : await bytesOfRefs(mirror.place, refs);
  const cacheBytes = await ownBytes(home);
  const caches = tidying.caches && busy === null ? cacheBytes : 0;
  return conclude(place, { waste, objects, caches, cacheBytes, left: left === null ? [] : [leftSentence(left)] });
}

async function perform(place: Place, { waste, busy }: Found): Promise<TidyReport> {
  const { mirror, home, tidying } = place;
  const gone: Waste[] = [];
  const left: string[] = [];
  for (const one of waste) {
    const problem = await remove(place, one);
    if (problem === null) gone.push(one);
    else if (!left.includes(problem)) left.push(problem);
  }
  if (mirror !== null) await removeRefs(mirror.place, refsIn(gone));
  const cacheBytes = await ownBytes(home);
  if (tidying.caches && busy === null) await removeTree(home);
  const why = await reasonToLeave(place, busy);
  const pruned = mirror === null || why !== null ? null : await prune(place, mirror);
  const reason = why ?? (pruned?.kind === 'left' ? pruned.why : null);
  if (reason !== null) left.push(leftSentence(reason));
  const caches = cacheBytes - (await ownBytes(home));
  return conclude(place, { waste: gone, objects: pruned?.kind === 'pruned' ? pruned.freedBytes : 0, caches, cacheBytes, left });
}

function refsIn(waste: readonly Waste[]): readonly LoopRef[] {
  return waste.flatMap(({ what }) => ('ref' in what ? [what.ref] : []));
}

/** Refs are removed together, afterwards. Null if it is gone, else what is wrong. */
async function remove(place: Place, { what }: Waste): Promise<string | null> {
  if ('ref' in what) return null;
  if ('foldersOf' in what) return await removeFolders(place, what.foldersOf);
  const path = 'path' in what ? what.path : what.checkout;
  const { mirror } = place;
  if ('checkout' in what && mirror !== null) {
    const checkout = checkoutAt(mirror.place, path);
    await removeOpened(path, async () => await removeCheckout(checkout)).catch(() => undefined);
  } else await removeTree(path);
  return existsSync(path) ? `${path} could not be removed.` : null;
}

/** Removes all folders of a loop that is over, while nobody else can take it up; what lies uncommitted in them is kept first. */
async function removeFolders({ project, store, mirror }: Place, id: number): Promise<string | null> {
  if (mirror === null) return null;
  const me = await thisProcess();
  const loop = await store.transaction(async (tx) => {
    const found = await tx.load(id);
    const owner = (await store.rows({ id }))[0]?.owner ?? null;
    if (found === null || !isOver(found.state) || (owner !== null && (await isAlive(owner)))) return null;
    await tx.setOwner(id, me);
    return found;
  });
  if (loop === null) return `Task ${id} was taken up meanwhile.`;
  let problem: string | null = null;
  try {
    const folder = stateFolder(project.key);
    const workspace = openWorkspace({ project, mirror, folder, identity: await userIdentity(project) });
    const report = (): void => void (problem = `The folders of task ${id} could not be removed.`);
    await putAway({ workspace, artefacts: makeArtefacts(project.root, folder), report }, loop);
  } finally {
    await store.transaction(async (tx) => await tx.setOwner(id, null));
  }
  return problem;
}

/** Why the objects of the mirror stay as they are; null if they may be packed. */
async function reasonToLeave({ store, rows }: Place, busy: string | null): Promise<string | null> {
  if (busy !== null) return busy;
  for (const { id, wantsWork } of rows) {
    if (wantsWork && (await store.load(id))?.current !== null) return `task ${id} was interrupted in the middle of its work`;
  }
  return null;
}

function leftSentence(why: string): string {
  return `Git objects stay as they are: ${why}.`;
}

async function prune(place: Place, mirror: Mirror): ReturnType<typeof pruneMirror> {
  await keepNamed(mirror, await place.named());
  return await pruneMirror(mirror, objectLimit(place));
}

function objectLimit({ nowMs, tidying }: Place): Date {
  return new Date(nowMs - Math.max(tidying.olderThanMs, YOUNG_OBJECTS_MS));
}

type Sums = {
  readonly waste: readonly Waste[];
  readonly objects: number;
  readonly caches: number;
  readonly cacheBytes: number;
  readonly left: readonly string[];
};

function conclude({ tidying }: Place, { waste, objects, caches, cacheBytes, left }: Sums): TidyReport {
  const tidied = WASTE_KINDS.flatMap((kind): readonly Tidied[] => {
    if (kind === 'objects') return objects > 0 ? [{ kind, count: null, bytes: objects }] : [];
    if (kind === 'caches') return caches > 0 ? [{ kind, count: null, bytes: caches }] : [];
    const own = waste.filter((one) => one.kind === kind);
    const isRef = own.some(({ what }) => 'ref' in what);
    const bytes = own.reduce((sum, one) => sum + one.bytes, 0);
    return own.length === 0 ? [] : [{ kind, count: own.length, bytes: isRef ? null : bytes }];
  });
  const freedBytes = tidied.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
  return { tidied, freedBytes, left, cacheBytes: tidying.caches ? cacheBytes - caches : cacheBytes };
}
