import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ATTACKS, attack, makeMirrored, writeFiles } from '../../test/support/mirrored.ts';
import type { TestRepository } from '../../test/support/repository.ts';
import { repositoryAt } from '../../test/support/repository.ts';
import type { GitPlace } from './git.ts';
import { makeReviewerRepository } from './reviewer-repository.ts';
import { readTripwire } from './tripwire.ts';

const mirrored = await makeMirrored({ 'src/a.ts': 'a\n', 'src/b.ts': 'b\n', '.gitignore': 'cache\n' });
after(async () => await mirrored[Symbol.asyncDispose]());

async function makeReview(): Promise<{ readonly place: GitPlace; readonly reviewer: TestRepository }> {
  const dir = join(await mkdtemp(join(mirrored.repo.beside, 'review-')), 'repository');
  const { place } = await makeReviewerRepository({
    mirror: mirrored.mirror.place,
    dir,
    mergeBase: mirrored.start,
    head: mirrored.start,
    message: 'Task',
  });
  return { place, reviewer: repositoryAt(dir, dir) };
}

const HARMLESS: Readonly<Record<string, (reviewer: TestRepository) => Promise<unknown>>> = {
  'nothing at all': async () => undefined,
  'looking around': async (reviewer) => [await reviewer.git('status'), await reviewer.git('log', '-p'), await reviewer.git('grep', 'a')],
  'a refreshed index': async (reviewer) => {
    await utimes(join(reviewer.root, 'src/a.ts'), 1, 1);
    await reviewer.git('update-index', '--refresh');
  },
  'packed refs': async (reviewer) => await reviewer.git('pack-refs', '--all'),
  'ignored files': async (reviewer) => await reviewer.write('cache/x', 'x'),
};

for (const [name, act] of Object.entries(HARMLESS)) {
  test(`a reviewer that only reads does not trip it: ${name}`, async () => {
    const { place, reviewer } = await makeReview();
    const before = await readTripwire(place);
    await act(reviewer);
    assert.equal(await readTripwire(place), before);
  });
}

const HARMFUL: Readonly<Record<string, (reviewer: TestRepository) => Promise<unknown>>> = {
  'a changed file': async (reviewer) => await reviewer.write('src/a.ts', 'b\n'),
  'a changed file of the same size that is marked as unchanged': async (reviewer) => {
    await reviewer.git('update-index', '--assume-unchanged', 'src/a.ts');
    await reviewer.write('src/a.ts', 'b\n');
  },
  'a file hidden by skip-worktree': async (reviewer) => {
    await reviewer.git('update-index', '--skip-worktree', 'src/a.ts');
    await reviewer.write('src/a.ts', 'b\n');
  },
  'a new file': async (reviewer) => await reviewer.write('new', 'x'),
  'a new link': async (reviewer) => await symlink('/etc', join(reviewer.root, 'etc')),
  'a deleted file': async (reviewer) => await rm(join(reviewer.root, 'src/a.ts')),
  'a changed mode': async (reviewer) => await chmod(join(reviewer.root, 'src/a.ts'), 0o755),
  'a staged change': async (reviewer) => {
    await reviewer.write('src/a.ts', 'b\n');
    await reviewer.git('add', 'src/a.ts');
    await reviewer.write('src/a.ts', 'a\n');
  },
  'a commit': async (reviewer) => await reviewer.commit('mine', { 'src/a.ts': 'b\n' }),
  'a branch': async (reviewer) => await reviewer.git('branch', 'mine'),
  'another head': async (reviewer) => await reviewer.git('checkout', '--quiet', '--detach'),
  'a setting': async (reviewer) => await reviewer.git('config', 'core.pager', 'evil'),
  'a hook': async (reviewer) => await reviewer.write('.git/hooks/post-checkout', 'evil', { executable: true }),
  'an exclude rule': async (reviewer) => await reviewer.write('.git/info/exclude', '*\n'),
  'a lost index': async (reviewer) => await rm(join(reviewer.root, '.git/index')),
  'a broken index': async (reviewer) => await writeFile(join(reviewer.root, '.git/index'), 'garbage'),
  'a broken repository': async (reviewer) => await rm(join(reviewer.root, '.git'), { recursive: true }),
};

for (const [name, act] of Object.entries(HARMFUL)) {
  test(`a reviewer that leaves this behind trips it: ${name}`, async () => {
    const { place, reviewer } = await makeReview();
    const before = await readTripwire(place);
    await act(reviewer);
    assert.notEqual(await readTripwire(place), before);
  });
}

test('files that were new or changed before are watched by their content', async () => {
  const { place, reviewer } = await makeReview();
  await writeFiles(reviewer.root, { 'src/a.ts': 'b\n', new: 'x' });
  const before = await readTripwire(place);
  await writeFiles(reviewer.root, { new: 'y' });
  const between = await readTripwire(place);
  await writeFiles(reviewer.root, { 'src/a.ts': 'c\n' });
  assert.equal(new Set([before, between, await readTripwire(place)]).size, 3);
});

test('a split index and one of another version are read too', async () => {
  for (const args of [
    ['update-index', '--split-index'],
    ['update-index', '--no-split-index', '--index-version=4'],
  ]) {
    const { place, reviewer } = await makeReview();
    await reviewer.git(...args);
    const before = await readTripwire(place);
    assert.equal(await readTripwire(place), before);
    await reviewer.git('update-index', '--assume-unchanged', 'src/a.ts');
    assert.notEqual(await readTripwire(place), before);
  }
});

for (const name of Object.keys(ATTACKS)) {
  test(`reading it runs nothing that a reviewer planted: ${name}`, async () => {
    const { place, reviewer } = await makeReview();
    const before = await readTripwire(place);
    const canary = await attack(name, { dir: reviewer.root, place, index: '', agentDir: place.gitDir, fresh: false }, mirrored.canary);
    assert.notEqual(await readTripwire(place), before);
    assert.ok(canary.survived());
  });
}
