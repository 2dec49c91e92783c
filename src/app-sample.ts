import { bareGit, gitError } from './git/git.ts';

const PERSON = {
  GIT_AUTHOR_NAME: 'Volley demo',
  GIT_AUTHOR_EMAIL: 'demo@localhost',
  GIT_COMMITTER_NAME: 'Volley demo',
  GIT_COMMITTER_EMAIL: 'demo@localhost',
};

/** Makes a git repository of a folder, with one commit on `main` and an identity of its own. */
export async function commitSample(dir: string): Promise<void> {
  const steps = [
    ['init', '--quiet', '--initial-branch=main', '.'],
    ['config', 'user.name', PERSON.GIT_AUTHOR_NAME],
    ['config', 'user.email', PERSON.GIT_AUTHOR_EMAIL],
    ['add', '.'],
    ['commit', '--quiet', '-m', 'A price list with tests'],
  ];
  for (const args of steps) {
    const result = await bareGit(args, { cwd: dir, env: PERSON });
    if (result.exitCode !== 0) throw gitError(args, result);
  }
}
