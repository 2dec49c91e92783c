import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { node24, root, setUp } from './setup.mjs';

/** A program that only tests need, too big to be a dependency; the hash is that of its package as npm delivers it. */
const VALIDATOR = {
  name: '@microsoft/sarif-multitool-linux',
  version: '5.7.0',
  program: 'Sarif.Multitool',
  sha512:
    '37151ba6ae884825a84d0fcd7ce604c040caab51de91afeb3282794792ccc9d7006505ff5fb8399961dc8310ee6fed0cd3b2c2f7ab59e4b647bc5d50cb78234c',
};

if (process.platform !== 'linux' || process.arch !== 'x64') {
  process.stdout.write(`The SARIF validator does not exist for ${process.platform} on ${process.arch}, so nothing was validated.\n`);
  process.exit(0);
}

setUp();
process.exitCode = runTests();

function runTests() {
  const validator = fetchTool(VALIDATOR);
  if (validator === null) return 1;
  const args = ['--test', '--test-timeout=240000', '--test-reporter=./scripts/test-reporter.mjs', 'test/tools/*.test.ts'];
  const env = { ...process.env, VOLLEY_SARIF_VALIDATOR: validator };
  const { status, error } = spawnSync(node24, args, { cwd: root, stdio: 'inherit', env });
  if (error !== undefined) process.stderr.write(`${error.message}\n\nNode 24 could not be started. Remove node_modules and try again.\n`);
  return status ?? 1;
}

/** The path of a tool's program, which is fetched unless it lies in the cache already; null, and the reason said, if that fails. */
function fetchTool({ name, version, program, sha512 }) {
  const cache = resolve(process.env.VOLLEY_TOOLS || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'volley-tools'));
  const home = join(cache, `${name.replace('@', '').replace('/', '-')}-${version}`);
  if (existsSync(join(home, program))) return join(home, program);
  process.stderr.write(`Fetching ${name} ${version} (once)…\n`);
  try {
    mkdirSync(cache, { recursive: true });
    const scratch = mkdtempSync(join(cache, '.fetch-'));
    try {
      unpack({ name, version, sha512 }, scratch);
      chmodSync(join(scratch, 'package', program), 0o755);
      renameSync(join(scratch, 'package'), home);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  } catch (error) {
    // Another process may have been faster: a folder cannot be renamed to one that is full.
    if (existsSync(join(home, program))) return join(home, program);
    const remedy = `Check the network and the free space in ${cache}, or name another folder in VOLLEY_TOOLS, then try again.`;
    process.stderr.write(`${error.message.trimEnd()}\n\n${name} could not be fetched. ${remedy}\n`);
    return null;
  }
  return join(home, program);
}

/** Puts the files of a package into a folder, as `package`. */
function unpack({ name, version, sha512 }, folder) {
  run('npm', ['pack', `${name}@${version}`, '--pack-destination', folder, '--ignore-scripts', '--loglevel=error']);
  const archive = join(folder, readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? '');
  const found = createHash('sha512').update(readFileSync(archive)).digest('hex');
  if (found !== sha512) throw new Error(`The package is not the one that was examined: its SHA-512 is ${found}.`);
  run('tar', ['xzf', archive, '-C', folder]);
}

function run(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${stdout}${stderr}`);
}
