import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeRepository } from '../../test/support/repository.ts';
import { git } from './git.ts';
import type { GitPlace } from './git.ts';

/** What a setting is in a repository with this config that nobody vouches for; empty where it is switched off or not set. */
async function settingsOf(config: string, ...keys: readonly string[]): Promise<string[]> {
  await using repository = await makeRepository();
  const dir = join(repository.root, '.git');
  await writeFile(join(dir, 'config'), config, { flag: 'a' });
  const place: GitPlace = { gitDir: dir, commonDir: dir, workTree: null, trusted: false };
  return await Promise.all(keys.map(async (key) => (await git(place, ['config', '--default', '', '--get', key])).trim()));
}

test('programs of filters, merge drivers, hooks and remotes are switched off by whatever name', async () => {
  const config =
    '[filter "a=b"]\n\tclean = evil\n\trequired = true\n[filter "lfs"]\n\tprocess = evil\n[merge "x.y"]\n\tdriver = evil\n' +
    '[hook "h"]\n\tcommand = evil\n\tevent = pre-commit\n[remote "r"]\n\tuploadpack = evil\n';
  const keys = [
    'filter.a=b.clean',
    'filter.a=b.required',
    'filter.lfs.process',
    'merge.x.y.driver',
    'hook.h.enabled',
    'remote.r.uploadpack',
  ];
  assert.deepEqual(await settingsOf(config, ...keys), ['', 'false', '', 'false', 'false', 'git-upload-pack']);
});

test('settings that name no driver stop nothing', async () => {
  assert.deepEqual(await settingsOf('[merge]\n\tconflictStyle = diff3\n# filter\n', 'merge.conflictStyle'), ['diff3']);
});
