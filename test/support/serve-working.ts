import { readFile } from 'node:fs/promises';
import { openApp } from '../../src/app.ts';
import { serveProject } from '../../src/app-serve.ts';
import type { Served } from '../../src/app-serve.ts';
import { startWorker } from '../../src/app-worker.ts';

/** A project that is served in this process, which drives what is asked for, as `volley serve` does. */
export type Working = AsyncDisposable & { readonly served: Served; readonly token: string };

/** Serves the project of a folder, with these variables of the environment, and drives what is asked for, so many loops at once. */
export async function serveWorking(cwd: string, env: Readonly<Record<string, string | undefined>>, slots = 2): Promise<Working> {
  for (const name of ['XDG_STATE_HOME', 'XDG_CONFIG_HOME', 'VOLLEY_CONFINE']) if (env[name] !== undefined) process.env[name] = env[name];
  const broke = (error: unknown): void => void process.stderr.write(`${String(error)}\n`);
  const app = await openApp({ cwd, report: () => undefined });
  const served = await serveProject(app, { port: 0, allowedHosts: [], works: true, version: 'test', broke });
  const worker = startWorker(app, { slots, broke });
  return {
    served,
    token: (await readFile(served.tokenFile, 'utf8')).trim(),
    [Symbol.asyncDispose]: async () => {
      await served.close();
      await worker.stop();
      await app.close();
    },
  };
}
