import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A git repository in a temporary folder, gone when it is disposed of. */
export type TestRepository = AsyncDisposable & {
  /** The top of its work tree, with all symbolic links resolved. */
  readonly root: string;
  /** A folder beside the repository that goes away with it, for state, homes and checkouts. */
  readonly beside: string;
  /** Writes a file, with its folders; `executable` sets its mode. */
  write(path: string, content: string | Uint8Array, options?: { readonly executable?: boolean }): Promise<void>;
  remove(path: string): Promise<void>;
  /** Stages everything and commits it, even if nothing changed; gives the commit's id. */
  commit(message?: string, files?: Files): Promise<string>;
  /** Runs git in the repository and gives what it printed, without the last newline. */
  git(...args: readonly string[]): Promise<string>;
  /** Runs git with text on its input and gives exactly what it printed. */
  gitBytes(input: string | Uint8Array, ...args: readonly string[]): Promise<Buffer>;
};

/** Paths and what stands in them. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** The identity that all test repositories commit with. */
export const TEST_IDENTITY = { name: 'Test Person', email: 'test@example.invalid' };

const home = isolateHome();

/** Makes a repository with one commit of the given files (a README by default; `{}` makes no commit). */
export async function makeRepository(options: { readonly files?: Files; readonly branch?: string } = {}): Promise<TestRepository> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'volley-test-')));
  const root = join(folder, 'project');
  await mkdir(root);
  await runGit(root, ['init', '--quiet', '--template=', `--initial-branch=${options.branch ?? 'main'}`]);
  const repository = repositoryAt(root, folder);
  const files = options.files ?? { 'README.md': '# Sample\n' };
  if (Object.keys(files).length > 0) await repository.commit('first', files);
  return repository;
}

/** The handle of a repository that exists already, such as a clone or a linked worktree; `folder` goes away with it. */
export function repositoryAt(root: string, folder: string): TestRepository {
  const repository: TestRepository = {
    root,
    beside: folder,
    async write(path, content, { executable = false } = {}) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
      if (executable) await chmod(join(root, path), 0o755);
    },
    async remove(path) {
      await rm(join(root, path), { recursive: true, force: true });
    },
    async commit(message = 'change', files = {}) {
      for (const [path, content] of Object.entries(files)) await repository.write(path, content);
      await runGit(root, ['add', '--all']);
      await runGit(root, ['commit', '--quiet', '--allow-empty', '--message', message]);
      return await repository.git('rev-parse', 'HEAD');
    },
    async git(...args) {
      return (await runGit(root, args)).toString('utf8').replace(/\n$/, '');
    },
    async gitBytes(input, ...args) {
      return await runGit(root, args, input);
    },
    async [Symbol.asyncDispose]() {
      await rm(folder, { recursive: true, force: true });
    },
  };
  return repository;
}

/** A home of the tests' own, for this whole process: the code under test must not read the config of whoever runs the tests. */
function isolateHome(): string {
  const folder = mkdtempSync(join(tmpdir(), 'volley-home-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, '.gitconfig'), `[user]\n\tname = ${TEST_IDENTITY.name}\n\temail = ${TEST_IDENTITY.email}\n`);
  process.env['HOME'] = folder;
  for (const name of Object.keys(process.env)) {
    if (name.startsWith('GIT_') || name.startsWith('XDG_')) delete process.env[name];
  }
  return folder;
}

async function runGit(cwd: string, args: readonly string[], input?: string | Uint8Array): Promise<Buffer> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, LC_ALL: 'C.UTF-8', GIT_CONFIG_NOSYSTEM: '1', GIT_ALLOW_PROTOCOL: 'file' };
  const config = ['-c', 'core.fsync=none', '-c', 'gc.auto=0', '-c', 'protocol.file.allow=always', '-c', 'advice.detachedHead=false'];
  return await new Promise<Buffer>((resolve, reject) => {
    const child = execFile('git', [...config, ...args], { cwd, env, encoding: 'buffer', maxBuffer: 1 << 30 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`git ${args.join(' ')}: ${stderr.toString('utf8').trim() || error.message}`, { cause: error }));
    });
    // Git may close its input early; its exit code says what that means.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}
