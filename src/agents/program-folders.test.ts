import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { programFolders } from './program-folders.ts';

let home = '';

before(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'volley-programs-')));
});
after(async () => await rm(home, { recursive: true, force: true }));

async function file(path: string): Promise<string> {
  await mkdir(dirname(join(home, path)), { recursive: true });
  await writeFile(join(home, path), '');
  return join(home, path);
}

async function linkTo(target: string, path: string): Promise<string> {
  await mkdir(dirname(join(home, path)), { recursive: true });
  await symlink(target, join(home, path));
  return join(home, path);
}

test('a plain program needs itself alone', async () => {
  const program = await file('.local/bin/plain');
  assert.deepEqual(await programFolders(program), [program]);
});

test('a link needs every place on its way', async () => {
  const program = await file('.local/share/agent/versions/2.1');
  const current = await linkTo('versions/2.1', '.local/share/agent/current');
  const link = await linkTo(current, '.local/bin/agent');
  assert.deepEqual(await programFolders(link), [link, current, program]);
});

test('a program among packages needs all of them, since its platform package lies beside it', async () => {
  await file('.nvm/lib/node_modules/@vendor/agent/node_modules/inner/bin/agent.js');
  const link = await linkTo('../lib/node_modules/@vendor/agent/node_modules/inner/bin/agent.js', '.nvm/bin/agent');
  assert.deepEqual(await programFolders(link), [link, join(home, '.nvm/lib/node_modules')]);
});

test('a program that is started from the folder of linked programs needs the packages once', async () => {
  await file('project/node_modules/agent/cli.js');
  const link = await linkTo('../agent/cli.js', 'project/node_modules/.bin/agent');
  assert.deepEqual(await programFolders(link), [join(home, 'project/node_modules')]);
});

test('a linked folder on the way is told by both of its names', async () => {
  await file('opt/agent-2/bin/run');
  await linkTo('agent-2', 'opt/agent');
  const program = join(home, 'opt/agent/bin/run');
  assert.deepEqual(await programFolders(program), [program, join(home, 'opt/agent-2/bin/run')]);
});

test('links that lead in circles, or nowhere, come to an end', async () => {
  const one = await linkTo('two', 'circle/one');
  await linkTo('one', 'circle/two');
  const nowhere = await linkTo('missing', 'circle/nowhere');
  assert.deepEqual(await programFolders(one), [one, join(home, 'circle/two')]);
  assert.deepEqual(await programFolders(nowhere), [nowhere, join(home, 'circle/missing')]);
});
