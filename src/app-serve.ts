import { mkdir, rm } from 'node:fs/promises';
import { liveDoor } from './api/live.ts';
import { mcpDoor } from './api/mcp-door.ts';
import { describeApi } from './api/openapi.ts';
import { docsDoor } from './api/docs-door.ts';
import { webDoor } from './api/web-app.ts';
import { openServer } from './api/server.ts';
import type { Listening } from './api/server.ts';
import { routesOf } from './api/routes.ts';
import type { App } from './app.ts';
import { openDesk } from './app-desk.ts';
import { findRunning, newAddresses, recordRunning, servedAlready, serverFiles } from './app-server-record.ts';
import { VolleyError } from './core/errors.ts';
import { openErrands } from './lib/errands.ts';
import { withLock } from './lib/lock.ts';
import { openRevoked } from './lib/revoked-file.ts';
import { readOrMakeToken } from './lib/token-file.ts';
import { openHttpControl } from './mcp/http-control.ts';

/** How a project is served. */
export type Serving = {
  /** 0 takes a free one; null the usual one, or a free one where that is taken. */
  readonly port: number | null;
  readonly allowedHosts: readonly string[];
  /** Every program, agent and browser has to log in again. */
  readonly newToken?: boolean;
  /** Whether this process drives what is pending. */
  readonly works: boolean;
  readonly version: string;
  readonly broke: (error: unknown) => void;
};

/** A project that is served, and where its tokens lie. */
export type Served = Listening & {
  readonly tokenFile: string;
  /** Of the token that opens the door for agents alone. */
  readonly agentTokenFile: string;
  /** A new address, by which one browser gets in, once; behind it the same by the names of proxies. */
  addresses(): Promise<readonly string[]>;
};

const USUAL_PORT = 4780;

/** Serves an open project on the loopback address; one process does so at a time. */
export async function serveProject(app: App, serving: Serving): Promise<Served> {
  const { key } = app.project;
  const files = serverFiles(key);
  await mkdir(files.folder, { recursive: true, mode: 0o700 });
  return await withLock(files.lock, async () => {
    await refuseSecond(key);
    if (serving.newToken === true) for (const file of [files.token, files.agentToken]) await rm(file, { force: true });
    const [token, agentToken] = [await readOrMakeToken(files.token), await readOrMakeToken(files.agentToken)];
    const describe = describeApi(serving.version);
    const about = { version: serving.version, startedAt: app.engine.now(), works: serving.works, describe };
    const desk = openDesk(app);
    const handlers = routesOf(desk, about);
    const revoked = openRevoked(files.revoked, () => Date.now());
    // Anew for each port that is tried: what belongs to a server ends with it.
    const open = async (port: number): Promise<Listening> => {
      const errands = openErrands();
      const control = openHttpControl({
        open: async () => await Promise.resolve(desk),
        workTree: app.project.currentWorktree,
        errands,
        ...serving,
      });
      const doors = [webDoor(), docsDoor(describe), liveDoor(desk, serving), mcpDoor(control)];
      return await openServer({ ...serving, token, agentToken, revoked, handlers, doors, errands, port });
    };
    const listening = await listen(open, serving.port);
    const takeBack = await recordRunning(key, listening.url).catch(async (error: unknown) => {
      await listening.close();
      throw error;
    });
    return {
      ...listening,
      tokenFile: files.token,
      agentTokenFile: files.agentToken,
      addresses: async () => await newAddresses(key, listening),
      close: async () => {
        await takeBack();
        await listening.close();
      },
    };
  });
}

async function refuseSecond(key: string): Promise<void> {
  const running = await findRunning(key);
  if (running !== null) throw servedAlready(running);
}

/** Nobody who named no port cares which one it is. */
async function listen(on: (port: number) => Promise<Listening>, port: number | null): Promise<Listening> {
  if (port !== null) return await on(port);
  try {
    return await on(USUAL_PORT);
  } catch (error) {
    if (error instanceof VolleyError && error.code === 'busy') return await on(0);
    throw error;
  }
}
