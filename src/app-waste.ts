import { existsSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DrivenRow } from './app-board.ts';
import { databasePlace, stateFolder } from './app-files.ts';
import type { Loop } from './core/loop.ts';
import { needOf } from './engine/need.ts';
import type { Need } from './engine/need.ts';
import { listLoopRefs } from './git/loop-refs.ts';
import type { LoopRef } from './git/loop-refs.ts';
import type { Mirror } from './git/mirror.ts';
import { findOrphans } from './git/orphans.ts';
import type { Project } from './git/project.ts';
import { ownBytes } from './lib/own-bytes.ts';
import { isRunning } from './lib/process-tree.ts';

/** What is removed, by kind, in the order in which it is told. */
export const WASTE_KINDS = [
  'checkouts',
  'throw-aways',
  'sessions',
  'partial work',
  'replaced commits',
  'snapshots',
  'imported commits',
  'transcripts',
  'base trees',
  'backups',
  'objects',
  'caches',
] as const;
export type WasteKind = (typeof WASTE_KINDS)[number];

/** One thing that nobody needs any more: a path, a ref of the mirror, or all folders of a loop. */
export type Waste = {
  readonly kind: WasteKind;
  readonly bytes: number;
  readonly what: { readonly path: string } | { readonly checkout: string } | { readonly ref: LoopRef } | { readonly foldersOf: number };
};

/** A project as it is looked at; `rows` are all of its loops. */
export type Looked = {
  readonly project: Project;
  /** Null where no loop ever ran. */
  readonly mirror: Mirror | null;
  readonly rows: readonly DrivenRow[];
  /** Things of before this moment are old. */
  readonly limit: Date;
  /** What is younger than this may belong to a process that writes no journal. */
  readonly yesterday: Date;
  /** Every commit that a journal names. */
  named(): Promise<ReadonlySet<string>>;
  load(id: number): Promise<Loop | null>;
};

/** What was found; `busy` says who may be at work in Volley's own folders right now, and is null if nobody is. */
export type Found = { readonly waste: readonly Waste[]; readonly busy: string | null };

/** Finds everything that no loop needs any more; nothing is changed. */
export async function findWaste(looked: Looked): Promise<Found> {
  const needs = new Map(looked.rows.map((row) => [row.uid, needOf(row, looked.limit.toISOString())]));
  const folders = await findFolders(looked, needs);
  const driven = looked.rows.find((row) => row.driven);
  const busy = driven !== undefined ? `task ${driven.id} is being driven` : folders.unknown;
  const parts = [
    ...(await Promise.all([findScratch(looked), findRefs(looked, needs), findTranscripts(looked, needs), findBackups(looked)])),
    busy === null ? await findTrees(looked, needs) : [],
  ];
  return { waste: [...folders.waste, ...parts.flat()], busy };
}

type Needs = ReadonlyMap<string, Need>;

const UID = /^(?:doctor-)?([0-9A-HJKMNP-TV-Z]{26})(?![0-9A-Za-z])/;

const FOLDERS: readonly { readonly folder: string; readonly kind: WasteKind }[] = [
  { folder: 'checkouts', kind: 'checkouts' },
  { folder: 'reviews', kind: 'throw-aways' },
  { folder: 'hooks', kind: 'throw-aways' },
  { folder: 'sessions', kind: 'sessions' },
];

/** The folders that belong to loops; `unknown` tells of a young one whose loop no journal knows. */
async function findFolders(looked: Looked, needs: Needs): Promise<{ readonly waste: readonly Waste[]; readonly unknown: string | null }> {
  const waste: Waste[] = [];
  let unknown: string | null = null;
  for (const { folder, kind } of FOLDERS) {
    const parent = join(stateFolder(looked.project.key), folder);
    for (const name of await namesIn(parent)) {
      const uid = UID.exec(name)?.[1] ?? '';
      const path = join(parent, name);
      const row = looked.rows.find((one) => one.uid === uid);
      if (row !== undefined) {
        if (needs.get(uid) !== 'everything') waste.push({ kind, bytes: await ownBytes(path), what: { foldersOf: row.id } });
      } else if (await isBefore(path, looked.yesterday)) {
        waste.push({ kind, bytes: await ownBytes(path), what: kind === 'checkouts' ? { checkout: path } : { path } });
      } else unknown = 'something that writes no journal may be at work';
    }
  }
  return { waste, unknown };
}

