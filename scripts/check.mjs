import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { bin, root } from './setup.mjs';

const { values } = parseArgs({ options: { only: { type: 'string' }, quick: { type: 'boolean', default: false } } });
const cores = availableParallelism();
const runner = ['node', '--test', `--test-concurrency=${cores}`, '--test-timeout=240000', '--test-reporter=./scripts/test-reporter.mjs'];
const tests = {
  name: 'tests',
  command: [
    ...runner,
    'src/**/*.test.ts',
    'web/src/**/*.test.ts',
    'test/*.test.ts',
    // The scenarios are most of the time; between commits the rest tells enough.
    ...(values.quick ? [] : ['test/scenarios/*.test.ts']),
  ],
};
/** Each of these takes minutes, so it has a command of its own: whole loops and all that they ask, what can go wrong, case by case, and the package. */
const loops = { name: 'loops', command: [...runner, 'test/loops/*.test.ts'] };
const faults = { name: 'faults', command: [...runner, 'test/faults/*.test.ts'] };
const packed = { name: 'package', command: [...runner, 'test/package/*.test.ts'] };
/** The server as its users and its attackers meet it. */
const server = { name: 'server', command: [...runner, 'test/server/*.test.ts', 'test/browser/*.test.ts'] };
/** The web app in a real browser, against a real server with real loops. */
const web = { name: 'web', command: [...runner, 'test/web/*.test.ts'] };
const readings = [
  { name: 'types', command: ['tsc', '-p', 'tsconfig.json'] },
  { name: 'core-types', command: ['tsc', '-p', 'tsconfig.core.json'] },
  { name: 'browser-types', command: ['tsc', '-p', 'test/browser/tsconfig.json'] },
  { name: 'web-test-types', command: ['tsc', '-p', 'test/web/tsconfig.json'] },
  { name: 'web-types', command: ['tsc', '-p', 'web/tsconfig.json'] },
  { name: 'lint', command: ['oxlint', '--type-aware'] },
  { name: 'format', command: ['oxfmt', '--check'] },
  { name: 'dead-code', command: ['knip'] },
  { name: 'duplicates', command: ['jscpd'] },
];

const suites = [tests, loops, faults, packed, server, web];
const all = [...readings, ...suites];
const wanted = values.only === undefined ? [...readings, tests] : all.filter(({ name }) => name === values.only);
if (wanted.length === 0) {
  const names = all.map(({ name }) => name).join(', ');
  process.stderr.write(`There is no check "${values.only}". Choose one of ${names}.\n`);
  process.exit(1);
}

const running = new Set();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    for (const child of running) child.kill(signal);
    process.kill(process.pid, signal);
  });
}

const suite = wanted.find((check) => suites.includes(check));
const queue = wanted.filter((check) => check !== suite);
const complaints = [];
await Promise.all(Array.from({ length: cores }, readNext));
process.stdout.write(complaints.join(''));
const passed = complaints.length === 0 && (suite === undefined || (await testsPass(suite)));
process.exitCode = passed ? 0 : 1;

/** Takes checks from the queue until it is empty or one has failed; they only read, so they run side by side. */
async function readNext() {
  for (let check = queue.shift(); check !== undefined && complaints.length === 0; check = queue.shift()) {
    const startedMs = performance.now();
    const { exitCode, output } = await run(check, 'pipe');
    if (exitCode !== 0) complaints.push(`\n${check.name}: ${check.command.join(' ')}\n${output}\n`);
    process.stdout.write(`${exitCode === 0 ? '✔' : '✖'} ${check.name.padEnd(12)} ${seconds(startedMs)}\n`);
  }
}

async function testsPass(which) {
  process.stdout.write('  tests\n');
  // Node ends no test file whose event loop stays alive, and its --test-force-exit loses reports.
  const limit = setTimeout(() => {
    process.stderr.write('The tests did not end in 20 minutes; a test file above is missing from the list.\n');
    for (const child of running) child.kill('SIGKILL');
  }, 20 * 60_000);
  const { exitCode } = await run(which, 'inherit');
  clearTimeout(limit);
  return exitCode === 0;
}

function run({ command: [program, ...args] }, output) {
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` };
  const child = spawn(join(bin, program), args, { cwd: root, env, stdio: ['ignore', output, output] });
  running.add(child);
  child.once('close', () => running.delete(child));
  const chunks = [];
  child.stdout?.on('data', (chunk) => chunks.push(chunk));
  child.stderr?.on('data', (chunk) => chunks.push(chunk));
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ exitCode: 1, output: error.message }));
    child.on('close', (exitCode) => resolve({ exitCode, output: Buffer.concat(chunks).toString('utf8') }));
  });
}

function seconds(startedMs) {
  return `${((performance.now() - startedMs) / 1000).toFixed(1)} s`;
}
