import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeShowcase } from '../showcase/make-showcase.ts';
import type { Story } from '../showcase/story.ts';
import { buildWeb } from '../support/built-web.ts';
import { serveWorking } from '../support/serve-working.ts';
import type { Served } from '../../src/app-serve.ts';

/** A project in which stories were played, served as `volley serve` does it; gone when it is disposed of. */
export type ServedShowcase = AsyncDisposable & {
  readonly root: string;
  readonly served: Served;
  readonly token: string;
  /** An address that lets one browser in. */
  address(): Promise<string>;
};

/** Plays these stories and serves the project; what they left to a server goes on. `held` is in a sandbox, as users have it. */
export async function serveShowcase(stories: readonly Story[], { held = false } = {}): Promise<ServedShowcase> {
  await buildWeb();
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'volley-showcase-')));
  const env = { XDG_STATE_HOME: join(folder, 'state'), XDG_CONFIG_HOME: join(folder, 'config'), VOLLEY_CONFINE: held ? '' : 'copy' };
  await mkdir(env.XDG_CONFIG_HOME);
  Object.assign(process.env, env);
  const root = await makeShowcase({ folder, stories, now: new Date() });
  const working = await serveWorking(root, env, 6);
  return {
    root,
    ...working,
    address: async () => (await working.served.addresses())[0] ?? '',
    [Symbol.asyncDispose]: async () => {
      await working[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
