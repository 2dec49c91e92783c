import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { VolleyError } from '../core/errors.ts';
import { makeRepository } from '../../test/support/repository.ts';
import type { TestRepository } from '../../test/support/repository.ts';
import { git, tryGit } from './git.ts';
import type { GitPlace } from './git.ts';

type Trap = {
  readonly repository: TestRepository;
  readonly place: GitPlace;
  readonly checkout: string;
  readonly canary: string;
  readonly command: string;
};

/** A bare repository with a linked work tree, and a command that leaves a canary where it runs. */
async function makeTrap(): Promise<Trap> {
  const repository = await makeRepository({
    files: { 'a.txt': 'one\n', 'b.evil': 'two\n', '.gitattributes': '*.evil filter=evil diff=evil\n' },
  });
  const bare = join(repository.beside, 'bare.git');
  const checkout = join(repository.beside, 'checkout');
  await repository.git('clone', '--quiet', '--bare', repository.root, bare);
  await repository.git('--git-dir', bare, 'worktree', 'add', '--quiet', '--detach', checkout);
  const canary = join(repository.beside, 'canary');
  const command = join(repository.beside, 'trap.sh');
  await writeFile(command, `#!/bin/sh\ntouch '${canary}'\ncat\n`, { mode: 0o755 });
  const place = { gitDir: join(bare, 'worktrees', 'checkout'), commonDir: bare, workTree: checkout, trusted: false };
  return { repository, place, checkout, canary, command };
}

function hostileConfig(command: string): string {
  return [
    `[core]\n\trepositoryformatversion = 0\n\tfsmonitor = ${command}\n\thooksPath = ${join(command, '..')}\n\tpager = ${command}`,
    `\tsshCommand = ${command}\n\taskPass = ${command}\n\talternateRefsCommand = ${command}\n\teditor = ${command}`,
    `[filter "evil"]\n\tclean = ${command}\n\tsmudge = ${command}`,
    `[diff]\n\texternal = ${command}\n[diff "evil"]\n\ttextconv = ${command}\n\tcommand = ${command}`,
    `[credential]\n\thelper = ${command}\n[gpg]\n\tprogram = ${command}\n[commit]\n\tgpgSign = true\n`,
  ].join('\n');
}

const COMMANDS: readonly (readonly string[])[] = [
  ['status', '--porcelain=v2'],
  ['add', '--all'],
  ['diff', '--no-ext-diff', '--no-textconv', 'HEAD'],
  ['write-tree'],
  ['-c', 'user.name=x', '-c', 'user.email=x', 'commit', '--quiet', '--allow-empty', '--message', 'x'],
  ['reset', '--quiet', '--hard'],
  ['log', '--no-ext-diff', '--no-textconv', '-p'],
];

async function runAll(place: GitPlace): Promise<void> {
  for (const args of COMMANDS) await tryGit(place, args);
}

async function plantGitDir(trap: Trap): Promise<string> {
  const evil = join(trap.repository.beside, 'evil.git');
  await trap.repository.git('clone', '--quiet', '--bare', trap.repository.root, evil);
  await writeFile(join(evil, 'config'), hostileConfig(trap.command));
  return evil;
}

