import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from './process-tree.ts';

const PROCESS = JSON.stringify(new URL('process.ts', import.meta.url).href);
const DEADLINE_MS = 20_000;
const ESCAPES = process.platform === 'linux' ? 'setsid' : '';

let folder = '';

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'volley-watchdog-'));
});
after(async () => await rm(folder, { recursive: true, force: true }));

/** A Node process that runs a tree whose members write their pids into files of a folder, one of them in a session of its own. */
function startParent(name: string, then: string): { readonly parent: ChildProcess; readonly pids: () => number[] } {
  const tree = `cd ${folder}; : >${name}-$$; ${ESCAPES} sh -c ': >${name}-$$; sleep 300' & sleep 300 & : >${name}-$!; wait`;
  const script = `
    import { startProcess, runProcess } from ${PROCESS};
    const spec = { cwd: '/', env: { PATH: process.env.PATH }, wallMs: 1e9 };
    await runProcess({ ...spec, argv: ['/bin/echo'], marker: '${name}-${process.pid}-ended' });
    startProcess({ ...spec, argv: ['/bin/sh', '-c', ${JSON.stringify(tree)}], marker: '${name}-${process.pid}' });
    ${then}`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'ignore', 'inherit'] });
  const pids = (): number[] =>
    readdirSync(folder)
      .filter((file) => file.startsWith(`${name}-`))
      .map((file) => Number(file.slice(name.length + 1)));
  return { parent, pids };
}

async function until(claim: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (!claim()) {
    if (performance.now() > deadline) assert.fail(`not in time: ${what}`);
    await sleep(10);
  }
}

test('when its parent is killed by SIGKILL, the whole tree dies, also what escaped the group', async () => {
  const { parent, pids } = startParent('killed', '');
  await until(() => pids().length === 3, 'the tree has started');
  assert.equal(pids().every(isRunning), true);
  parent.kill('SIGKILL');
  await until(() => !pids().some(isRunning), 'the tree is gone');
});

test('when its parent exits in the middle, the whole tree dies', async () => {
  const { pids } = startParent('exited', `setTimeout(() => process.exit(0), 200);`);
  await until(() => pids().length === 3, 'the tree has started');
  await until(() => !pids().some(isRunning), 'the tree is gone');
});

test('a parent killed right after the start leaves nothing', async () => {
  const { parent, pids } = startParent('early', `process.kill(process.pid, 'SIGKILL');`);
  await once(parent, 'exit');
  await sleep(300);
  await until(() => !pids().some(isRunning), 'the tree is gone');
});

test('the watchdog survives Ctrl-C and goes when its parent ends in peace', async () => {
  const script = `
    import { runProcess } from ${PROCESS};
    await runProcess({ argv: ['/bin/echo'], cwd: '/', env: {}, wallMs: 1e9, marker: 'peace-${process.pid}' });
    process.on('SIGINT', () => process.exit(0));
    setInterval(() => undefined, 1000);
    process.stdout.write('ready');`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  await once(parent.stdout, 'data');
  const watchdogs = childrenOf(parent.pid ?? 0);
  assert.equal(watchdogs.length, 1);
  for (const pid of watchdogs) process.kill(pid, 'SIGINT');
  await sleep(50);
  assert.equal(watchdogs.every(isRunning), true);
  process.kill(-(parent.pid ?? 0), 'SIGINT');
  await once(parent, 'exit');
  await until(() => !watchdogs.some(isRunning), 'the watchdog is gone');
});

function childrenOf(parent: number): number[] {
  const file = `/proc/${parent}/task/${parent}/children`;
  if (existsSync(file)) return readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number);
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=']).toString();
  return table.split('\n').flatMap((line) => {
    const [pid, ppid] = line.trim().split(/\s+/).map(Number);
    return ppid === parent && pid !== undefined ? [pid] : [];
  });
}
