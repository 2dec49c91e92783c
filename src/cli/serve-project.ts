import { createInterface } from 'node:readline';
import type { App } from '../app.ts';
import { serveProject } from '../app-serve.ts';
import type { Served } from '../app-serve.ts';
import { startWorker } from '../app-worker.ts';
import type { Worker } from '../app-worker.ts';
import { VolleyError } from '../core/errors.ts';
import type { ListeningOutput } from '../core/output.ts';
import { redact } from '../core/secrets.ts';
import type { Io } from './command.ts';
import { canAsk, stopOnSignals } from './drive.ts';
import type { Stop } from './drive.ts';
import { clean, columns, paint } from './print.ts';
import { readVersion } from '../lib/version.ts';

/** How somebody wants a project to be served. */
export type Wanted = {
  readonly port: number | null;
  readonly allowedHosts: readonly string[];
  /** How many tasks are driven at once; none where it is 0. */
  readonly slots: number;
  readonly newToken: boolean;
};

/** Serves a project until somebody stops it, drives what is pending meanwhile, and tells where it is. */
export async function serveUntilStopped(app: App, { slots, ...wanted }: Wanted, io: Io): Promise<number> {
  const stop = stopOnSignals(io, () => null);
  const strays = hearStrays(stop, io);
  try {
    const served = await serveProject(app, {
      ...wanted,
      works: slots > 0,
      version: readVersion(),
      broke: (error) => tellError(error, null, io),
    });
    let worker: Worker | null = null;
    try {
      if (!stop.signal.aborted) await tellAddress(served, io);
      // What it says about its work stands below the address.
      if (slots > 0) worker = startWorker(app, { slots, broke: (error, id) => tellError(error, id, io) });
      await goOnUntil(stop.signal, served, io);
    } finally {
      await Promise.all([served.close(), worker?.stop()]);
      // Whatever a request left behind, a slow git for example, must not hold the process.
      setTimeout(() => process.exit(), LEAVE_MS).unref();
    }
    return strays.isBroken() ? 1 : 0;
  } finally {
    strays.release();
    stop.release();
  }
}

const LEAVE_MS = 2000;

/**
 * Errors that nobody caught are told like all others. A promise that failed unheard broke nothing else, so the server goes on; after an
 * exception nobody knows what was left half done in memory, so it stops in order, and what the journal holds goes on at the next start.
 */
function hearStrays(stop: Stop, io: Io): { isBroken(): boolean; release(): void } {
  let isBroken = false;
  const onRejection = (error: unknown): void => tellError(error, null, io);
  const onException = (error: unknown): void => {
    tellError(error, null, io);
    // It does not even stop in order.
    if (isBroken) process.exit(1);
    isBroken = true;
    stop.end();
  };
  process.on('unhandledRejection', onRejection).on('uncaughtException', onException);
  return {
    isBroken: () => isBroken,
    release: () => void process.off('unhandledRejection', onRejection).off('uncaughtException', onException),
  };
}

async function goOnUntil(signal: AbortSignal, served: Served, io: Io): Promise<void> {
  if (signal.aborted) return;
  const asking = canAsk(io) ? offerAddresses(served, io) : null;
  await new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener('abort', resolve);
  });
  asking?.close();
}

/** A mistake says what to do about it; a bug says where it is. Neither shows a secret. */
function tellError(error: unknown, id: number | null, io: Io): void {
  const words =
    error instanceof VolleyError
      ? `${error.message} ${error.remedy}`
      : error instanceof Error
        ? (error.stack ?? error.message)
        : String(error);
  io.err(`${paint(io, 'red', 'error:')} ${clean(redact(id === null ? words : `Task ${id}: ${words}`))}`);
}

async function tellAddress(served: Served, io: Io): Promise<void> {
  const { url, tokenFile, agentTokenFile } = served;
  io.object({ type: 'listening', v: 1, url, tokenFile, agentTokenFile, pid: process.pid } satisfies ListeningOutput);
  if (io.json) return;
  const [address = '', ...others] = await served.addresses();
  const rows = [
    ['open', `${address}  ${paint(io, 'dim', 'works once, for ten minutes')}`],
    ...others.map((other) => ['or', other]),
    ['API', `${url}/api/docs`],
    ['token', tokenFile],
    ['agents', `${url}/mcp  ${paint(io, 'dim', 'with the token in')} ${agentTokenFile}`],
  ];
  io.out(`Volley serves this project at ${paint(io, 'bold', url)}`);
  io.out('');
  for (const line of columns(rows.map(([name = '', value = '']) => [`  ${paint(io, 'dim', name)}`, value]))) io.out(line);
  io.out('');
  io.out(`${canAsk(io) ? 'Enter prints a new address for another browser. ' : ''}Ctrl-C stops it; loops go on at the next start.`);
}

/** Each address lets one browser in, so whoever has another one needs another. */
function offerAddresses(served: Served, io: Io): { close(): void } {
  const lines = createInterface({ input: process.stdin });
  lines.on('line', () => {
    served.addresses().then(
      (addresses) => addresses.forEach((address) => io.out(`  ${address}`)),
      (error: unknown) => io.err(String(error)),
    );
  });
  return lines;
}
