import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, killMarked } from './process-tree.ts';
import { runProcess, startProcess } from './process.ts';
import type { ProcessSpec } from './process.ts';

/** Elsewhere than on Linux only process groups are known. */
const ON_LINUX = process.platform === 'linux';
const ESCAPES = ON_LINUX ? 'setsid' : '';

let folder = '';
let count = 0;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'volley-process-'));
});
after(async () => await rm(folder, { recursive: true, force: true }));

function shell(script: string, change: Partial<ProcessSpec> = {}): ProcessSpec {
  return {
    argv: ['/bin/sh', '-c', script],
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
    wallMs: 60_000,
    marker: `process-test-${process.pid}-${count++}`,
    ...change,
  };
}

async function problem(change: Partial<ProcessSpec>): Promise<string> {
  const end = await runProcess(shell('', change));
  return end.kind === 'not-started' ? end.message : end.kind;
}

async function pidsIn(file: string, expected: number): Promise<number[]> {
  for (;;) {
    const pids = existsSync(file) ? (await readFile(file, 'utf8')).split('\n').filter(Boolean).map(Number) : [];
    if (pids.length >= expected) return pids;
    await sleep(5);
  }
}

test('a program gets its input and exactly its environment, and its output and exit code come back', async () => {
  const end = await runProcess(
    shell('cat; env | grep -v -e ^PWD= -e ^SHLVL= -e ^_= | sort; exit 3', {
      input: 'hi\n',
      env: { PATH: '/usr/bin:/bin', A: 'b c' },
      marker: 'marker-1234',
    }),
  );
  assert.deepEqual([end.kind, end.kind === 'exited' ? end.code : null], ['exited', 3]);
  assert.equal(end.output, 'hi\nA=b c\nPATH=/usr/bin:/bin\nVOLLEY_SESSION=marker-1234\n');
});

test('a program that does not read its input is no error', async () => {
  const end = await runProcess(shell('exit 0', { input: 'x'.repeat(1_000_000) }));
  assert.deepEqual([end.kind, end.output], ['exited', '']);
});

test('characters that are split between two writes arrive whole', async () => {
  const pieces: string[] = [];
  const end = await runProcess(
    shell(`printf '\\303'; sleep 0.05; printf '\\244\\377'`, { onOutput: (text, stream) => pieces.push(`${stream}:${text}`) }),
  );
  assert.equal(end.output, 'ä\u{FFFD}');
  assert.equal(pieces.map((piece) => piece.replace('stdout:', '')).join(''), 'ä\u{FFFD}');
});

test('a program ended by a signal is told from one that exited', async () => {
  const end = await runProcess(shell('kill -9 $$'));
  assert.ok(end.kind === 'signalled');
  assert.equal(end.signal, 'SIGKILL');
});

test('what cannot be started says why', async () => {
  await writeFile(join(folder, 'plain.sh'), 'exit 0\n');
  await writeFile(join(folder, 'bad.sh'), '#!/no/such/interpreter\n');
  await chmod(join(folder, 'bad.sh'), 0o755);
  assert.match(await problem({ argv: ['no-such-program'] }), /no-such-program was not found/);
  assert.match(await problem({ argv: [join(folder, 'plain.sh')] }), /is not executable/);
  assert.match(await problem({ argv: [join(folder, 'bad.sh')] }), /interpreter/);
  assert.match(await problem({ cwd: join(folder, 'none') }), /folder .*none does not exist/);
  assert.match(await problem({ argv: ['/bin/echo', 'x'.repeat(3_000_000)] }), /too long/);
  assert.match(await problem({ argv: ['/bin/echo', 'a\0b'] }), /null bytes/);
});

test('idle time and wall time are different limits', async () => {
  assert.equal((await runProcess(shell('sleep 60', { idleMs: 100 }))).kind, 'idle');
  assert.equal((await runProcess(shell('while :; do echo x; sleep 0.02; done', { idleMs: 5_000, wallMs: 200 }))).kind, 'timed-out');
});

test('a cancelled program that ignores SIGTERM is killed with its children', async () => {
  const file = join(folder, 'stubborn');
  const controller = new AbortController();
  const running = startProcess(
    shell(
      `trap '' TERM; echo $$ >>${file}; (trap '' TERM; sh -c 'echo $$' >>${file}; while :; do sleep 60; done) & while :; do sleep 60; done`,
      {
        signal: controller.signal,
        graceMs: 50,
      },
    ),
  );
  const pids = await pidsIn(file, 2);
  controller.abort();
  assert.equal((await running.ended).kind, 'cancelled');
  assert.deepEqual(pids.filter(isRunning), []);
});

