import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { findExecutable } from './executable.ts';

let folder = '';

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'volley-executable-'));
  await writeFile(join(folder, 'plain'), '');
  await writeFile(join(folder, 'tool'), '#!/bin/sh\n');
  await chmod(join(folder, 'tool'), 0o755);
});
after(async () => await rm(folder, { recursive: true, force: true }));

test('a program is found by its name and by its absolute path', async () => {
  assert.equal((await findExecutable('tool', `/nowhere:${folder}`)).path, join(folder, 'tool'));
  assert.equal((await findExecutable(join(folder, 'tool'), '')).path, join(folder, 'tool'));
});

test('a relative folder of the search path is never looked into', async () => {
  assert.match((await findExecutable('tool', '.::bin')).problem ?? '', /not found in PATH/);
});

test('each reason why a program cannot be run is told', async () => {
  assert.match((await findExecutable('', folder)).problem ?? '', /No program/);
  assert.match((await findExecutable('./tool', folder)).problem ?? '', /neither an absolute path/);
  assert.match((await findExecutable(join(folder, 'none'), '')).problem ?? '', /does not exist/);
  assert.match((await findExecutable(join(folder, 'plain'), '')).problem ?? '', /is not executable/);
  assert.match((await findExecutable(folder, '')).problem ?? '', /is not a file/);
});
