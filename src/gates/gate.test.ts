import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { GateSpec } from '../core/settings.ts';
import { matchesPaths, runGate } from './gate.ts';
import type { GateLaunch, GateRun } from './gate.ts';

let dir = '';
let count = 0;

before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'volley-gate-'));
  await mkdir(join(dir, 'sub folder'));
  await symlink('/', join(dir, 'link'));
});
after(async () => await rm(dir, { recursive: true, force: true }));

function gate(change: Partial<GateSpec> = {}): GateSpec {
  return { name: 'test', run: 'true', cwd: '.', paths: [], network: false, ...change };
}

async function run(spec: Partial<GateSpec>, change: Partial<GateLaunch> = {}): Promise<GateRun> {
  return await runGate({
    gate: gate(spec),
    dir,
    env: { PATH: '/usr/bin:/bin', HOME: dir },
    launcher: [],
    wallMs: 60_000,
    marker: `gate-test-${process.pid}-${count++}`,
    signal: new AbortController().signal,
    ...change,
  });
}

test('a gate passes by its exit code alone, and its shell line may be any shell line', async () => {
  const green = await run({ run: 'echo "a b" | tr a c && pwd', cwd: 'sub folder' });
  assert.deepEqual([green.passed, green.exitCode], [true, 0]);
  assert.match(green.output, /^c b\n.*sub folder\n$/s);
  const red = await run({ run: 'echo all good; exit 7' });
  assert.deepEqual([red.passed, red.exitCode, red.timedOut, red.cancelled], [false, 7, false, false]);
});

test('a gate that runs out of time has not passed, also if it then exits with 0', async () => {
  const late = await run({ run: `trap 'exit 0' TERM; while :; do sleep 0.02; done` }, { wallMs: 100 });
  assert.deepEqual([late.passed, late.timedOut, late.exitCode], [false, true, null]);
});

test('a cancelled gate has not passed', async () => {
  const controller = new AbortController();
  const stopped = await run({ run: 'echo up; sleep 60' }, { signal: controller.signal, onOutput: () => controller.abort() });
  assert.deepEqual([stopped.passed, stopped.cancelled], [false, true]);
});

test('only the last lines of a long output are kept, and this is said', async () => {
  const { output } = await run({ run: 'seq 1 100000' });
  const lines = output.trimEnd().split('\n');
  assert.match(lines[0] ?? '', /characters left out/);
  assert.deepEqual([lines.length, lines.at(-1)], [201, '100000']);
});

test('one endless line is cut too', async () => {
  const { output, passed } = await run({ run: 'head -c 5000000 /dev/zero | tr "\\0" x' });
  assert.deepEqual([passed, output.length < 33_000], [true, true]);
});

test('a folder that does not exist or leads out of the checkout is red and says why', async () => {
  for (const [cwd, problem] of [
    ['none', /does not exist/],
    ['..', /leads out/],
    ['link', /leads out/],
    ['link/tmp', /leads out/],
  ] as const) {
    const red = await run({ cwd });
    assert.equal(red.passed, false);
    assert.match(red.output, problem);
  }
});

test('a gate sees no variable but those it is given', async () => {
  process.env['VOLLEY_GATE_CANARY'] = 'canary';
  const { output } = await run({ run: 'env; cat ~/.ssh/* ~/.aws/* 2>&1' });
  delete process.env['VOLLEY_GATE_CANARY'];
  assert.equal(output.includes('canary'), false);
});

test('a gate without paths always runs, one with paths when one of them is touched', () => {
  assert.equal(matchesPaths(gate(), []), true);
  const touched = (paths: readonly string[], path: string): boolean => matchesPaths(gate({ paths: [...paths] }), ['README.md', path]);
  assert.equal(touched(['src/**'], 'src/a/b.ts'), true);
  assert.equal(touched(['src/**'], 'srcs/a.ts'), false);
  assert.equal(touched(['src/'], 'src/a/b.ts'), true);
  assert.equal(touched(['./src/*.ts'], 'src/a.ts'), true);
  assert.equal(touched(['**/*.{ts,tsx}'], 'web/app.tsx'), true);
  assert.equal(touched(['lib/**', 'web/**'], 'src/a.ts'), false);
  assert.equal(touched(['app/[id].ts'], 'app/[id].ts'), true);
});

test('names that begin with a dot are matched like any other', () => {
  assert.equal(matchesPaths(gate({ paths: ['src/**'] }), ['src/.config/a.json']), true);
  assert.equal(matchesPaths(gate({ paths: ['**'] }), ['.github/workflows/a.yml']), true);
  assert.equal(matchesPaths(gate({ paths: ['.github/**'] }), ['.github/workflows/a.yml']), true);
  assert.equal(matchesPaths(gate({ paths: ['{.github,src}/**'] }), ['.github/a.yml']), true);
});
