import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Checkout } from '../../src/git/checkout.ts';
import { openCheckout } from '../../src/git/checkout.ts';
import { git } from '../../src/git/git.ts';
import type { GitPlace } from '../../src/git/git.ts';
import type { Mirror } from '../../src/git/mirror.ts';
import { importCommits, openMirror } from '../../src/git/mirror.ts';
import type { Project } from '../../src/git/project.ts';
import { openProject } from '../../src/git/project.ts';
import type { Files, TestRepository } from './repository.ts';
import { makeRepository } from './repository.ts';

/** A user's repository with its mirror, which knows the user's HEAD. */
export type Mirrored = AsyncDisposable & {
  readonly repo: TestRepository;
  readonly project: Project;
  readonly mirror: Mirror;
  readonly start: string;
  /** A file that appears if a program planted by an agent runs. */
  readonly canary: string;
  /** Opens a checkout at a commit (the start by default). */
  open(name?: string, commit?: string): Promise<Checkout>;
  /** Runs git in the mirror. */
  git(...args: readonly string[]): Promise<string>;
};

/** Makes a repository with some files and opens its mirror. */
export async function makeMirrored(files: Files = { 'README.md': '# Sample\n', 'src/a.ts': 'export const a = 1;\n' }): Promise<Mirrored> {
  const repo = await makeRepository({ files });
  const project = await openProject(repo.root);
  const mirror = await openMirror({ project, stateDir: join(repo.beside, 'state') });
  const start = await repo.git('rev-parse', 'HEAD');
  await importCommits(mirror, project, [start]);
  return {
    repo,
    project,
    mirror,
    start,
    canary: join(repo.beside, 'canary'),
    open: async (name = 'loop-1', commit = start) =>
      await openCheckout({ mirror: mirror.place, dir: join(repo.beside, 'checkouts', name), commit }),
    git: async (...args) => (await git(mirror.place, args)).trim(),
    [Symbol.asyncDispose]: async () => await repo[Symbol.asyncDispose](),
  };
}

/** Writes files below a folder. */
export async function writeFiles(root: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

/** All files below a folder with their texts, its git folder aside. */
export async function readFiles(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files: Record<string, string> = {};
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(root.length + 1);
    if (entry.isFile() && !name.split('/').includes('.git')) files[name] = await readFile(path, 'utf8');
  }
  return files;
}

/** The ways in which an agent may try to make our own git run a program (facts about such escapes name all of them). */
export const ATTACKS: Readonly<Record<string, (checkout: Checkout, canary: string) => Promise<void>>> = {
  'a rewritten .git file': async ({ dir }, canary) => {
    const evil = await hostileRepository(join(dir, '..', 'evil'), canary);
    await rm(join(dir, '.git'), { recursive: true });
    await writeFile(join(dir, '.git'), `gitdir: ${evil}\n`);
  },
  'a rewritten commondir': async ({ dir, place }, canary) => {
    const evil = await hostileRepository(join(dir, '..', 'evil'), canary);
    await writeFile(join(place.gitDir, 'commondir'), `${evil}\n`);
  },
  'a config.worktree': async ({ place }, canary) => {
    await appendConfig(place, '[extensions]\n\tworktreeConfig = true\n');
    await writeFile(join(place.gitDir, 'config.worktree'), `[core]\n\tbare = false\n${hostileConfig(canary)}`);
  },
  'the config of the mirror': async ({ place }, canary) => {
    await appendConfig(place, hostileConfig(canary));
  },
  'an included config': async ({ dir, place }, canary) => {
    await writeFiles(join(dir, '..'), { 'included.cfg': hostileConfig(canary) });
    await appendConfig(place, `[include]\n\tpath = ${join(dir, '..', 'included.cfg')}\n`);
  },
  hooks: async ({ place }, canary) => {
    for (const name of ['post-checkout', 'pre-commit', 'post-index-change', 'reference-transaction', 'post-commit']) {
      await mkdir(join(place.commonDir, 'hooks'), { recursive: true });
      await writeFile(join(place.commonDir, 'hooks', name), `#!/bin/sh\ntouch ${canary}\n`, { mode: 0o755 });
    }
    await appendConfig(place, `[core]\n\thooksPath = ${join(place.commonDir, 'hooks')}\n`);
  },
  'a nested repository': async ({ dir }, canary) => {
    await hostileRepository(join(dir, 'nested', '.git'), canary);
    await writeFiles(join(dir, 'nested'), { '.gitattributes': '* filter=evil diff=evil merge=evil\n', 'x.txt': 'x\n' });
  },
};

/** Lets an agent attack a checkout, with attributes that choose its drivers, in one way or in all ways at once. */
export async function attack(name: string, checkout: Checkout, canary: string): Promise<{ survived(): boolean }> {
  for (const [key, act] of Object.entries(ATTACKS)) if (key === name || name === 'all') await act(checkout, canary);
  await writeFiles(checkout.dir, {
    '.gitattributes': '* filter=evil diff=evil merge=evil\n*.eq filter=a=b\n',
    'attacked.txt': 'attacked\n',
    'x.eq': 'x\n',
  });
  return { survived: () => !existsSync(canary) };
}

async function hostileRepository(dir: string, canary: string): Promise<string> {
  await writeFiles(dir, {
    HEAD: 'ref: refs/heads/main\n',
    config: `[core]\n\trepositoryformatversion = 0\n${hostileConfig(canary)}`,
    commondir: '.\n',
  });
  await Promise.all([mkdir(join(dir, 'objects'), { recursive: true }), mkdir(join(dir, 'refs'), { recursive: true })]);
  return dir;
}

function hostileConfig(canary: string): string {
  const run = `touch ${canary} && cat`;
  const filters = ['evil', 'a=b'].map((name) => `[filter "${name}"]\n\tclean = ${run}\n\tsmudge = ${run}\n\trequired = true\n`);
  const drivers = `[diff "evil"]\n\tcommand = ${run}\n\ttextconv = ${run}\n[merge "evil"]\n\tdriver = ${run}\n`;
  return `[core]\n\tfsmonitor = "touch ${canary} #"\n\tpager = ${run}\n\tsshCommand = ${run}\n[diff]\n\texternal = ${run}\n${filters.join('')}${drivers}`;
}

async function appendConfig(place: GitPlace, text: string): Promise<void> {
  await writeFile(join(place.commonDir, 'config'), text, { flag: 'a' });
}
