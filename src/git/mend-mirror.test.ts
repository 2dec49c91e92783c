import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeMirrored, readFiles, writeFiles } from '../../test/support/mirrored.ts';
import { mendMirror } from './mend-mirror.ts';

test('what an agent wrote into a mirror is gone before the next git command, and what belongs there is back', async () => {
  await using mirrored = await makeMirrored();
  const { dir, place } = mirrored.mirror;
  await writeFile(join(dir, 'config'), '[core\n');
  await writeFiles(dir, { 'hooks/post-checkout': '', 'info/attributes': '* -diff\n', 'info/grafts': `${mirrored.start}\n` });
  await writeFiles(dir, { 'objects/info/alternates': '/nowhere\n', 'info/exclude': '*\n', commondir: '/nowhere\n' });
  await rm(join(dir, 'HEAD'));
  assert.equal(await mirrored.git('rev-parse', `${mirrored.start}^{commit}`), mirrored.start);
  assert.equal(await readFile(join(dir, 'config'), 'utf8'), place.config);
  for (const name of ['hooks', 'info/attributes', 'info/grafts', 'objects/info/alternates', 'commondir'])
    assert.equal(existsSync(join(dir, name)), false, name);
  assert.match(await readFile(join(dir, 'info', 'exclude'), 'utf8'), /^\/\.volley\/\*$/m);
});

test('links, folders and pipes are replaced, and nothing is written through them', async () => {
  await using mirrored = await makeMirrored();
  const { dir, place } = mirrored.mirror;
  const outside = join(mirrored.repo.beside, 'outside');
  await writeFiles(outside, { exclude: 'mine\n', config: 'mine\n' });
  await Promise.all(['config', 'HEAD', 'info'].map(async (name) => await rm(join(dir, name), { recursive: true })));
  await Promise.all([symlink(join(outside, 'config'), join(dir, 'config')), symlink(outside, join(dir, 'info')), mkdir(join(dir, 'HEAD'))]);
  execFileSync('mkfifo', [join(dir, 'objects', 'info', 'alternates')]);
  await mendMirror(place);
  assert.equal(await readFile(join(dir, 'config'), 'utf8'), place.config);
  assert.deepEqual(await readFiles(outside), { exclude: 'mine\n', config: 'mine\n' });
});

test('a place whose config we did not write is left as it is', async () => {
  await using mirrored = await makeMirrored();
  const { config: _, ...place } = mirrored.mirror.place;
  await writeFile(join(place.commonDir, 'config'), 'theirs');
  await mendMirror(place);
  assert.equal(await readFile(join(place.commonDir, 'config'), 'utf8'), 'theirs');
});
