import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { bin, ensureProgram, node24, root, setUp } from './setup.mjs';

/** Agents that only tests need; they are run unmodified and never shipped. The hashes are those of their packages as npm delivers them. */
const AGENTS = [
  {
    variable: 'VOLLEY_CLAUDE',
    name: '@anthropic-ai/claude-code',
    version: '2.1.325',
    program: 'claude',
    /** Puts the program of this platform in its place; run by us, because npm need not do it. */
    install: 'install.cjs',
    integrity: {
      '@anthropic-ai/claude-code': 'sha512-OUxCb0sx734zJh9zGTP9oF01gZ44DCGFaw7hgD4byepjRRGyvHzgUOwC7dlCgVIljV6CiEVDjq+anY3GUvKFQw==',
      '@anthropic-ai/claude-code-linux-x64':
        'sha512-BqZzMvP/zgLLL34S+7OzbG+cyoFp7gwWHU5koVwsyMlTAz+0zZAmbY+UkzvtN2RXxp6AcMenbYIjQJxoXfUY3w==',
    },
  },
  {
    variable: 'VOLLEY_CODEX',
    name: '@openai/codex',
    version: '0.166.0',
    program: 'codex',
    install: null,
    integrity: {
      '@openai/codex': 'sha512-2Szlp1l1cz5TX1ccpX4Zok3DZrot9xeZe0km+6/1v8JmqxADwyJxKBJah4dBymkwtS25j/u6dipJusTOI97Z8Q==',
      '@openai/codex-linux-x64': 'sha512-CxDm3+D1cpbGJeHrdzINoG+3wn9BVncP4qpZaaNYkxe8iPtRJOYyCJnnPoVjWRIBvI9vPKbRoifsMSA5xDaUpw==',
    },
  },
];

setUp();
// What agents are held by, and what makes the certificates of a provider that is none.
ensureProgram('bwrap', 'bubblewrap');
ensureProgram('openssl', 'openssl');
process.exitCode = runTests();

function runTests() {
  const env = { ...process.env };
  for (const agent of AGENTS) {
    const path = fetchAgent(agent);
    if (path === null) return 1;
    env[agent.variable] = path;
  }
  const options = ['--test-concurrency=2', '--test-timeout=240000', '--test-reporter=./scripts/test-reporter.mjs'];
  const { status, error } = spawnSync(node24, ['--test', ...options, 'test/agents/*.test.ts'], { cwd: root, stdio: 'inherit', env });
  if (error !== undefined) process.stderr.write(`${error.message}\n\nNode 24 could not be started. Remove node_modules and try again.\n`);
  return status ?? 1;
}

/** The path of an agent's program, which is installed unless it lies in the cache already; null, and the reason said, if that fails. */
function fetchAgent(agent) {
  const { name, version, program } = agent;
  const cache = resolve(process.env.VOLLEY_TOOLS || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'volley-tools'));
  const home = join(cache, `${name.replace('@', '').replace('/', '-')}-${version}`);
  const path = join(home, 'node_modules', '.bin', program);
  if (existsSync(path)) return path;
  process.stderr.write(`Fetching ${name} ${version} (once)…\n`);
  try {
    mkdirSync(cache, { recursive: true });
    const scratch = mkdtempSync(join(cache, '.fetch-'));
    try {
      // The scratch folder itself is closed to other users, whom a test may run as.
      const folder = join(scratch, 'agent');
      mkdirSync(folder);
      install(agent, folder);
      renameSync(folder, home);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  } catch (error) {
    // Another process may have been faster: a folder cannot be renamed to one that is full.
    if (existsSync(path)) return path;
    const remedy = `Check the network and the free space in ${cache}, or name another folder in VOLLEY_TOOLS, then try again.`;
    process.stderr.write(`${error.message.trimEnd()}\n\n${name} could not be fetched. ${remedy}\n`);
    return null;
  }
  return path;
}

/** Installs an agent into a folder. npm runs on Node 24: on an older one it silently takes an older version of what asks for more. */
function install({ name, version, program, install: script, integrity }, folder) {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  run('npm', ['install', `${name}@${version}`, '--save-exact', '--prefix', folder, ...quiet], folder);
  const { packages } = JSON.parse(readFileSync(join(folder, 'node_modules', '.package-lock.json'), 'utf8'));
  for (const [wanted, hash] of Object.entries(integrity)) {
    const found = packages[`node_modules/${wanted}`];
    if (found !== undefined && found.integrity !== hash) {
      throw new Error(`The package ${wanted} is not the one that was examined: its hash is ${found.integrity}.`);
    }
  }
  if (script !== null) run(node24, [join(folder, 'node_modules', name, script)], folder);
  const said = run(join(folder, 'node_modules', '.bin', program), ['--version'], folder);
  if (!said.includes(version)) throw new Error(`${program} says that it is ${said.trim()}, not ${version}.`);
}

function run(command, args, cwd) {
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` };
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8', env });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${stdout}${stderr}`);
  return stdout;
}
