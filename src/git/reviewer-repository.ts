import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { treeOfCommit, writeCommit } from './commit-object.ts';
import type { GitPlace } from './git.ts';
import { git } from './git.ts';
import { mendMirror } from './mend-mirror.ts';

/** A throw-away repository that shows one change and nothing of its history; removing the folder removes it wholly. */
export type ReviewerRepository = { readonly dir: string; readonly base: string; readonly head: string; readonly place: GitPlace };

const BRANCH = 'refs/heads/review';
const VOLLEY = { name: 'Volley', email: 'volley@localhost' };

/** The same for every review, so that nothing can be read out of a date and equal input gives equal commits. */
const MOMENT = new Date(0);

/** Makes one with the files of `head` checked out: a commit with the merge base's tree, and one on top whose message is the task. */
export async function makeReviewerRepository(input: {
  readonly mirror: GitPlace;
  readonly dir: string;
  readonly mergeBase: string;
  readonly head: string;
  readonly message: string;
}): Promise<ReviewerRepository> {
  const { mirror, dir } = input;
  const gitDir = join(dir, '.git');
  const place: GitPlace = { gitDir, commonDir: gitDir, workTree: dir, trusted: false };
  await mendMirror(mirror);
  const [baseTree, headTree] = await Promise.all([treeOfCommit(mirror, input.mergeBase), treeOfCommit(mirror, input.head)]);
  await writeRepository(mirror, gitDir, headTree.length === 64);
  const objects = join(gitDir, 'objects');
  const base = await writeCommit(objects, {
    tree: baseTree,
    parents: [],
    message: 'The state before the change\n',
    identity: VOLLEY,
    at: MOMENT,
  });
  const message = `${input.message.replaceAll('\0', '').trim()}\n`;
  const head = await writeCommit(objects, { tree: headTree, parents: [base], message, identity: VOLLEY, at: MOMENT });
  await writeFile(join(gitDir, BRANCH), `${head}\n`);
  await git(place, ['read-tree', '--reset', '-u', '--end-of-options', head]);
  return { dir, base, head, place };
}

/** Written by hand, because `git init` and `git clone` cost more processes than the rest together. */
async function writeRepository(mirror: GitPlace, gitDir: string, isSha256: boolean): Promise<void> {
  await mkdir(join(gitDir, '..'), { recursive: true });
  await mkdir(gitDir);
  await Promise.all([
    mkdir(join(gitDir, 'objects', 'info'), { recursive: true }),
    mkdir(join(gitDir, 'refs', 'heads'), { recursive: true }),
    mkdir(join(gitDir, 'info')),
  ]);
  const format = isSha256
    ? '\trepositoryformatversion = 1\n[extensions]\n\tobjectFormat = sha256\n[core]\n'
    : '\trepositoryformatversion = 0\n';
  await Promise.all([
    writeFile(join(gitDir, 'HEAD'), `ref: ${BRANCH}\n`),
    writeFile(join(gitDir, 'config'), `[core]\n${format}\tbare = false\n\tlogAllRefUpdates = false\n[gc]\n\tauto = 0\n`),
    writeFile(join(gitDir, 'objects', 'info', 'alternates'), `${join(mirror.commonDir, 'objects')}\n`),
    // A change must not choose the encoding in which it is read.
    writeFile(join(gitDir, 'info', 'attributes'), '* !working-tree-encoding\n'),
  ]);
}
