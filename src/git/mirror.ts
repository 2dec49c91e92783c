import { randomUUID } from 'node:crypto';
import { access, mkdir, mkdtemp, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VolleyError } from '../core/errors.ts';
import { hasCode, readIfPresent } from './file-error.ts';
import { git, gitError, tryGit } from './git.ts';
import type { GitPlace } from './git.ts';
import { keepFile, keepFolder } from './keep-file.ts';
import { MIRROR_HEAD, mendMirror } from './mend-mirror.ts';
import { mirrorConfig } from './mirror-config.ts';
import { linkObjects, packReachable } from './objects.ts';
import type { Project } from './project.ts';
import { readShallowUpdate, shallowText, writeShallow } from './shallow.ts';
import type { ShallowUpdate } from './shallow.ts';

/** Volley's own bare repository of a project: agents and engine work on it, never on the user's. */
export type Mirror = { readonly dir: string; readonly place: GitPlace };

/**
 * Opens the mirror of a project, and makes it the first time. Costs one git process, and the first time a hard link per pack
 * and loose object. Its config is ours alone: whatever else was written there is gone afterwards.
 */
export async function openMirror(options: { readonly project: Project; readonly stateDir: string }): Promise<Mirror> {
  const { project } = options;
  const home = join(options.stateDir, project.key);
  const dir = join(home, 'repo.git');
  const config = await mirrorConfig(project);
  const current = await readIfPresent(join(dir, 'config')).catch(ignoreNoFile);
  if (current === null) await createMirror({ project, home, dir, config });
  else if (objectFormat(current) !== objectFormat(config)) throw otherFormat(dir);
  const place: GitPlace = { gitDir: dir, commonDir: dir, workTree: null, trusted: false, config };
  await mendMirror(place);
  return { dir, place };
}

/** Whatever stands in the place of a config, it is written over. */
function ignoreNoFile(error: unknown): string {
  if (error instanceof VolleyError) return '';
  throw error;
}

/**
 * Brings commits over from the user's repository and keeps them alive, whatever is deleted there later. Costs no git process
 * where all were imported before, one where the mirror has their objects and was never pruned, else four.
 */
export async function importCommits(mirror: Mirror, project: Project, commits: readonly string[]): Promise<void> {
  const shallow = await readShallowUpdate(mirror.place, project.place);
  const wanted = await withoutRef(mirror, commits);
  if (wanted.length === 0 && shallow === null) return;
  if (shallow === null && !(await exists(prunedMark(mirror))) && (await tryKeep(mirror, wanted))) return;
  if (shallow === null)
    await packReachable(mirror.place, { commits: wanted, exceptKnown: true, shallowFile: null, from: objectsOf(project) });
  else await packAgain(mirror, project, { shallow, wanted });
  await keepCommits(mirror, wanted);
}

/** Packs what a history with other ends needs: once it reaches farther, what the refs reach is no longer what the mirror has. */
async function packAgain(
  mirror: Mirror,
  project: Project,
  plan: { readonly shallow: ShallowUpdate; readonly wanted: readonly string[] },
): Promise<void> {
  const { deepened } = plan.shallow;
  const commits = [...plan.wanted, ...deepened];
  const shallowFile = join(mirror.dir, `shallow-${randomUUID()}`);
  await writeFile(shallowFile, shallowText(plan.shallow));
  try {
    if (commits.length > 0)
      await packReachable(mirror.place, { commits, exceptKnown: deepened.length === 0, shallowFile, from: objectsOf(project) });
    await writeShallow(mirror.dir, plan.shallow);
  } finally {
    await rm(shallowFile, { force: true });
  }
}

/** Brings over a commit whose objects lie partly in the mirror and partly in the user's repository. */
export async function completeCommit(mirror: Mirror, project: Project, commit: string): Promise<void> {
  await packReachable(mirror.place, { commits: [commit], exceptKnown: true, shallowFile: null, from: objectsOf(project) });
  await keepCommits(mirror, [commit]);
}

