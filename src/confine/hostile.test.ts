import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { z } from 'zod';
import { nonce } from '../lib/ids.ts';
import { bubblewrapConfinement } from './bubblewrap.ts';
import type { Profile } from './confinement.ts';
import { copyConfinement } from './copy.ts';
import { openTrial, requireBubblewrap } from './trial.ts';
import type { Trial } from './trial.ts';

const program = await requireBubblewrap();

/**
 * Does all that a hostile program could think of and prints what it managed. Where success would harm the machine itself, it only
 * opens what it would have to write.
 */
const ATTACK = `
const fs = require('node:fs');
const net = require('node:net');
const { spawnSync } = require('node:child_process');
const given = JSON.parse(process.argv[1]);
const done = [];
const attempt = (name, act) => { try { if (act() !== false) done.push(name); } catch {} };
const shell = (line) => spawnSync('/bin/sh', ['-c', line], { encoding: 'utf8', env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } });
const reads = (path) => fs.readFileSync(path, 'utf8').includes('canary');
const opens = (path) => fs.closeSync(fs.openSync(path, fs.constants.O_WRONLY));

attempt('read a file outside', () => reads(given.canary));
attempt('read a file outside through a process', () => fs.readdirSync('/proc').some((pid) => { try { return reads('/proc/' + pid + '/root' + given.canary); } catch { return false; } }));
attempt('read a file outside through its own folder', () => reads('/proc/self/cwd/' + '../'.repeat(12) + given.canary));
attempt('read a file outside through what another process holds', () => fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).some((pid) => {
  const held = (() => { try { return fs.readdirSync('/proc/' + pid + '/fd').map((fd) => 'fd/' + fd); } catch { return []; } })();
  return ['cwd', ...held].some((way) => { try { return reads('/proc/' + pid + '/' + way + '/' + '../'.repeat(12) + given.canary) || reads('/proc/' + pid + '/' + way + given.canary); } catch { return false; } });
}));
attempt('read the key of the user', () => reads(given.key));
attempt('read the environment of Volley', () => reads('/proc/' + given.pid + '/environ'));
attempt('signal Volley', () => process.kill(given.pid, 0));
attempt('see other processes', () => fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).length > 6);
attempt('keep a capability', () => !/^CapEff:\\s+0+$/m.test(fs.readFileSync('/proc/self/status', 'utf8')));
attempt('gain privileges', () => !/^NoNewPrivs:\\s+1$/m.test(fs.readFileSync('/proc/self/status', 'utf8')));
for (const path of ['/proc/sys/kernel/core_pattern', '/proc/sys/kernel/modprobe', '/proc/sys/vm/drop_caches', '/proc/sys/kernel/hostname', '/proc/sysrq-trigger', '/proc/mtrr', '/proc/irq/default_smp_affinity', '/sys/kernel/uevent_helper', '/dev/mem', '/dev/kmsg', '/dev/vda', '/dev/sda'])
  attempt('open ' + path, () => opens(path));
for (const path of ['/etc/passwd', '/etc/hosts', '/usr/bin/env', '/bin/sh', process.execPath]) attempt('open ' + path, () => opens(path));
for (const folder of ['', '/usr', '/etc', '/home', '/root', given.base]) attempt('', () => fs.writeFileSync(folder + '/volley-attack', 'x') === null);
const mounting = [
  'mount -t tmpfs none /usr', 'mount -t tmpfs none /tmp', 'mount -o remount,rw /', 'mount -o remount,rw,bind /usr', 'mount -o remount,rw,bind /proc', 'mount --bind /tmp /etc',
  'mount -t proc none /tmp', 'mount -t devtmpfs none /tmp', 'umount /etc', 'umount -l /proc', 'umount ' + given.hidden, 'chroot / true',
  'mknod /tmp/disk b 254 0', 'nsenter -t 1 -m true', 'nsenter -t ' + given.pid + ' -a true', 'hostname volley-attack', 'ip link add dummy0 type dummy',
  'sudo -n true',
];
for (const line of mounting) attempt(line, () => shell(line).status === 0);
const nested = ['mount -o remount,rw,bind /usr', 'mount -o remount,rw,bind /proc && : >> /proc/sys/kernel/core_pattern', 'umount ' + given.hidden, 'umount -l /etc', 'umount -l /proc'];
for (const flags of ['-Urm', '-Um', '-Urmpf'])
  for (const line of nested) attempt('unshare ' + flags + ' ' + line, () => shell('unshare ' + flags + ' sh -c ' + JSON.stringify(line)).status === 0);
attempt('read what is hidden', () => reads(given.hidden));
attempt('read what is hidden from a namespace of its own', () => /canary/.test(shell('unshare -Urm cat ' + given.hidden).stdout));

const reach = (name, to) => new Promise((end) => {
  const socket = net.connect(to, () => { done.push(name); socket.destroy(); end(); });
  socket.once('error', () => end()).setTimeout(2000, () => { socket.destroy(); end(); });
});
Promise.all([
  reach('reach a port of the machine', { host: '127.0.0.1', port: given.port }),
  reach('reach a port of the machine by IPv6', { host: '::1', port: given.port }),
  reach('reach an abstract socket', { path: '\\0' + given.abstract }),
  reach('reach a socket in a folder', { path: given.socket }),
  reach('reach the network', { host: '192.0.2.1', port: 80 }),
]).then(() => console.log(JSON.stringify(done)));
`;

