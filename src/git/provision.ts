import { createHash } from 'node:crypto';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { createServer } from 'node:net';
import { isAbsolute, join, normalize, relative } from 'node:path';
import { fewAtOnce } from '../lib/few-at-once.ts';
import { isInside, readKept, writePlainFile } from './kept-files.ts';

/** What provisioning did: paths that must stay out of commits, and what could not be copied, in words. */
export type Provisioned = { readonly paths: readonly string[]; readonly warnings: readonly string[] };

/** Copies files that are not part of the repository, such as `.env`, from the user's work tree into a checkout. */
export async function provision(input: {
  readonly from: string;
  readonly to: string;
  readonly paths: readonly string[];
}): Promise<Provisioned> {
  const results = await Promise.all(input.paths.map(async (path) => await copyPath(input.from, input.to, path)));
  return {
    paths: results.flatMap((result) => (result.warning === null ? [result.path] : [])),
    warnings: results.flatMap((result) => (result.warning === null ? [] : [result.warning])),
  };
}

async function copyPath(from: string, to: string, asked: string): Promise<{ readonly path: string; readonly warning: string | null }> {
  const path = normalize(asked).replace(/\/$/, '');
  if (isAbsolute(path) || path.split('/').some((part) => part === '..' || part === '.git') || path === '.') {
    return { path, warning: `'${asked}' was not copied: it is not a path inside the project.` };
  }
  const real = await realpath(join(from, path)).catch(() => null);
  if (real === null) return { path, warning: `'${asked}' was not copied: there is no such file.` };
  const root = await realpath(from);
  if (!isInside(root, real)) return { path, warning: `'${asked}' was not copied: it leads out of the project.` };
  const files = await listFiles(real);
  const kept = await readKept(
    root,
    files.map((file) => relative(root, file)),
  );
  const placed = await fewAtOnce(kept, async (file) => {
    return await writePlainFile(to, { ...file, path: join(path, relative(real, join(root, file.path))) });
  });
  return { path, warning: placed.every(Boolean) ? null : `'${asked}' was not copied: its place in the checkout leads elsewhere.` };
}

async function listFiles(path: string): Promise<string[]> {
  if (!(await lstat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Ten ports side by side for what the gates and agents of one loop start. */
export type PortRange = { readonly first: number; readonly last: number };

const RANGE_SIZE = 10;
const FIRST_PORT = 20_000;
/** Below the ports that systems hand out by themselves. */
const RANGES = 1_000;

/** Finds a range of ports that are free now; the same loop gets the same one as long as nobody else took it. */
export async function findPorts(loop: string): Promise<PortRange> {
  const start = createHash('sha256').update(loop).digest().readUInt32BE() % RANGES;
  for (let i = 0; i < RANGES; i += 1) {
    const first = FIRST_PORT + ((start + i) % RANGES) * RANGE_SIZE;
    const free = await Promise.all(Array.from({ length: RANGE_SIZE }, async (_, n) => await isFree(first + n)));
    if (free.every(Boolean)) return { first, last: first + RANGE_SIZE - 1 };
  }
  throw new Error('no free range of ports was found');
}

/** The range as the programs of a loop see it. */
export function portEnvironment({ first, last }: PortRange): Record<string, string> {
  return { VOLLEY_PORT: String(first), VOLLEY_PORT_END: String(last) };
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
