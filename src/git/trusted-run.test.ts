import assert from 'node:assert/strict';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeRepository } from '../../test/support/repository.ts';
import { trustedRun } from './trusted-run.ts';

test('a program that the change does not touch stays where it is', async () => {
  await using repository = await makeRepository({ files: { 'review.sh': 'true\n' } });
  const run = ['/bin/sh', join(repository.root, 'review.sh')];
  const asked = trustedRun(
    { run, paths: ['src/a.ts'], roots: [repository.root] },
    async () => await Promise.reject(new Error('not needed')),
  );
  assert.deepEqual(await asked, run);
});

test('a program that the change touches is taken from the base, also behind a link', async () => {
  await using base = await makeRepository({ files: { 'review.sh': 'true\n', 'real.sh': 'true\n' } });
  await using repository = await makeRepository({ files: { 'review.sh': 'true\n', 'real.sh': 'true\n' } });
  await symlink('real.sh', join(repository.root, 'linked.sh'));
  const take = async (name: string, paths: readonly string[]): Promise<readonly string[] | null> =>
    await trustedRun({ run: [join(repository.root, name)], paths, roots: [repository.root] }, async () => await Promise.resolve(base.root));
  assert.deepEqual(await take('review.sh', ['review.sh']), [join(base.root, 'review.sh')]);
  assert.deepEqual(await take('linked.sh', ['real.sh']), [join(base.root, 'real.sh')]);
});

test('a program that only the change has cannot be trusted', async () => {
  await using base = await makeRepository({ files: { 'a.txt': 'a\n' } });
  await using repository = await makeRepository({ files: { 'a.txt': 'a\n' } });
  await writeFile(join(repository.root, 'new.sh'), 'true\n');
  for (const element of [join(repository.root, 'new.sh'), 'new.sh', './new.sh']) {
    const asked = trustedRun(
      { run: ['sh', element], paths: ['new.sh'], roots: [repository.root] },
      async () => await Promise.resolve(base.root),
    );
    assert.equal(await asked, null);
  }
});