describe('nothing that an agent writes makes git run it', () => {
  test('in a rewritten .git file', async () => {
    const trap = await makeTrap();
    await using _ = trap.repository;
    await writeFile(join(trap.checkout, '.git'), `gitdir: ${await plantGitDir(trap)}\n`);
    await writeFile(join(trap.checkout, 'b.evil'), 'changed\n');
    await runAll(trap.place);
    assert.equal(existsSync(trap.canary), false);
  });

  test('in a rewritten commondir', async () => {
    const trap = await makeTrap();
    await using _ = trap.repository;
    await writeFile(join(trap.place.gitDir, 'commondir'), `${await plantGitDir(trap)}\n`);
    await writeFile(join(trap.checkout, 'b.evil'), 'changed\n');
    await runAll(trap.place);
    assert.equal(existsSync(trap.canary), false);
  });

  test('in a config.worktree', async () => {
    const trap = await makeTrap();
    await using _ = trap.repository;
    await writeFile(join(trap.place.gitDir, 'config.worktree'), hostileConfig(trap.command));
    await writeFile(join(trap.checkout, 'b.evil'), 'changed\n');
    await runAll(trap.place);
    assert.equal(existsSync(trap.canary), false);
  });

  test('in hooks', async () => {
    const trap = await makeTrap();
    await using _ = trap.repository;
    for (const folder of [trap.place.gitDir, trap.place.commonDir]) {
      await mkdir(join(folder, 'hooks'), { recursive: true });
      for (const hook of ['pre-commit', 'post-index-change', 'reference-transaction', 'post-checkout']) {
        await writeFile(join(folder, 'hooks', hook), `#!/bin/sh\ntouch '${trap.canary}'\n`, { mode: 0o755 });
      }
    }
    await runAll(trap.place);
    assert.equal(existsSync(trap.canary), false);
  });

  test('in the config of the repository itself, filters apart', async () => {
    const trap = await makeTrap();
    await using _ = trap.repository;
    await writeFile(join(trap.place.commonDir, 'config'), hostileConfig(trap.command).replace(/\[filter[^[]*/, ''));
    await writeFile(join(trap.checkout, 'b.evil'), 'changed\n');
    await runAll(trap.place);
    assert.equal(existsSync(trap.canary), false);
  });
});

test('the trap does spring where nobody guards', async () => {
  const trap = await makeTrap();
  await using _ = trap.repository;
  await writeFile(join(trap.checkout, '.git'), `gitdir: ${await plantGitDir(trap)}\n`);
  await trap.repository.git('-C', trap.checkout, '-c', 'core.bare=false', 'status').catch(() => undefined);
  assert.equal(existsSync(trap.canary), true);
});

test('variables of the surrounding git do not leak in', async () => {
  await using repository = await makeRepository();
  process.env['GIT_INDEX_FILE'] = '/nowhere/index';
  process.env['GIT_DIR'] = '/nowhere';
  try {
    const place = {
      gitDir: join(repository.root, '.git'),
      commonDir: join(repository.root, '.git'),
      workTree: repository.root,
      trusted: true,
    };
    assert.equal(await git(place, ['ls-files']), 'README.md\n');
  } finally {
    delete process.env['GIT_INDEX_FILE'];
    delete process.env['GIT_DIR'];
  }
});

test('a search path that begins where git works leads to no program there', async () => {
  const trap = await makeTrap();
  await using _ = trap.repository;
  const [path, commonDir] = [process.env['PATH'], trap.place.commonDir];
  await symlink(trap.command, join(commonDir, 'git'));
  process.env['PATH'] = `.:${path}:`;
  try {
    assert.equal(await git(trap.place, ['rev-parse', '--is-bare-repository'], { cwd: commonDir }), 'false\n');
  } finally {
    process.env['PATH'] = path;
  }
  assert.equal(existsSync(trap.canary), false);
});

test('grafts do not change what follows from what', async () => {
  const trap = await makeTrap();
  await using _ = trap.repository;
  const { commonDir } = trap.place;
  const second = await trap.repository.commit('second');
  await trap.repository.git('push', '--quiet', commonDir, 'main:next');
  await mkdir(join(commonDir, 'info'), { recursive: true });
  await writeFile(join(commonDir, 'info', 'grafts'), `${second}\n`);
  assert.equal(await git(trap.place, ['rev-list', '--count', 'next']), '2\n');
});

test('a place without a work tree is bare, wherever it is asked from', async () => {
  const trap = await makeTrap();
  await using _ = trap.repository;
  const place = { ...trap.place, gitDir: trap.place.commonDir, workTree: null };
  assert.equal(await git(place, ['rev-parse', '--is-bare-repository', '--is-inside-work-tree']), 'true\nfalse\n');
});

test('a failure is an error that quotes git', async () => {
  await using repository = await makeRepository();
  const gitDir = join(repository.root, '.git');
  const failing = git({ gitDir, commonDir: gitDir, workTree: null, trusted: true }, ['cat-file', '-p', 'nothing']);
  await assert.rejects(
    failing,
    (error) => error instanceof VolleyError && error.code === 'git-failed' && /cat-file failed: .*nothing/.test(error.message),
  );
});

test('an aborted command ends with the reason, and what it started ends too', async () => {
  await using repository = await makeRepository();
  const gitDir = join(repository.root, '.git');
  const controller = new AbortController();
  const running = git({ gitDir, commonDir: gitDir, workTree: null, trusted: true }, ['-c', 'alias.wait=!sleep 60', 'wait'], {
    signal: controller.signal,
  });
  setTimeout(() => controller.abort(new Error('enough')), 30);
  await assert.rejects(running, /enough/);
});
