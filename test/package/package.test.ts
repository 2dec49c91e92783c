import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { z } from 'zod';
import { makeSample } from '../../src/app-sample.ts';
import { ListeningOutput } from '../../src/core/output.ts';
import { runCommand } from '../support/run-command.ts';

const root = join(import.meta.dirname, '..', '..');
const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];

const STRICT = {
  target: 'ES2024',
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
};

const PROGRAMS = ['examples/api/review.ts', 'test/typed/contract.ts'];

/** Where programs that use the package are compiled; a browser has no types of Node. */
const COMPILERS = {
  'for Node': { module: 'nodenext', types: ['node'], files: PROGRAMS },
  'for a bundler': { module: 'esnext', moduleResolution: 'bundler', types: ['node'], files: PROGRAMS },
  'for a browser': { module: 'esnext', moduleResolution: 'bundler', types: [], lib: ['ES2024', 'DOM'], files: PROGRAMS.slice(1) },
};

let scratch: string;
let home: string;
let version: string;

describe('the package, installed into an empty folder', () => {
  before(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'volley-package-'));
    version = z.object({ version: z.string() }).parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))).version;
    home = await installPackage();
  });

  after(async () => {
    await rm(scratch, { recursive: true, force: true });
  });

  test('volley --version prints the version of package.json', async () => {
    const volley = join(home, 'node_modules', '.bin', 'volley');
    const { exitCode, stdout, stderr } = await runCommand(process.execPath, [volley, '--version'], { cwd: home });
    assert.deepEqual({ exitCode, stdout: stdout.trim(), stderr }, { exitCode: 0, stdout: version, stderr: '' });
  });

  test('the built-in reviewer finds its engines and its rules', async () => {
    const project = join(scratch, 'project');
    await mkdir(project);
    const git = async (...args: readonly string[]): Promise<void> => void (await runCommand('git', args, { cwd: project }));
    await git('init', '--quiet');
    await git('-c', 'user.name=Test', '-c', 'user.email=test@example.invalid', 'commit', '--quiet', '--allow-empty', '-m', 'first');
    await writeFile(join(project, 'save.js'), 'items.forEach(async (item) => { await save(item); });\n');
    const args = [join(home, 'node_modules', '.bin', 'volley'), 'review', '--working-tree', '--no-record'];
    const env = { XDG_STATE_HOME: join(scratch, 'state') };
    const { exitCode, stdout, stderr } = await runCommand(process.execPath, args, { cwd: project, env });
    assert.equal(exitCode, 3, stdout + stderr);
    assert.match(stdout, /js-foreach-async/);
  });

  test('volley init names a schema that is really there', async () => {
    await runCommand('git', ['init', '--quiet'], { cwd: home });
    const env = { XDG_STATE_HOME: join(scratch, 'state') };
    const { exitCode, stderr } = await runCommand(process.execPath, [join(home, 'node_modules', '.bin', 'volley'), 'init'], {
      cwd: home,
      env,
    });
    assert.equal(exitCode, 0, stderr);
    const [first = ''] = (await readFile(join(home, 'volley.yaml'), 'utf8')).split('\n');
    const schema = await readFile(join(home, first.replace('# yaml-language-server: $schema=', '')), 'utf8');
    assert.match(schema, /"title": "Volley"/);
  });

  for (const [where, options] of Object.entries(COMPILERS)) {
    test(`its types hold in an empty TypeScript project: ${where}`, async () => {
      const project = await mkdtemp(join(home, 'typed-'));
      const { files, ...compilerOptions } = options;
      for (const file of files) await cp(join(root, file), join(project, basename(file)));
      const config = { compilerOptions: { ...STRICT, ...compilerOptions }, files: files.map((file) => basename(file)) };
      await writeFile(join(project, 'package.json'), '{"type":"module"}');
      await writeFile(join(project, 'tsconfig.json'), JSON.stringify(config));
      const { exitCode, stdout } = await runCommand(join(root, 'node_modules', '.bin', 'tsc'), [], { cwd: project });
      assert.deepEqual({ exitCode, stdout }, { exitCode: 0, stdout: '' });
    });
  }

  test('the examples of the API run against its server and print the verdict', { timeout: 120_000 }, async () => {
    await using server = await serveSample();
    const { url: _, line, programs, ...place } = server;
    const approved = await runCommand(process.execPath, [join(programs, 'review.ts'), line, 'refunds'], place);
    assert.deepEqual([approved.exitCode, approved.stderr], [0, '']);
    assert.match(
      approved.stdout,
      /^Task 1: Review refunds\n[^]*needs_work: 10 blocking findings[^]*\n✓ APPROVED by review, next: volley land 1\n$/,
    );
    const asking = await runCommand('bash', [join(programs, 'review.sh'), 'webhooks'], place);
    assert.deepEqual([asking.exitCode, asking.stderr], [1, '']);
    assert.match(asking.stdout, /^Task 2: [^]* ✗ 2\.1 high [^]*\n✗ NEEDS_DISCUSSION, next: volley decide 2 fix-manually\n$/);
    const again = await runCommand('bash', [join(programs, 'review.sh'), 'refunds'], place);
    assert.deepEqual([again.exitCode, again.stderr], [0, '']);
    assert.match(again.stdout, /\n✓ APPROVED by review, next: volley land 3\n$/);
    const nothing = await runCommand('bash', [join(programs, 'review.sh'), 'main'], place);
    assert.deepEqual([nothing.exitCode, nothing.stderr], [1, 'Nothing to review: the change does not differ from its base.\n']);
  });

  test('its server shows the web app, with all that its pages name', async () => {
    await using server = await serveSample();
    const page = await fetch(`${server.url}/`);
    assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
    const named = [...(await page.text()).matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path);
    assert.ok(named.some((path) => path.endsWith('.js')) && named.some((path) => path.endsWith('.css')), named.join(' '));
    const assets = await readdir(join(home, 'node_modules', 'volley', 'dist', 'web', 'assets'));
    for (const path of [...named, ...assets.map((name) => `/assets/${name}`)]) {
      const answer = await fetch(`${server.url}${path}`);
      assert.equal(answer.status, 200, path);
      assert.doesNotMatch(answer.headers.get('content-type') ?? '', /octet-stream|html/, path);
    }
  });

  test('it is no larger than it has to be', async () => {
    const installed = join(home, 'node_modules', 'volley');
    const files = await readdir(installed, { recursive: true, withFileTypes: true });
    const sizes = await Promise.all(files.map(async (file) => (file.isFile() ? (await stat(join(file.parentPath, file.name))).size : 0)));
    const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6;
    assert.ok(megabytes < 12, `${megabytes.toFixed(1)} MB unpacked`);
  });

  test('it holds what runs, and neither sources nor tests', async () => {
    const files = await readdir(join(home, 'node_modules', 'volley'), { recursive: true });
    const allowed = new Set(['bin', 'dist', 'schemas', 'examples', 'integrations', 'README.md', 'LICENSE', 'package.json']);
    const built = files.filter((file) => file.startsWith('dist'));
    assert.ok(built.includes(join('dist', 'cli', 'main.js')));
    for (const file of [join('api', 'pages', 'page.css'), join('web', 'index.html'), join('web', 'licenses.txt')])
      assert.ok(built.includes(join('dist', file)), file);
    for (const file of ['review.ts', 'review.sh', 'README.md']) assert.ok(files.includes(join('examples', 'api', file)), file);
    for (const file of [join('.claude-plugin', 'plugin.json'), join('hooks', 'volley-hook.sh'), join('skills', 'using-volley', 'SKILL.md')])
      assert.ok(files.includes(join('integrations', 'claude-code', file)), file);
    assert.deepEqual(
      files.filter((file) => !allowed.has(file.split('/')[0] ?? '')),
      [],
    );
    assert.deepEqual(
      built.filter((file) => file.endsWith('.map') || file.includes('.built-from')),
      [],
    );
    assert.deepEqual(
      built.filter((file) => file.includes('.test.') || (file.endsWith('.ts') && !file.endsWith('.d.ts'))),
      [],
    );
  });
});