/** Says for good that what lies beneath a commit may be gone where no ref leads to it, so that its presence alone proves nothing. */
export async function markPruned(mirror: Mirror): Promise<void> {
  await keepFolder(mirror.dir, 'volley');
  await keepFile(prunedMark(mirror), 'Volley removed objects here that no ref led to.\n');
}

function prunedMark(mirror: Mirror): string {
  return join(mirror.dir, 'volley', 'pruned');
}

/** Keeps commits alive that the mirror has. */
export async function keepCommits(mirror: Mirror, commits: readonly string[]): Promise<void> {
  if (commits.length > 0) await git(mirror.place, ['update-ref', '--stdin'], { input: refUpdates(commits) });
}

/** Lets go of a commit that only we have; git removes it in its own time. */
export async function forgetCommit(mirror: Mirror, commit: string): Promise<void> {
  await git(mirror.place, ['update-ref', '-d', baseRef(commit)]);
}

/** Where the objects of a project's own repository lie. */
export function objectsOf(project: Project): string {
  return join(project.commonDir, 'objects');
}

function baseRef(commit: string): string {
  return `refs/volley/base/${commit}`;
}

/** Those without a ref of their own. One that is asked for again is as young as a new one, so that nobody tidies it away now. */
async function withoutRef(mirror: Mirror, commits: readonly string[]): Promise<readonly string[]> {
  const missing: string[] = [];
  const now = new Date();
  for (const commit of new Set(commits)) {
    const file = join(mirror.dir, baseRef(commit));
    if ((await readIfPresent(file)) === null) missing.push(commit);
    else await utimes(file, now, now).catch(ignoreGone);
  }
  return missing;
}

function ignoreGone(error: unknown): void {
  if (!hasCode(error, 'ENOENT')) throw error;
}

/** False: some object is missing; objects come whole packs at a time, so a commit that is there has all that it needs. */
async function tryKeep(mirror: Mirror, commits: readonly string[]): Promise<boolean> {
  const result = await tryGit(mirror.place, ['update-ref', '--stdin'], { input: refUpdates(commits) });
  if (result.exitCode !== 0 && !result.stderr.includes('nonexistent object')) throw gitError(['update-ref'], result);
  return result.exitCode === 0;
}

function refUpdates(commits: readonly string[]): string {
  return commits.map((commit) => `update ${baseRef(commit)} ${commit}\n`).join('');
}

/** Built under another name and moved into place, so that a crash or a second process never shows half a mirror. */
async function createMirror(plan: {
  readonly project: Project;
  readonly home: string;
  readonly dir: string;
  readonly config: string;
}): Promise<void> {
  await mkdir(plan.home, { recursive: true, mode: 0o700 });
  await removeLeftovers(plan.home);
  const draft = await mkdtemp(join(plan.home, `${DRAFT}${process.pid}-`));
  try {
    await mkdir(join(draft, 'objects', 'pack'), { recursive: true });
    await mkdir(join(draft, 'refs'));
    await writeFile(join(draft, 'HEAD'), MIRROR_HEAD);
    await writeFile(join(draft, 'config'), plan.config);
    const shallow = (await readIfPresent(join(plan.project.commonDir, 'shallow'))) ?? '';
    linkObjects(objectsOf(plan.project), join(draft, 'objects'));
    if (shallow !== '') await writeShallow(draft, { boundary: shallow.trim().split('\n'), seen: shallow });
    await rename(draft, plan.dir);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another process was quicker; its mirror is as good as ours.
    if (hasCode(error, 'ENOTEMPTY', 'EEXIST') && (await exists(plan.dir))) return;
    throw error;
  }
}

const DRAFT = 'draft-';

async function removeLeftovers(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    const pid = name.startsWith(DRAFT) ? Number.parseInt(name.slice(DRAFT.length), 10) : Number.NaN;
    if (pid > 0 && !isAlive(pid)) await rm(join(home, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !hasCode(error, 'ESRCH');
  }
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

function objectFormat(config: string): string | null {
  return /objectformat = "(\w+)"/.exec(config)?.[1] ?? null;
}

function otherFormat(dir: string): VolleyError {
  return new VolleyError(
    'unsupported-repository',
    `${dir} was made for a repository with another object format.`,
    'Move that folder away, then try again.',
  );
}
