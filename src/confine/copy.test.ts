import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { copyConfinement } from './copy.ts';
import { chooseConfinement } from './index.ts';

let folder = '';

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'volley-copy-'));
});
after(async () => await rm(folder, { recursive: true, force: true }));

const USER = {
  PATH: '/usr/bin:.:node_modules/.bin::/bin',
  HOME: '/home/user',
  LANG: 'de_DE.UTF-8',
  TMPDIR: '/var/tmp',
  TERM: 'xterm',
  GITHUB_TOKEN: 'canary-1',
  AWS_SECRET_ACCESS_KEY: 'canary-2',
  SSH_AUTH_SOCK: 'canary-3',
  MY_API_KEY: 'wanted',
};

test('the environment is made from nothing: only what is named is passed on', () => {
  const home = join(folder, 'home');
  const launch = copyConfinement(USER).prepare(
    { cwd: '/checkout', env: { PORT: '4000' } },
    { role: 'reviewer', passEnv: ['MY_API_KEY', 'NOT_SET', 'HOME'], home },
  );
  assert.deepEqual(launch, {
    cwd: '/checkout',
    env: {
      LANG: 'de_DE.UTF-8',
      TERM: 'dumb',
      TMPDIR: '/var/tmp',
      MY_API_KEY: 'wanted',
      HOME: home,
      PATH: '/usr/bin:/bin',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      PORT: '4000',
    },
  });
});

test('the home is made, for its owner only', async () => {
  const home = join(folder, 'deep', 'home');
  copyConfinement(USER).prepare({ cwd: '/', env: {} }, { role: 'gate', passEnv: [], home });
  assert.equal(existsSync(home), true);
  assert.equal((await stat(home)).mode & 0o077, 0);
});

test('tools that keep their versions in the home of the user still find them', async () => {
  await mkdir(join(folder, 'user', '.rustup'), { recursive: true });
  const user = { HOME: join(folder, 'user'), PYENV_ROOT: folder, ASDF_DATA_DIR: join(folder, 'nowhere') };
  const { env } = copyConfinement(user).prepare({ cwd: '/', env: {} }, { role: 'gate', passEnv: [], home: folder });
  assert.deepEqual([env['RUSTUP_HOME'], env['PYENV_ROOT'], env['ASDF_DATA_DIR']], [join(folder, 'user', '.rustup'), folder, undefined]);
});

test('an empty user environment still finds the programs of the system', () => {
  const { env } = copyConfinement({}).prepare({ cwd: '/', env: {} }, { role: 'gate', passEnv: [], home: folder });
  assert.match(env['PATH'] ?? '', /\/usr\/bin/);
});

test('the level is told', () => {
  assert.equal(chooseConfinement().level, 'copy');
});
