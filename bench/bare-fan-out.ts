import websocket from '@fastify/websocket';
import fastify from 'fastify';

/** A server that does nothing but pass on what anybody says to everybody else; runs as a process of its own. */
type Listener = {
  send(bytes: Buffer, options: { readonly binary: boolean }): void;
  on(event: string, listener: (bytes: Buffer) => void): void;
};

const server = fastify();
await server.register(websocket, { options: { perMessageDeflate: false } });
const listeners = new Set<Listener>();
server.register(async (inner) => {
  inner.get('/listen', { websocket: true }, (socket: Listener) => {
    listeners.add(socket);
    socket.on('close', () => listeners.delete(socket));
  });
  inner.get('/speak', { websocket: true }, (socket: Listener) => {
    socket.on('message', (bytes) => {
      for (const listener of listeners) listener.send(bytes, { binary: false });
    });
  });
});
process.stdout.write(
  `${JSON.stringify({ type: 'listening', url: await server.listen({ host: '127.0.0.1', port: 0 }), tokenFile: null })}\n`,
);
