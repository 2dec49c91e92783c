import assert from 'node:assert/strict';
import { chmod, mkdir, rm, stat, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeMirrored, readFiles, writeFiles } from '../../test/support/mirrored.ts';
import { makeRepository } from '../../test/support/repository.ts';
import { findPorts, portEnvironment, provision } from './provision.ts';

test('files and folders are copied with their modes, and their paths are to be left out of commits', async () => {
  await using mirrored = await makeMirrored({ 'a.txt': 'a\n' });
  const { repo } = mirrored;
  await writeFiles(repo.root, { '.env': 'A=1\n', 'certs/dev/key.pem': 'key', 'certs/dev/cert.pem': 'cert' });
  await chmod(join(repo.root, '.env'), 0o600);
  const { dir } = await mirrored.open();
  assert.deepEqual(await provision({ from: repo.root, to: dir, paths: ['.env', './certs/'] }), { paths: ['.env', 'certs'], warnings: [] });
  assert.deepEqual(await readFiles(dir), { 'a.txt': 'a\n', '.env': 'A=1\n', 'certs/dev/key.pem': 'key', 'certs/dev/cert.pem': 'cert' });
  assert.equal((await stat(join(dir, '.env'))).mode & 0o777, 0o600);
});

test('what is missing or lies outside of the project is said and not copied', async () => {
  await using repo = await makeRepository();
  const to = join(repo.beside, 'checkout');
  await mkdir(to);
  await writeFiles(repo.beside, { secret: 'precious' });
  await symlink(join(repo.beside, 'secret'), join(repo.root, 'linked'));
  await symlink(repo.beside, join(repo.root, 'linked-folder'));
  const paths = ['.env', '../secret', join(repo.beside, 'secret'), 'linked', 'linked-folder/secret', 'a/../../secret', '.git/config', '.'];
  const { paths: copied, warnings } = await provision({ from: repo.root, to, paths });
  assert.deepEqual(copied, []);
  assert.equal(warnings.length, paths.length);
  assert.match(warnings[0] ?? '', /'\.env' was not copied: there is no such file\./);
  assert.deepEqual(await readFiles(to), {});
});

test('a link to a file inside of the project is copied as a file, links inside a folder are left out', async () => {
  await using repo = await makeRepository();
  const to = join(repo.beside, 'checkout');
  await mkdir(to);
  await writeFiles(repo.root, { 'env/dev': 'A=1\n', 'env/real': 'x' });
  await symlink('env/dev', join(repo.root, '.env'));
  await symlink('/etc/passwd', join(repo.root, 'env/passwd'));
  const { warnings } = await provision({ from: repo.root, to, paths: ['.env', 'env'] });
  assert.deepEqual(warnings, []);
  assert.deepEqual(await readFiles(to), { '.env': 'A=1\n', 'env/dev': 'A=1\n', 'env/real': 'x' });
});

test('nothing is written through a link in the checkout', async () => {
  await using mirrored = await makeMirrored();
  const { repo } = mirrored;
  const { dir } = await mirrored.open();
  const outside = join(repo.beside, 'outside');
  await writeFiles(outside, { '.env': 'precious' });
  await writeFiles(repo.root, { '.env': 'A=1\n', 'conf/.env': 'A=2\n' });
  await symlink(join(outside, '.env'), join(dir, '.env'));
  await symlink(outside, join(dir, 'conf'));
  const { warnings } = await provision({ from: repo.root, to: dir, paths: ['.env', 'conf/.env'] });
  assert.equal(warnings.length, 1);
  assert.deepEqual(await readFiles(outside), { '.env': 'precious' });
  await rm(join(dir, 'conf'));
  assert.equal((await readFiles(dir))['.env'], 'A=1\n');
});

test('a loop gets the same ten ports again, and others while one of them is taken', async () => {
  const range = await findPorts('loop-29');
  assert.equal(range.last - range.first, 9);
  assert.deepEqual(await findPorts('loop-29'), range);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(range.first + 4, '127.0.0.1', resolve));
  try {
    const other = await findPorts('loop-29');
    assert.notEqual(other.first, range.first);
    assert.deepEqual(portEnvironment(other), { VOLLEY_PORT: String(other.first), VOLLEY_PORT_END: String(other.last) });
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});
