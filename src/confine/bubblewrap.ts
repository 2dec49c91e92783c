import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { Confinement, Network, Profile } from './confinement.ts';
import { makeEnvironment } from './environment.ts';
import { INNER_ID, writeAccounts } from './accounts.ts';
import { writeSettings } from './homes.ts';
import { openWay } from './network.ts';
import { planMounts } from './plan-mounts.ts';
import type { Sandbox } from './plan-mounts.ts';
import { watchUnreadable } from './system-folders.ts';
import type { Variables } from './variables.ts';

/** Where bubblewrap is, and whose machine it works on. */
export type Bubblewrap = { readonly program: string; readonly stateDir: string; readonly user?: Variables };

/**
 * No capability is left, not even root's own: bubblewrap would leave them to root. And nobody but root would get a user namespace
 * of their own by themselves, without which root's keys in the kernel are there.
 */
const NAMESPACES = [
  '--die-with-parent',
  '--unshare-user',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--cap-drop',
  'ALL',
  '--proc',
  '/proc',
  '--dev',
  '/dev',
];

/** Root is somebody else inside, under whose name a sandbox in the sandbox can be made: for that, root needs a right that would be ours to lose. */
const NOT_ROOT = ['--uid', String(INNER_ID), '--gid', String(INNER_ID)];

/** uv would say in each run that it cannot link from its cache, which is another mount. */
const OWN_VARIABLES = { TMPDIR: '/tmp', UV_LINK_MODE: 'copy' };

/**
 * The level `os`: the kernel holds a program, by bubblewrap. It sees a system made from nothing, its checkout and what its profile
 * names, no other process, and no network but what its profile allows.
 */
export function bubblewrapConfinement({ program, stateDir, user = process.env }: Bubblewrap): Confinement {
  const unreadable = watchUnreadable('/etc');
  return {
    level: 'os',
    hold: async (launch, profile) => {
      const way = await openWay(profile, user);
      try {
        const plan = await planMounts({ user, stateDir, launch, profile, unreadable: unreadable(), own: makeOwn(profile) });
        for (const mount of way.mounts) plan.put(mount);
        plan.makeLinks();
        const env = makeEnvironment(user, { launch, profile }, OWN_VARIABLES);
        const root = ['--remount-ro', '/', ...(isRoot() ? KERNEL.flatMap((path) => ['--ro-bind-try', path, path]) : [])];
        const launcher = [
          program,
          ...NAMESPACES,
          ...(isRoot() ? NOT_ROOT : []),
          ...netArguments(profile.network),
          ...plan.toArguments(),
          ...root,
          '--',
          ...way.launcher,
        ];
        return { cwd: launch.cwd, env, launcher, network: profile.network.mode, close: async () => await way.close() };
      } catch (error) {
        await way.close();
        throw error;
      }
    },
  };
}

function netArguments({ mode }: Network): string[] {
  return mode === 'open' ? [] : ['--unshare-net'];
}

/** What the kernel lets root set in /proc: it asks who somebody is, not which capabilities he has. */
const KERNEL = ['bus', 'fs', 'irq', 'scsi', 'sys', 'sysrq-trigger', 'acpi', 'mtrr', 'timer_list', 'kcore', 'latency_stats'].map(
  (name) => `/proc/${name}`,
);

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** A new folder each time, because nothing of an earlier program may be in it. */
function makeOwn({ folder, home }: Profile): Sandbox['own'] {
  const base = mkdtempSync(join(folder, '.own-'));
  const own = { home: join(base, 'home'), tmp: join(base, 'tmp'), varTmp: join(base, 'var-tmp') };
  for (const path of Object.values(own)) mkdirSync(path, { mode: 0o700 });
  writeSettings(own.home, home);
  return { ...own, accounts: isRoot() ? writeAccounts(base, home) : [] };
}
