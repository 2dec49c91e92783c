import { cp } from 'node:fs/promises';
import { bareGit, gitError } from './git/git.ts';

const PERSON = {
  GIT_AUTHOR_NAME: 'Volley demo',
  GIT_AUTHOR_EMAIL: 'demo@localhost',
  GIT_COMMITTER_NAME: 'Volley demo',
  GIT_COMMITTER_EMAIL: 'demo@localhost',
};

/** A sample project: a folder with its first commit, and folders with what each branch changes. */
export type Sample = {
  readonly from: string;
  readonly message: string;
  readonly branches: readonly { readonly name: string; readonly from: string; readonly message: string }[];
};

/** Makes a git repository of a sample, on `main` and with an identity of its own. */
export async function makeSample(dir: string, sample: Sample): Promise<void> {
  await cp(sample.from, dir, { recursive: true });
  const git = async (...args: readonly string[]): Promise<void> => {
    const result = await bareGit(args, { cwd: dir, env: PERSON });
    if (result.exitCode !== 0) throw gitError(args, result);
  };
  const commit = async (message: string): Promise<void> => {
    await git('add', '.');
    await git('commit', '--quiet', '-m', message);
  };
  await git('init', '--quiet', '--initial-branch=main', '.');
  await git('config', 'user.name', PERSON.GIT_AUTHOR_NAME);
  await git('config', 'user.email', PERSON.GIT_AUTHOR_EMAIL);
  // Whoever signs commits or has other line endings sees the same stories.
  await git('config', 'commit.gpgSign', 'false');
  await git('config', 'core.autocrlf', 'false');
  await commit(sample.message);
  for (const branch of sample.branches) {
    await git('switch', '--quiet', '--create', branch.name, 'main');
    await cp(branch.from, dir, { recursive: true });
    await commit(branch.message);
  }
  await git('switch', '--quiet', 'main');
}
