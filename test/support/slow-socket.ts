import { connect } from 'node:net';
import { ServerFrame } from '../../src/api/contract/live.ts';
import type { ClientFrame } from '../../src/api/contract/live.ts';
import type { LivePlace } from './live-listener.ts';
import { masked, readFrame, upgradeRequest } from './websocket-bytes.ts';

/** A client of the live channel that takes bytes only when it is told to, and speaks the protocol by hand. */
export type SlowSocket = {
  /** Takes what has come since it was opened, until a frame is accepted. */
  take(check: (frame: ServerFrame) => boolean): Promise<readonly ServerFrame[]>;
  /** Takes nothing more. */
  stop(): void;
  close(): void;
};

/** Opens the live channel, says one thing, and then takes nothing. */
export async function openSlowly({ url, token }: LivePlace, said: ClientFrame): Promise<SlowSocket> {
  const { port, host } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(upgradeRequest('/api/live', { host, token }));
  let bytes = Buffer.alloc(0);
  let look = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    look = () => {
      const end = bytes.indexOf('\r\n\r\n');
      if (end === -1) return;
      bytes = bytes.subarray(end + 4);
      resolve();
    };
  });
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    look();
  });
  await opened;
  socket.write(masked(Buffer.from(JSON.stringify(said))));
  socket.pause();
  const frames: ServerFrame[] = [];
  return {
    take: async (check) =>
      await new Promise((resolve) => {
        look = () => {
          for (let frame = readFrame(bytes); frame !== null; frame = readFrame(bytes)) {
            if (frame.isText) frames.push(ServerFrame.parse(JSON.parse(bytes.toString('utf8', frame.start, frame.end))));
            bytes = bytes.subarray(frame.end);
          }
          if (frames.some(check)) resolve(frames);
        };
        look();
        socket.resume();
      }),
    stop: () => void socket.pause(),
    close: () => void socket.destroy(),
  };
}
