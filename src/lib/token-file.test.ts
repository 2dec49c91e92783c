import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { readOrMakeToken } from './token-file.ts';

const folder = async (): Promise<string> => await mkdtemp(join(tmpdir(), 'volley-token-'));

test('a token is made once, and only its owner can read it', async () => {
  const path = join(await folder(), 'server', 'token');
  const token = await readOrMakeToken(path);
  assert.match(token, /^[\w-]{43}$/);
  assert.equal(await readOrMakeToken(path), token);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  await chmod(path, 0o644);
  await chmod(dirname(path), 0o755);
  assert.equal(await readOrMakeToken(path), token);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.equal((await stat(dirname(path))).mode & 0o777, 0o700);
});

test('what is no token is replaced', async () => {
  const path = join(await folder(), 'token');
  await writeFile(path, 'a\n'.repeat(200));
  const token = await readOrMakeToken(path);
  assert.equal(await readFile(path, 'utf8'), `${token}\n`);
});

test('a link in place of the token is not followed', async () => {
  const dir = await folder();
  await writeFile(join(dir, 'elsewhere'), '');
  await symlink(join(dir, 'elsewhere'), join(dir, 'token'));
  await assert.rejects(readOrMakeToken(join(dir, 'token')), { code: 'ELOOP' });
  assert.equal(await readFile(join(dir, 'elsewhere'), 'utf8'), '');
});
