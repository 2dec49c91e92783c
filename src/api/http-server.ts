import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { refuseExpectation, refuseTunnel } from './refuse-early.ts';

/** Many more than the live channel has clients, and fewer than the files that a process may open: loops need some of these. */
const CONNECTIONS = 2048;

/** No browser asks again on a connection before the answer is there, and hardly a program does. */
const UNANSWERED = 32;

const TIMES = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  /** Longer than proxies keep a connection that nobody uses, so that they and not we close it. */
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 2000,
};

/** A server that nobody can keep busy by being slow, by holding connections, or by asking without waiting for answers. */
export function makeHttpServer(answer: RequestListener): Server {
  const unanswered = new WeakMap<Socket, number>();
  const count = (socket: Socket, change: number): number => {
    const now = (unanswered.get(socket) ?? 0) + change;
    unanswered.set(socket, now);
    return now;
  };
  const counted =
    (listener: RequestListener): RequestListener =>
    (request, response) => {
      const { socket } = request;
      // What came with what cut it off is not even looked at.
      if (socket.destroyed || count(socket, 1) > UNANSWERED) return void socket.destroy();
      response.once('close', () => count(socket, -1));
      listener(request, response);
    };
  // A request without a name is refused by the guard, like one with a wrong name.
  const server = createServer({ ...TIMES, requireHostHeader: false }, counted(answer));
  server.on('checkExpectation', counted(refuseExpectation));
  server.on('connect', refuseTunnel);
  server.maxConnections = CONNECTIONS;
  return server;
}
