import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databasePlace, stateFolder } from './app-files.ts';
import type { Change } from './core/diff.ts';
import { unknownTask, VolleyError } from './core/errors.ts';
import type { JournalEntry } from './core/event.ts';
import type { Loop } from './core/loop.ts';
import type { Proof } from './core/proof.ts';
import { replayJournal } from './core/replay.ts';
import type { Replay } from './core/replay.ts';
import { promptsIn } from './core/transcript-prompt.ts';
import { changeKey } from './core/verify-facts.ts';
import type { PromptFact, RowFact, VerifyFacts } from './core/verify-facts.ts';
import { branchOf, concludeVerification, verifyLoop } from './core/verify.ts';
import { twinPath } from './core/writers/artefact-path.ts';
import { documentPath } from './engine/artefacts.ts';
import type { VerifiedLoop } from './engine/result-desk.ts';
import { readChange } from './git/change.ts';
import { tryGit } from './git/git.ts';
import type { GitPlace } from './git/git.ts';
import { readBranch } from './git/holders.ts';
import { isTracked, openProject } from './git/project.ts';
import type { Project } from './git/project.ts';
import { loopRecord } from './store/loop-row.ts';
import { changedReviewRecords } from './store/review-rows.ts';
import { openSqliteStore } from './store/sqlite.ts';

/** Checks a loop of the project that a folder belongs to against git, the database and the files; nothing is driven or written. */
export async function verifyTask(cwd: string, id: number): Promise<VerifiedLoop> {
  const project = await openProject(cwd);
  const { journal, rows } = await readRecord(project.root, id);
  const replay = replayJournal(journal);
  if (replay === null) {
    throw new VolleyError(
      'store-broken',
      `The journal of task ${id} does not begin with a task.`,
      'Restore .volley/volley.db from a backup.',
    );
  }
  const { loop } = replay;
  const name = branchOf(loop);
  const checks = verifyLoop({
    replay,
    isForeign: await isTracked(project, '.volley/volley.db'),
    rows: rowFacts(replay, rows),
    ...(await gitFacts(project, loop)),
    branch: name === null ? null : await readBranch(project.place, name),
    ...(await fileFacts(project.root, loop)),
  });
  return { loop, checks, verification: concludeVerification(loop, checks) };
}

type Row = Readonly<Record<string, unknown>>;

type Rows = { readonly loop: Row | null; readonly reviews: readonly Row[]; readonly issues: readonly Row[] };

const ATTEMPTS = 5;

/** The journal and the rows beside it as they were at one moment, also while somebody drives the loop. */
async function readRecord(root: string, id: number): Promise<{ readonly journal: readonly JournalEntry[]; readonly rows: Rows }> {
  const place = databasePlace(root);
  if (!existsSync(place.file)) throw unknownTask(id);
  const store = await openSqliteStore(place);
  try {
    for (let attempt = 1; ; attempt += 1) {
      const rows = readRows(place.file, id);
      if (rows.loop === null) throw unknownTask(id);
      const journal = await store.journal(id);
      if (journal.length === rows.loop['seq'] || attempt === ATTEMPTS) return { journal, rows };
    }
  } finally {
    await store.close();
  }
}

function readRows(file: string, id: number): Rows {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  try {
    db.exec('BEGIN');
    const loop = db.prepare('SELECT * FROM loops WHERE number = ?').get(id) ?? null;
    const uid = String(loop?.['id'] ?? '');
    const reviews = db.prepare('SELECT * FROM loop_reviews WHERE loop_id = ?').all(uid);
    const issues = db.prepare('SELECT * FROM review_issues WHERE loop_id = ?').all(uid);
    return { loop, reviews, issues };
  } finally {
    db.close();
  }
}

/** Every row beside what the journal makes of it; a round that was taken again leaves rows behind, so all steps count. */
function rowFacts({ loop, steps }: Replay, rows: Rows): readonly RowFact[] {
  const reviews = new Map<string, Row>();
  const issues = new Map<string, Row>();
  for (const { before, after } of steps) {
    const made = changedReviewRecords(before, after);
    for (const review of made.reviews) reviews.set(review.id, review);
    for (const issue of made.issues) issues.set(issue.id, issue);
  }
  return [
    { round: null, table: 'loops', stored: rows.loop, folded: loopRecord(loop) },
    ...pairs('loop_reviews', rows.reviews, reviews),
    ...pairs('review_issues', rows.issues, issues),
  ];
}

