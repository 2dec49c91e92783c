import { randomBytes } from 'node:crypto';
import { closeSync, constants, openSync, realpathSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Profile } from './confinement.ts';
import { loopbackHosts } from './host-list.ts';
import type { Mount } from './mounts.ts';
import { startProxy } from './proxy.ts';
import type { Variables } from './variables.ts';

/** A sandbox's way out: what it finds inside, and what is started before its program. */
export type Way = {
  readonly mounts: readonly Mount[];
  readonly launcher: readonly string[];
  close(): Promise<void>;
};

/** Where a sandbox finds the socket of its proxy. */
const SOCKET = '/run/volley/proxy';

/** Opens the way out that a profile allows; there is nothing to open where it allows none, or all. */
export async function openWay({ network, folder }: Pick<Profile, 'network' | 'folder'>, user: Variables): Promise<Way> {
  if (network.mode !== 'provider' && network.mode !== 'public') return { mounts: [], launcher: [], close: async () => undefined };
  const place = socketPlace(folder);
  const proxy = await startProxy({ socketPath: place.shortPath, network, user }).catch((error: unknown) => {
    place.release();
    throw new Error(`no proxy can listen in ${folder}`, { cause: error });
  });
  const end = async (): Promise<void> => {
    await proxy.close();
    place.release();
  };
  // A descriptor that is closed twice may be somebody else's by then.
  let ending: Promise<void> | null = null;
  const gateway = realpathSync(gatewayFile());
  return {
    mounts: [
      { kind: 'write', path: SOCKET, source: place.path },
      { kind: 'read', path: gateway, source: gateway },
    ],
    launcher: [process.execPath, gateway, SOCKET, ...loopbackHosts(network.hosts ?? []), '--'],
    close: async () => await (ending ??= end()),
  };
}

/** A socket in the session's folder, and a name for it that is short, however long that of the folder is: an address holds 108 bytes. */
function socketPlace(folder: string): { readonly path: string; readonly shortPath: string; readonly release: () => void } {
  const name = `proxy-${randomBytes(4).toString('hex')}`;
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  return { path: join(folder, name), shortPath: `/proc/self/fd/${descriptor}/${name}`, release: () => closeSync(descriptor) };
}

/** The gateway beside this file: a source in development, compiled in the package. */
function gatewayFile(): string {
  return fileURLToPath(new URL(`gateway${extname(import.meta.url)}`, import.meta.url));
}