const ROLES: readonly Profile['role'][] = ['author', 'fixer', 'gate', 'reviewer', 'arbiter'];

describe('a hostile program', () => {
  let trial: Trial;
  const servers: Server[] = [];
  const abstract = `volley-${nonce()}`;
  let port = 0;

  const serve = async (where: { path: string } | { port: number; host: string }): Promise<Server> => {
    const server = createServer((socket) => socket.on('error', () => undefined).end('canary'));
    server.listen(where);
    await once(server, 'listening');
    servers.push(server);
    return server;
  };

  const given = (): object => ({
    canary: join(trial.base, 'outside/file'),
    key: join(trial.userHome, '.ssh/id_ed25519'),
    socket: join(trial.base, 'outside/socket'),
    hidden: join(trial.checkout, '.env'),
    base: trial.base,
    pid: process.pid,
    port,
    abstract,
  });

  before(async () => {
    // Not in a temporary folder, of which a sandbox has its own.
    trial = openTrial(existsSync('/dev/shm') ? '/dev/shm' : undefined);
    trial.write('user/.ssh/id_ed25519', 'canary');
    trial.write('outside/file', 'canary');
    trial.write('state/project/checkout/.git', 'gitdir: real\n');
    trial.write('state/project/checkout/.env', 'canary');
    const address = (await serve({ host: '127.0.0.1', port: 0 })).address();
    port = typeof address === 'object' && address !== null ? address.port : 0;
    await serve({ path: `\0${abstract}` });
    await serve({ path: join(trial.base, 'outside', 'socket') });
  });
  after(() => {
    for (const server of servers) server.close();
    trial.close();
  });

  for (const role of ROLES) {
    for (const mode of ['none', 'public'] as const) {
      it(`gets nowhere as ${role} with the network ${mode}`, async () => {
        const { base, checkout, stateDir, userHome } = trial;
        const user = { HOME: userHome, PATH: process.env['PATH'] ?? '', SECRET: 'canary' };
        const hidden = join(checkout, '.env');
        const argv = [process.execPath, '-e', ATTACK, JSON.stringify(given())];
        const profile = { role, network: { mode }, protect: [join(checkout, '.git')], hide: [hidden] };
        const end = await trial.run(bubblewrapConfinement({ program, stateDir, user }), argv, profile);
        assert.deepEqual(doneIn(end.output), []);
        for (const folder of ['/', '/usr', '/etc', '/home', '/root', base]) assert.equal(existsSync(join(folder, 'volley-attack')), false);
        assert.equal(readFileSync(join(checkout, '.git'), 'utf8'), 'gitdir: real\n');
        assert.equal(readFileSync(hidden, 'utf8'), 'canary');
      });
    }
  }

  it('would have been noticed: without a sandbox it succeeds in much of this', async () => {
    // What would harm the machine is left out.
    const harmless = ATTACK.replaceAll(/const (mounting|nested) = [^;]*;/g, 'const $1 = [];').replaceAll('/volley-attack', '/nowhere/x');
    const argv = [process.execPath, '-e', harmless, JSON.stringify(given())];
    const done = doneIn((await trial.run(copyConfinement({ PATH: process.env['PATH'] ?? '' }), argv)).output);
    const expected = ['read a file outside', 'read the key of the user', 'read what is hidden', 'signal Volley', 'see other processes'];
    const reached = ['reach a port of the machine', 'reach an abstract socket', 'reach a socket in a folder'];
    assert.deepEqual(
      [...expected, ...reached].filter((attempt) => !done.includes(attempt)),
      [],
    );
  });
});

function doneIn(output: string): string[] {
  const line = output.split('\n').find((text) => text.startsWith('['));
  assert.ok(line !== undefined, output);
  return z.array(z.string()).parse(JSON.parse(line));
}