describe('the bin on a Node that is too old', () => {
  test('it says what is wrong and what to do', async () => {
    const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.11.0' } });`;
    const args = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, join(root, 'bin', 'volley.js'), '--version'];
    const { exitCode, stdout, stderr } = await runCommand(process.execPath, args, { cwd: root });
    assert.deepEqual({ exitCode, stdout }, { exitCode: 1, stdout: '' });
    assert.match(stderr, /^Volley needs Node 24 or newer, but this is Node 20\.11\.0\.\nInstall Node 24 [^\n]+\n$/);
  });
});

type ServedSample = AsyncDisposable & {
  readonly url: string;
  /** What the server said first. */
  readonly line: string;
  /** Where the examples lie, as in a project that installed the package. */
  readonly programs: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
};

/** The sample project of the package, served by the package. */
async function serveSample(): Promise<ServedSample> {
  const demo = (name: string): string => join(home, 'node_modules', 'volley', 'examples', 'demo', name);
  const cwd = join(await mkdtemp(join(scratch, 'sample-')), 'sample');
  const branches = ['refunds', 'webhooks'].map((name) => ({ name, from: demo(name), message: name }));
  await makeSample(cwd, { from: demo('box-office'), message: 'first', branches });
  const programs = join(home, 'api');
  await cp(join(home, 'node_modules', 'volley', 'examples', 'api'), programs, { recursive: true });
  await writeFile(join(programs, 'package.json'), '{"type":"module"}');
  const folders = [join(home, 'node_modules', '.bin'), dirname(process.execPath), process.env['PATH'] ?? ''];
  const env = { PATH: folders.join(delimiter), XDG_STATE_HOME: join(scratch, 'state'), VOLLEY_CONFINE: 'copy' };
  const server = spawn(process.execPath, [join(home, 'node_modules', '.bin', 'volley'), 'serve', '--json', '--port', '0'], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [first] = await once(createInterface(server.stdout), 'line');
  const line = String(first);
  return {
    url: ListeningOutput.parse(JSON.parse(line)).url,
    line,
    programs,
    cwd,
    env,
    [Symbol.asyncDispose]: async () => {
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      assert.deepEqual(await ended, [0, null]);
    },
  };
}

/** Packs a copy of the tree, so that the checkout gets no `dist`, and gives the folder into which the tarball was installed. */
async function installPackage(): Promise<string> {
  const copy = join(scratch, 'copy');
  const left = new Set(['.git', '.volley', 'coverage', 'dist', 'node_modules']);
  await cp(root, copy, { recursive: true, filter: (path) => !left.has(relative(root, path)) });
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  await npm(copy, 'pack', '--ignore-scripts=false', '--pack-destination', scratch);
  const empty = join(scratch, 'empty');
  await mkdir(empty);
  await npm(empty, 'install', '--prefer-offline', join(scratch, `volley-${version}.tgz`));
  // What every TypeScript project for Node has beside its packages.
  await mkdir(join(empty, 'node_modules', '@types'), { recursive: true });
  await symlink(join(root, 'node_modules', '@types', 'node'), join(empty, 'node_modules', '@types', 'node'));
  return empty;
}

async function npm(cwd: string, ...args: readonly string[]): Promise<void> {
  const { exitCode, stdout, stderr } = await runCommand('npm', [...args, ...quiet], { cwd });
  assert.equal(exitCode, 0, `${stdout}${stderr}`);
}
