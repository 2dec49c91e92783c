import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { refuseForeignJournal } from './app.ts';
import { stateFolder } from './app-files.ts';
import { readHistory } from './app-read-export.ts';
import type { ExportFile } from './app-read-export.ts';
import { openStore } from './app-store.ts';
import { wantsWork } from './core/decide.ts';
import { VolleyError } from './core/errors.ts';
import type { Loop } from './core/loop.ts';
import { readBranch } from './git/holders.ts';
import { presentCommits } from './git/keep-named.ts';
import { importCommits, openMirror } from './git/mirror.ts';
import { openProject, userIdentity } from './git/project.ts';
import type { Project } from './git/project.ts';
import { artefactExists, ensureVolleyFolder, writeArtefact } from './store/artefacts.ts';
import type { Store } from './store/store.ts';

/** A loop that was taken over. `isComplete`: this repository has its commits, so that it can go on and land here. */
export type ImportedLoop = { readonly id: number; readonly state: string; readonly wantsWork: boolean; readonly isComplete: boolean };

/** What came of an import. */
export type ImportReport = {
  readonly imported: readonly ImportedLoop[];
  /** Loops that were here already, and stay as they are. */
  readonly present: readonly number[];
  readonly transcripts: number;
};

/** Takes loops over from a file that `volley export` wrote, all that are not here yet or none. */
export async function importHistory(cwd: string, file: ExportFile): Promise<ImportReport> {
  const project = await openProject(cwd);
  await refuseForeignJournal(project);
  const store = openStore(project.root);
  try {
    const { coming, present, hasTranscripts } = await survey(store, file);
    for (const loop of coming) await refuseTakenBranch(project, loop);
    const imported = await findCommits(project, coming);
    if (imported.length === 0) return { imported, present, transcripts: 0 };
    const by = (await userIdentity(project)).name;
    const transcripts = await withTranscripts({ root: project.root, file, imported, hasTranscripts }, async () => {
      await write(store, file, { imported, by });
    });
    return { imported, present, transcripts };
  } finally {
    await store.close();
  }
}

/** What is kept of a loop until it is known that the whole file is sound. */
type Coming = Omit<ImportedLoop, 'isComplete'> & {
  readonly commits: readonly string[];
  readonly branch: string;
  /** Where its branch stands if it was published. */
  readonly published: string | null;
};

type Survey = { readonly coming: readonly Coming[]; readonly present: readonly number[]; readonly hasTranscripts: boolean };

/** Reads the whole file once, before anything is written. */
async function survey(store: Store, file: ExportFile): Promise<Survey> {
  const rows = await store.rows();
  const here = new Set(rows.map(({ uid }) => uid));
  const taken = new Map(rows.map(({ id, title }) => [id, title]));
  const seen = new Set<string | number>();
  const coming: Coming[] = [];
  const present: number[] = [];
  let hasTranscripts = false;
  for await (const part of readHistory(file)) {
    if ('type' in part) {
      hasTranscripts = true;
      continue;
    }
    const { loop } = part;
    if (seen.has(loop.uid) || seen.has(loop.id))
      throw new VolleyError('refused', `Task ${loop.id} stands in ${file.name} twice.`, 'Nothing was written. Export it again, whole.');
    seen.add(loop.uid).add(loop.id);
    if (here.has(loop.uid)) present.push(loop.id);
    else if (taken.has(loop.id)) throw takenNumber(loop.id);
    else coming.push(comingOf(loop));
  }
  return { coming, present, hasTranscripts };
}

function comingOf(loop: Loop): Coming {
  const { id, state, branch, commits, head, start, takenOver } = loop;
  const published = commits.length > 0 ? (head?.commit ?? null) : takenOver === null ? null : start.commit;
  return { id, state, branch, published, wantsWork: wantsWork(loop), commits: commitsOf(loop) };
}

/** What the loop commits goes to its branch, so that must not be somebody's own. */
async function refuseTakenBranch({ place }: Project, { id, branch, published }: Coming): Promise<void> {
  const at = await readBranch(place, branch);
  if (at === null || at === published) return;
  throw new VolleyError(
    'conflict',
    `This repository has a branch ${branch} that is not where task ${id} left it.`,
    `Nothing was written. Rename that branch, or export the other tasks alone: volley export ID….`,
  );
}

function takenNumber(id: number): VolleyError {
  return new VolleyError(
    'conflict',
    `This project has another task ${id} already.`,
    'Nothing was written. Export the tasks whose numbers are free here: volley export ID….',
  );
}

/** What a loop needs to go on or to land. */
function commitsOf({ base, start, head }: Loop): readonly string[] {
  return [...new Set([base.commit, base.mergeBase, start.commit, head?.commit ?? start.commit])];
}

/** Brings what the user's repository has of the loops' commits over, and says for which loops that is everything. */
async function findCommits(project: Project, coming: readonly Coming[]): Promise<readonly ImportedLoop[]> {
  const wanted = new Set(coming.flatMap(({ commits }) => commits));
  const theirs = await presentCommits(project.place, wanted);
  const hasMirror = existsSync(join(stateFolder(project.key), 'repo.git'));
  const mirror = hasMirror || theirs.size > 0 ? await openMirror({ project, stateDir: stateFolder() }) : null;
  if (mirror !== null) await importCommits(mirror, project, [...theirs]);
  const ours = mirror === null ? theirs : await presentCommits(mirror.place, wanted);
  return coming.map(({ id, state, wantsWork: wants, commits }) => ({
    id,
    state,
    wantsWork: wants,
    isComplete: commits.every((commit) => ours.has(commit)),
  }));
}

/** Reads the file again, since its journals together may be more than fits. */
async function write(
  store: Store,
  file: ExportFile,
  { imported, by }: { readonly imported: readonly ImportedLoop[]; readonly by: string },
): Promise<void> {
  const at = new Date().toISOString();
  const byId = new Map(imported.map((loop) => [loop.id, loop]));
  await store.transaction(async (tx) => {
    for await (const part of readHistory(file)) {
      if ('type' in part) continue;
      const { id } = part.loop;
      const plan = byId.get(id);
      if (plan === undefined) continue;
      // Somebody may have started a task since the file was looked through.
      if ((await tx.load(id)) !== null) throw takenNumber(id);
      const taken = { seq: part.journal.length + 1, at, event: { type: 'imported', by } as const };
      await tx.adopt([...part.journal, taken], { job: plan.isComplete });
    }
  });
}

type Transcripts = {
  readonly root: string;
  readonly file: ExportFile;
  readonly imported: readonly ImportedLoop[];
  readonly hasTranscripts: boolean;
};

/** Transcripts come before the journal, as a loop that is here is not imported again; they go if that is not written. Returns how many. */
async function withTranscripts(given: Transcripts, writeJournal: () => Promise<void>): Promise<number> {
  const written: string[] = [];
  try {
    if (given.hasTranscripts) for await (const path of writeTranscripts(given)) written.push(path);
    await writeJournal();
  } catch (error) {
    await Promise.all(written.map(async (path) => await rm(path, { force: true })));
    throw error;
  }
  return written.length;
}

/** Those of a former project of the same name stay as they are. */
async function* writeTranscripts({ root, file, imported }: Transcripts): AsyncGenerator<string, void, undefined> {
  const ids = new Set(imported.map(({ id }) => id));
  await ensureVolleyFolder(root);
  for await (const part of readHistory(file)) {
    if (!('type' in part) || !ids.has(part.loop) || !part.path.startsWith(`.volley/transcripts/task-${part.loop}-`)) continue;
    if (!(await artefactExists(root, part.path))) yield await writeArtefact(root, part.path, part.text);
  }
}
