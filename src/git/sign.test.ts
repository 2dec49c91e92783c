import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeMirrored } from '../../test/support/mirrored.ts';
import { readSigning } from './sign.ts';

test('who does not sign is not asked to', async () => {
  await using mirrored = await makeMirrored();
  assert.equal(await readSigning(mirrored.project.place), null);
});

test('programs that the user does not name are those of git, so that no other config can name them', async () => {
  await using mirrored = await makeMirrored();
  await mirrored.repo.git('config', 'commit.gpgSign', 'true');
  await mirrored.repo.git('config', 'user.signingKey', 'a-key');
  const defaults = { 'gpg.format': 'openpgp', 'gpg.program': 'gpg', 'gpg.ssh.program': 'ssh-keygen', 'gpg.x509.program': 'gpgsm' };
  assert.deepEqual(await readSigning(mirrored.project.place), { key: 'a-key', config: defaults });
});

test('programs that the user names are theirs', async () => {
  await using mirrored = await makeMirrored();
  const settings = [
    ['commit.gpgSign', 'true'],
    ['gpg.format', 'ssh'],
    ['gpg.ssh.program', '/opt/op-ssh-sign'],
  ] as const;
  for (const [key, value] of settings) await mirrored.repo.git('config', key, value);
  const signing = await readSigning(mirrored.project.place);
  assert.deepEqual([signing?.config['gpg.format'], signing?.config['gpg.ssh.program']], ['ssh', '/opt/op-ssh-sign']);
});