test('a cancelled program may tidy up within its grace', async () => {
  const controller = new AbortController();
  const end = await runProcess(
    shell(`trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 0.01; done 2>/dev/null`, {
      signal: controller.signal,
      onOutput: () => controller.abort(),
    }),
  );
  assert.deepEqual([end.kind, end.output], ['cancelled', 'ready\nbye\n']);
});

test('children that a program leaves behind in its group are gone when it ends, and do not hold us', async () => {
  const file = join(folder, 'left');
  const end = await runProcess(shell(`sleep 300 & echo $! >>${file}; echo done`));
  assert.deepEqual([end.kind, end.output], ['exited', 'done\n']);
  assert.deepEqual((await pidsIn(file, 1)).filter(isRunning), []);
});

test('children that left the process group are found by their marker', async () => {
  for (let round = 0; round < 10; round++) {
    const file = join(folder, `escaped-${round}`);
    await runProcess(
      shell(
        `${ESCAPES} sh -c 'echo $$ >>${file}; ${ESCAPES} sleep 300 & echo $! >>${file}; wait' & ${round % 2 === 0 ? 'sleep 0.05' : ''}`,
      ),
    );
    await sleep(20);
    // It may have been killed before it had written anything.
    assert.deepEqual((await pidsIn(file, 0)).filter(isRunning), []);
  }
});

test('a stranger who holds our pipes does not hold us', async () => {
  const file = join(folder, 'stranger');
  const end = await runProcess(shell(`env -i ${ESCAPES} sleep 20 & echo $! >>${file}; sleep 0.05; echo said`));
  const [pid = 0] = await pidsIn(file, 1);
  assert.deepEqual([end.kind, end.output], ['exited', 'said\n']);
  if (isRunning(pid)) process.kill(pid, 'SIGKILL');
});

test('an endless output ends the program and only its end is kept', async () => {
  let chars = 0;
  const end = await runProcess(
    shell('yes | tr -d "\\n"', { outputLimitBytes: 8_000_000, tailChars: 1_000, onOutput: (text) => (chars += text.length) }),
  );
  assert.equal(end.kind, 'output-too-large');
  assert.equal(end.output, 'y'.repeat(1_000));
  assert.ok(chars <= 8_000_000);
});

test('what came before the end of a long output is counted', async () => {
  const end = await runProcess(shell('yes | head -c 1000000', { tailChars: 10 }));
  assert.deepEqual([end.kind, end.output, end.droppedChars], ['exited', 'y\n'.repeat(5), 999_990]);
});

test('a marker kills exactly its own processes', async () => {
  const marker = `process-test-${process.pid}-mark`;
  const up = Promise.withResolvers<void>();
  const one = startProcess(shell('echo up; exec sleep 60', { marker, onOutput: () => up.resolve() }));
  const other = startProcess(shell('exec sleep 60', { marker: `${marker}s` }));
  await up.promise;
  assert.equal(await killMarked(marker), ON_LINUX ? 1 : 0);
  if (!ON_LINUX) one.stop();
  assert.equal((await one.ended).kind, ON_LINUX ? 'signalled' : 'cancelled');
  assert.equal(isRunning(other.pid ?? 0), true);
  other.stop();
  assert.equal((await other.ended).kind, 'cancelled');
});

test('two running programs cannot share a marker, and a marker is a plain word', async () => {
  const running = startProcess(shell('sleep 60', { marker: 'twice-the-same' }));
  assert.throws(() => startProcess(shell('true', { marker: 'twice-the-same' })), /running already/);
  assert.throws(() => startProcess(shell('true', { marker: 'a b; rm c' })), /not a marker/);
  running.stop();
  await running.ended;
});

test('many programs at once all come back', async () => {
  const ends = await Promise.all(Array.from({ length: 40 }, async (_, n) => await runProcess(shell(`echo ${n}`))));
  assert.deepEqual(
    ends.map((end) => end.output),
    Array.from({ length: 40 }, (_, n) => `${n}\n`),
  );
});

test('nothing keeps the process alive after its last child', async () => {
  const script = `
    import { runProcess } from ${JSON.stringify(new URL('process.ts', import.meta.url).href)};
    const end = await runProcess({ argv: ['/bin/echo', 'x'], cwd: '/', env: {}, wallMs: 1e9, idleMs: 1e9, marker: 'last-child-${process.pid}' });
    process.stdout.write(end.output);`;
  const stdout = await new Promise((resolve, reject) => {
    execFile(process.execPath, ['--input-type=module', '-e', script], { timeout: 20_000 }, (error, out) =>
      error === null ? resolve(out) : reject(error),
    );
  });
  assert.equal(stdout, 'x\n');
});
