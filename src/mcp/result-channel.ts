import { once } from 'node:events';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Inbox } from '../engine/inbox.ts';

/** The way to an inbox that is open while its session runs. */
export type ResultChannel = {
  /** How to start the bridge, which speaks MCP on its stdio: program, file, socket. */
  readonly bridge: readonly string[];
  /** Ends every connection and removes the socket; nothing reaches the inbox afterwards. */
  close(): Promise<void>;
};

/** A socket's address holds 104 bytes on macOS and 108 on Linux. */
const MAX_PATH_BYTES = 100;
const MAX_CONNECTIONS = 32;

/**
 * Listens for the tool calls of one session: on this socket, or on one in a folder of our own where the path is too long
 * or its folder open to others.
 */
export async function serveInbox(inbox: Inbox, socketPath: string): Promise<ResultChannel> {
  const place = await findPlace(socketPath);
  let open = true;
  const guarded: Inbox = { ...inbox, submit: (call) => (open ? inbox.submit(call) : 'This session has ended.') };
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    void serve(guarded, socket);
  });
  server.maxConnections = MAX_CONNECTIONS;
  const close = async (): Promise<void> => {
    open = false;
    const closed = server.listening ? once(server, 'close') : null;
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
    await place.remove();
  };
  try {
    await listen(server, place.path);
  } catch (error) {
    await place.remove();
    throw new Error(`cannot listen on ${place.path}`, { cause: error });
  }
  return { bridge: [process.execPath, bridgeFile(), place.path], close };
}

async function serve(inbox: Inbox, socket: Socket): Promise<void> {
  // Whoever breaks a connection has lost it; its end is seen by the transport.
  socket.on('error', () => undefined);
  // The protocol takes a tenth of a second to load, which is spared where no agent uses the channel.
  const { serveConnection } = await import('./serve-connection.ts');
  if (!socket.destroyed) serveConnection(inbox, socket);
}

async function listen(server: Server, path: string): Promise<void> {
  await rm(path, { force: true });
  server.listen(path);
  await once(server, 'listening');
  // A connection that cannot be accepted is the client's loss.
  server.on('error', () => undefined);
  await chmod(path, 0o600);
}

type Place = { readonly path: string; readonly remove: () => Promise<void> };

async function findPlace(path: string): Promise<Place> {
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES && (await isPrivate(dirname(path))))
    return { path, remove: async () => await rm(path, { force: true }) };
  const parent = Buffer.byteLength(tmpdir()) < MAX_PATH_BYTES / 2 ? tmpdir() : '/tmp';
  const folder = await mkdtemp(join(parent, 'volley-'));
  return { path: join(folder, 'socket'), remove: async () => await rm(folder, { recursive: true, force: true }) };
}

async function isPrivate(folder: string): Promise<boolean> {
  return ((await stat(folder)).mode & 0o077) === 0;
}

/** The bridge beside this file: a source in development, compiled in the package. */
function bridgeFile(): string {
  return fileURLToPath(new URL(`bridge${extname(import.meta.url)}`, import.meta.url));
}
