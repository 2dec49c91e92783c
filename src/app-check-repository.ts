import { existsSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ok, problem, warning } from './app-check.ts';
import type { Check } from './app-check.ts';
import { obstacleTo } from './app-check-writable.ts';
import { databasePlace } from './app-files.ts';
import type { Repository, Started } from './app-repository.ts';
import { VolleyError } from './core/errors.ts';
import { counted } from './core/words.ts';
import { findCommitHooks } from './git/commit-hooks.ts';
import { git } from './git/git.ts';
import { mergeBase } from './git/refs.ts';

/** What loops need of the repository. */
export async function checkRepository({ workTree, toRoot, started }: Repository): Promise<Check[]> {
  if (started === null) {
    return [problem('repository', `${workTree}: nothing is committed yet.`, 'Commit what you have: git add . && git commit.')];
  }
  const { branch, uncommitted } = started;
  const left = uncommitted === 0 ? '' : `; ${counted(uncommitted, 'uncommitted file')}, which volley run leaves out`;
  const text = `${workTree}, ${branch === null ? 'no branch checked out' : `branch ${branch}`}${left}`;
  const journal = [checkFolder(started), checkTracked(started, toRoot)];
  const [base, hooks, ...rest] = await Promise.all([checkBase(started), checkHooks(started), ...journal]);
  return [ok('repository', text), base, ...checkIdentity(started), ...rest.flat(), ...hooks];
}

/** What changes are compared with. */
async function checkBase({ project, base, head, isShallow }: Started): Promise<Check> {
  if (base === null) {
    const text = 'There is neither origin/HEAD nor a branch main or master, so changes are compared with the commit they start from.';
    return warning('base', text, 'Name a base where you need one: --base BRANCH; or tell git: git remote set-head origin --auto.');
  }
  try {
    await mergeBase(project.place, base.commit, head);
  } catch (error) {
    if (!(error instanceof VolleyError)) throw error;
    return problem('base', `Nothing here is common to ${base.ref} and what is checked out.`, error.remedy);
  }
  const text = `${base.ref} at ${base.commit.slice(0, 8)}`;
  if (!isShallow) return ok('base', text);
  return warning(
    'base',
    `${text}, in a shallow clone: older branches may have no commit in common with it.`,
    'Fetch the rest: git fetch --unshallow.',
  );
}

function checkIdentity({ hasIdentity }: Started): Check[] {
  const remedy = 'Tell git who you are: git config --global user.name "…" && git config --global user.email "…".';
  return hasIdentity ? [] : [warning('identity', 'Git knows no name and address of yours, so commits are made as Volley.', remedy)];
}

/** The folder of the journal, through which nothing is written if it is a link. */
async function checkFolder({ project }: Started): Promise<Check[]> {
  const folder = dirname(databasePlace(project.root).file);
  const isLink = (await lstat(folder).catch(() => null))?.isSymbolicLink() === true;
  const obstacle = isLink ? folder : await obstacleTo(folder);
  if (obstacle === null) return [];
  const text = `${obstacle} is not a folder that can be written, and the journal of this project is kept in ${folder}.`;
  return [problem('journal', text, 'Make it a plain folder that is yours to write, or work in a clone of your own.')];
}

/** The folder belongs to Volley alone, apart from what people write there by hand. */
async function checkTracked({ project }: Started, toRoot: string): Promise<Check[]> {
  const listed = (await git(project.place, ['ls-files', '-z', '--', ':(top).volley'])).split('\0').filter((path) => path !== '');
  const foreign = listed.filter((path) => !/^\.volley\/(?:standards\.md|\.gitignore|(?:prompts|rules)\/)/.test(path));
  const [first] = foreign;
  if (first === undefined) return [];
  const text = `Git tracks ${first}${foreign.length === 1 ? '' : ` and ${foreign.length - 1} more`}; the journal of a project is nobody else's.`;
  const remedy = `Look where it comes from, then: git rm -r --cached ${toRoot}${foreign.length === 1 ? first : '.volley'}.`;
  return [first.startsWith('.volley/volley.db') ? problem('journal', text, remedy) : warning('journal', text, remedy)];
}

/** Hooks of the tree are a gate of their own; those in git's own folder belong to one person's clone. */
async function checkHooks({ project, base, head }: Started): Promise<Check[]> {
  const found = await findCommitHooks(project, project.place, base?.commit ?? head);
  if (found !== null) return [ok('commit hooks', `${found.names.map((name) => `${found.path}/${name}`).join(', ')}; they run as a gate`)];
  const own = ['pre-commit', 'commit-msg'].filter((name) => existsSync(join(project.commonDir, 'hooks', name)));
  if (own.length === 0) return [];
  return [
    warning(
      'commit hooks',
      `${own.map((name) => `.git/hooks/${name}`).join(', ')} is not run: only hooks that are committed are.`,
      'If loops have to pass it, make it a gate.',
    ),
  ];
}