/** What killed processes left beside the folders of loops. */
async function findScratch({ project, mirror, yesterday }: Looked): Promise<readonly Waste[]> {
  const home = stateFolder(project.key);
  const found: { readonly path: string; readonly isGone: boolean; readonly isCheckout?: boolean }[] = [];
  for (const name of await namesIn(home)) {
    const path = join(home, name);
    if (name.startsWith('landing-')) found.push({ path, isGone: isOfTheDead(/^landing-(\d+)-/, name), isCheckout: true });
    if (name.startsWith('draft-')) found.push({ path, isGone: isOfTheDead(/^draft-(\d+)-/, name) });
    if (name.startsWith('snapshot-')) found.push({ path, isGone: await isBefore(path, yesterday) });
  }
  for (const name of await namesIn(join(home, 'trees')))
    if (name.includes('.')) found.push({ path: join(home, 'trees', name), isGone: isOfTheDead(/\.(\d+)$/, name) });
  for (const name of await namesIn(stateFolder()))
    if (name.startsWith('probe-'))
      found.push({ path: join(stateFolder(), name), isGone: await isBefore(join(stateFolder(), name), yesterday) });
  const database = databasePlace(project.root).file;
  for (const name of await namesIn(join(project.root, '.volley')))
    if (/^volley\.db\.\d+\.new/.test(name))
      found.push({ path: `${database}${name.slice('volley.db'.length)}`, isGone: isOfTheDead(/\.(\d+)\.new/, name) });
  const orphans = mirror === null ? [] : await findOrphans(mirror, yesterday);
  const gone = [...found.filter(({ isGone }) => isGone), ...orphans.map((path) => ({ path, isCheckout: false }))];
  return await Promise.all(
    gone.map(async ({ path, isCheckout }): Promise<Waste> => {
      return { kind: 'throw-aways', bytes: await ownBytes(path), what: isCheckout === true ? { checkout: path } : { path } };
    }),
  );
}

const REF_KINDS = { partial: 'partial work', ours: 'replaced commits', snapshot: 'snapshots', import: 'imported commits' } as const;

/**
 * A ref of a loop that no journal knows goes by its own age, and so does a commit that none names, of a working tree or of the
 * user: somebody only looked at it. What a ref holds is freed with the objects.
 */
async function findRefs(looked: Looked, needs: Needs): Promise<readonly Waste[]> {
  const { mirror, rows, limit, yesterday } = looked;
  if (mirror === null) return [];
  const byId = new Map(rows.map((row) => [row.id, needs.get(row.uid)]));
  const old = (await listLoopRefs(mirror.place)).filter(({ kind, loopId, at }) => {
    const need = loopId === null ? undefined : byId.get(loopId);
    if (need !== undefined) return need === 'nothing';
    // Whoever starts a task just now names it in a moment.
    return at < limit.toISOString() && (kind !== 'import' || at < yesterday.toISOString());
  });
  const kept = old.some(({ loopId }) => loopId === null) ? await looked.named() : new Set();
  return old
    .filter(({ loopId, commit }) => loopId !== null || !kept.has(commit))
    .map((ref) => ({ kind: REF_KINDS[ref.kind], bytes: 0, what: { ref } }));
}

async function findTranscripts({ project, rows, limit }: Looked, needs: Needs): Promise<readonly Waste[]> {
  const folder = join(project.root, '.volley', 'transcripts');
  const byId = new Map(rows.map((row) => [row.id, needs.get(row.uid)]));
  const waste: Waste[] = [];
  for (const name of await namesIn(folder)) {
    const number = /^task-([1-9]\d{0,14})-.*\.log$/.exec(name)?.[1];
    if (number === undefined) continue;
    const path = join(folder, name);
    const need = byId.get(Number(number));
    if (need === undefined ? await isBefore(path, limit) : need === 'nothing')
      waste.push({ kind: 'transcripts', bytes: await ownBytes(path), what: { path } });
  }
  return waste;
}

async function findBackups({ project, limit }: Looked): Promise<readonly Waste[]> {
  const { backupDir } = databasePlace(project.root);
  const paths = (await namesIn(backupDir)).filter((name) => /^volley-.*\.db(?:\.new)?$/.test(name)).map((name) => join(backupDir, name));
  return await oldOnes('backups', paths, limit);
}

/** Files of base commits. The settings of a loop may name programs in those of its own; a loop that is reopened gets them again. */
async function findTrees(looked: Looked, needs: Needs): Promise<readonly Waste[]> {
  const { project, rows, limit } = looked;
  const folder = join(stateFolder(project.key), 'trees');
  const commits = (await namesIn(folder)).filter((name) => /^[0-9a-f]{40,64}$/.test(name));
  if (commits.length === 0) return [];
  const needed = new Set<string | undefined>();
  for (const { id, uid } of rows) if (needs.get(uid) !== 'nothing') needed.add((await looked.load(id))?.rulesFrom);
  const paths = commits.filter((commit) => !needed.has(commit)).map((commit) => join(folder, commit));
  return await oldOnes('base trees', paths, limit);
}

async function oldOnes(kind: WasteKind, paths: readonly string[], limit: Date): Promise<readonly Waste[]> {
  const waste: Waste[] = [];
  for (const path of paths) if (await isBefore(path, limit)) waste.push({ kind, bytes: await ownBytes(path), what: { path } });
  return waste;
}

function isOfTheDead(pattern: RegExp, name: string): boolean {
  const pid = Number(pattern.exec(name)?.[1]);
  return pid > 0 && !isRunning(pid);
}

async function isBefore(path: string, moment: Date): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  return found !== null && found.mtime < moment;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return existsSync(folder) ? (await readdir(folder)).toSorted() : [];
}
