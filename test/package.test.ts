import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { z } from 'zod';
import { runCommand } from './support/run-command.ts';

const root = join(import.meta.dirname, '..');
const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
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

  test('it holds what runs, and neither sources nor tests', async () => {
    const files = await readdir(join(home, 'node_modules', 'volley'), { recursive: true });
    const allowed = new Set(['bin', 'dist', 'schemas', 'examples', 'integrations', 'README.md', 'LICENSE', 'package.json']);
    const built = files.filter((file) => file.startsWith('dist'));
    assert.ok(built.includes(join('dist', 'cli', 'main.js')));
    for (const file of [join('.claude-plugin', 'plugin.json'), join('hooks', 'volley-hook.sh'), join('skills', 'using-volley', 'SKILL.md')])
      assert.ok(files.includes(join('integrations', 'claude-code', file)), file);
    assert.deepEqual(
      files.filter((file) => !allowed.has(file.split('/')[0] ?? '')),
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
  return empty;
}

async function npm(cwd: string, ...args: readonly string[]): Promise<void> {
  const { exitCode, stdout, stderr } = await runCommand('npm', [...args, ...quiet], { cwd });
  assert.equal(exitCode, 0, `${stdout}${stderr}`);
}
