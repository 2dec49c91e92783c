import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runForOutput } from './run-timed.ts';

/** The package as it is published, in a temporary folder. */
export type BuiltPackage = AsyncDisposable & {
  /** What the command `volley` runs. */
  readonly bin: string;
  readonly dir: string;
  /** Builds a program of the bench with the modules that it imports, beside the package; gives its path. */
  addProgram(source: URL): Promise<string>;
};

/** What the sources read at run time and the compiler leaves behind; `npm run build` copies the same. */
const COPIED = ['agents/builtin/rules', 'api/pages'];
const ROOT = join(import.meta.dirname, '..');

/** Builds the package from the sources as they are; types are somebody else's check. */
export async function buildPackage(): Promise<BuiltPackage> {
  const dir = await mkdtemp(join(tmpdir(), 'volley-bench-package-'));
  await compile('-p', join(ROOT, 'tsconfig.build.json'), '--outDir', join(dir, 'dist'));
  await Promise.all([
    cp(join(ROOT, 'bin'), join(dir, 'bin'), { recursive: true }),
    ...COPIED.map(async (path) => await cp(join(ROOT, 'src', path), join(dir, 'dist', path), { recursive: true })),
    cp(join(ROOT, 'package.json'), join(dir, 'package.json')),
    symlink(join(ROOT, 'node_modules'), join(dir, 'node_modules')),
  ]);
  return {
    bin: join(dir, 'bin', 'volley.js'),
    dir,
    addProgram: async (source) => {
      const file = fileURLToPath(source);
      const config = { extends: join(ROOT, 'tsconfig.build.json'), files: [file], include: [] };
      await writeFile(join(dir, 'tsconfig.json'), JSON.stringify(config));
      await compile('-p', dir, '--rootDir', ROOT, '--outDir', join(dir, 'programs'), '--declaration', 'false');
      return join(dir, 'programs', relative(ROOT, file)).replace(/\.ts$/, '.js');
    },
    [Symbol.asyncDispose]: async () => await rm(dir, { recursive: true, force: true }),
  };
}

async function compile(...args: readonly string[]): Promise<void> {
  await runForOutput(join(ROOT, 'node_modules', '.bin', 'tsc'), ['--noCheck', ...args], { cwd: ROOT });
}
