import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this checkout. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** Where npm puts the commands of the packages we develop with. */
export const bin = join(root, 'node_modules', '.bin');

/** The Node 24 that is installed with the packages, whatever Node the machine has. */
export const node24 = join(bin, 'node');

const stamp = join(root, 'node_modules', '.volley-setup');

/** Installs the packages of package-lock.json unless they are installed already; ends the process if that fails. */
export function setUp() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(node24) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;

  process.stderr.write('Setting up (once)…\n');
  const installed = npm('ci', '--no-audit', '--no-fund');
  if (installed.status !== 0)
    fail(installed, 'The packages could not be installed.', 'Check the network and free disk space, then try again.');
  if (!isNode24(node24)) {
    const rebuilt = npm('rebuild', 'node', '--ignore-scripts=false', '--foreground-scripts');
    if (!isNode24(node24))
      fail(rebuilt, 'The npm package "node" did not bring Node 24.', 'Allow its install script: npm rebuild node --ignore-scripts=false');
  }
  writeFileSync(stamp, wanted);
}

/** Where the web app is built, which `volley serve` shows, and what it was built from; the package carries no such note. */
const built = join(root, 'dist', 'web');
const builtFrom = join(built, '.built-from');

/** Builds the web app unless it is built from just these sources already; says why and gives false where that fails. */
export function buildWeb() {
  const wanted = webSources();
  if (existsSync(join(built, 'index.html')) && existsSync(builtFrom) && readFileSync(builtFrom, 'utf8') === wanted) return true;
  process.stderr.write('Building the web app…\n');
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const { status, stdout, stderr, error } = spawnSync(node24, [vite, 'build', 'web', '--logLevel', 'warn'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status === 0) writeFileSync(builtFrom, wanted);
  else process.stderr.write(`${stdout ?? ''}${stderr ?? ''}${error ? `${error.message}\n` : ''}\nThe web app could not be built.\n`);
  return status === 0;
}

/** A hash of all that the web app is made of. */
function webSources() {
  const files = (folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  const paths = ['web', 'src/core', 'src/api/contract'].flatMap(files);
  const hash = createHash('sha256');
  for (const path of [...paths, join(root, 'src/api/contract.ts'), join(root, 'package-lock.json')].toSorted())
    hash.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0');
  return hash.digest('hex');
}

/** Sees that a program is there which tests need; where its package can be installed it is, else somebody is told how. */
export function ensureProgram(program, name) {
  if (process.platform !== 'linux' || isInPath(program)) return;
  process.stderr.write(`Installing ${name} (once)…\n`);
  const install = ['install', '-y', '--no-install-recommends', name];
  const installed = isInPath('apt-get') ? apt(...install) : { status: null };
  // A fresh machine has no lists of packages yet.
  if (installed.status !== null && installed.status !== 0 && apt('update').status === 0) apt(...install);
  if (!isInPath(program))
    fail(installed, `${program} is missing, which the tests need.`, `Install it: apt-get install ${name}, or dnf install ${name}.`);
}

function apt(...args) {
  const [program, ...before] = process.getuid?.() === 0 ? ['apt-get'] : ['sudo', '-n', 'apt-get'];
  return spawnSync(program, [...before, ...args], { encoding: 'utf8', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
}

function isInPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}

/** Runs npm on the machine's own Node: the one in node_modules vanishes while npm reinstalls it. */
function npm(...args) {
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.endsWith(join('node_modules', '.bin')));
  return spawnSync('npm', [...args, '--loglevel=error'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, PATH: path.join(delimiter) },
  });
}

function isNode24(node) {
  const { status, stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  return status === 0 && Number.parseInt(stdout.slice(1), 10) >= 24;
}

function fail({ stdout, stderr, error }, what, remedy) {
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}${error ? `${error.message}\n` : ''}\n${what} ${remedy}\n`);
  process.exit(1);
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  setUp();
  if (process.argv.includes('--sandbox')) ensureProgram('bwrap', 'bubblewrap');
  if (process.argv.includes('--browser')) ensureProgram('chromium', 'chromium');
  if (process.argv.includes('--web') && !buildWeb()) process.exitCode = 1;
}
