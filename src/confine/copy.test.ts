import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Profile } from './confinement.ts';
import { confinementConformance } from './conformance.ts';
import { copyConfinement } from './copy.ts';

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

confinementConformance('copy', ({ user }) => copyConfinement(user));

function profile(given: Partial<Profile>): Profile {
  const nothing = { passEnv: [], read: [], write: [], protect: [], hide: [], network: { mode: 'none' } } as const;
  return { role: 'reviewer', ...nothing, home: folder, folder, ...given };
}

test('the environment is made from nothing: only what is named is passed on', async () => {
  const home = join(folder, 'home');
  const held = await copyConfinement(USER).hold(
    { cwd: '/checkout', env: { PORT: '4000' } },
    profile({ passEnv: ['MY_API_KEY', 'NOT_SET', 'HOME'], home }),
  );
  const { cwd, launcher, network, env } = held;
  assert.deepEqual(
    { cwd, launcher, network, env },
    {
      cwd: '/checkout',
      launcher: [],
      network: null,
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
    },
  );
});

test('tools that keep their versions in the home of the user still find them', async () => {
  await mkdir(join(folder, 'user', '.rustup'), { recursive: true });
  const user = { HOME: join(folder, 'user'), PYENV_ROOT: folder, ASDF_DATA_DIR: join(folder, 'nowhere') };
  const { env } = await copyConfinement(user).hold({ cwd: '/', env: {} }, profile({}));
  assert.deepEqual([env['RUSTUP_HOME'], env['PYENV_ROOT'], env['ASDF_DATA_DIR']], [join(folder, 'user', '.rustup'), folder, undefined]);
});

test('an empty user environment still finds the programs of the system', async () => {
  const { env } = await copyConfinement({}).hold({ cwd: '/', env: {} }, profile({}));
  assert.match(env['PATH'] ?? '', /\/usr\/bin/);
});