function pairs(table: RowFact['table'], stored: readonly Row[], folded: ReadonlyMap<string, Row>): readonly RowFact[] {
  const found = new Map(stored.map((row) => [String(row['id']), row]));
  return [...new Set([...found.keys(), ...folded.keys()])].map((id) => {
    const round = Number(id.split(':')[1]);
    return { round: round > 0 ? round : null, table, stored: found.get(id) ?? null, folded: folded.get(id) ?? null };
  });
}

/** What git says about the commits of every proof; Volley's own repository is asked first, as it keeps what the user's may have lost. */
async function gitFacts(project: Project, loop: Loop): Promise<Pick<VerifyFacts, 'trees' | 'changes'>> {
  const mirror = join(stateFolder(project.key), 'repo.git');
  const own: GitPlace = { gitDir: mirror, commonDir: mirror, workTree: null, trusted: false };
  const places = [...(existsSync(mirror) ? [own] : []), project.place];
  const trees = new Map<string, string | null>();
  const changes = new Map<string, Change | string>();
  for (const proof of loop.rounds.flatMap(({ reviews }) => reviews.map((review) => review.proof))) {
    if (changes.has(changeKey(proof))) continue;
    for (const commit of [proof.head, proof.base]) trees.set(commit, trees.get(commit) ?? (await findTree(places, commit)));
    changes.set(changeKey(proof), await findChange(places, proof));
  }
  return { trees, changes };
}

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

async function findTree(places: readonly GitPlace[], commit: string): Promise<string | null> {
  if (!COMMIT.test(commit)) return null;
  for (const place of places) {
    const result = await tryGit(place, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{tree}`]);
    if (result.exitCode === 0) return result.stdout.toString('utf8').trim();
  }
  return null;
}

async function findChange(places: readonly GitPlace[], { base, head }: Proof): Promise<Change | string> {
  let problem = 'it has no commits';
  if (!COMMIT.test(base) || !COMMIT.test(head)) return problem;
  for (const place of places) {
    try {
      return await readChange({ place, base, head });
    } catch (error) {
      // The other repository may have what this one lacks.
      if (!(error instanceof VolleyError)) throw error;
      problem = error.message;
    }
  }
  return problem;
}

async function fileFacts(root: string, loop: Loop): Promise<Pick<VerifyFacts, 'twins' | 'prompts'>> {
  const twins = new Map<number, { readonly path: string; readonly text: string | null }>();
  const prompts = new Map<string, PromptFact | null>();
  for (const { round, reviews } of loop.rounds) {
    const path = twinPath(documentPath(loop, round));
    twins.set(round, { path, text: await readText(root, path) });
    for (const transcript of reviews.flatMap(({ session }) => session?.transcript ?? [])) {
      const isOurs = /^\.volley\/transcripts\/[^/\\]+$/.test(transcript);
      const text = isOurs ? await readText(root, transcript) : null;
      prompts.set(transcript, text === null ? null : promptFact(text));
    }
  }
  return { twins, prompts };
}

const LONGEST_BYTES = 256 * 1024 * 1024;

/** The text of a plain file below the project's root; null where there is none that could be ours. */
async function readText(root: string, path: string): Promise<string | null> {
  const file = join(root, path);
  const stats = await lstat(file).catch(() => null);
  return stats?.isFile() === true && stats.size < LONGEST_BYTES ? await readFile(file, 'utf8') : null;
}

function promptFact(text: string): PromptFact {
  const { prompts, all } = promptsIn(text);
  const hashes = prompts.map((prompt) => createHash('sha256').update(prompt).digest('hex'));
  // Where there are too many to be tried, nothing follows from none of them being it.
  return { hashes, whole: all && !text.includes('[secret: ') && !text.includes('[volley: cut here') };
}
