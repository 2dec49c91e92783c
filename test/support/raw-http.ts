import { connect } from 'node:net';

/** An answer as it came over the wire. */
export type RawAnswer = { readonly status: number | null; readonly head: string; readonly body: string };

/** Sends lines over a socket of its own, exactly as they are, and reads what comes back; a closed connection without an answer has no status. */
export async function sendRaw(port: number, lines: readonly string[], body = ''): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1');
  const text = await new Promise<string>((resolve, reject) => {
    let read = '';
    const limit = setTimeout(() => socket.destroy(), 5_000);
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      read += chunk;
      if (isWhole(read)) socket.end();
    });
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(read) : reject(error),
    );
    socket.on('close', () => {
      clearTimeout(limit);
      resolve(read);
    });
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  });
  const end = text.indexOf('\r\n\r\n');
  const head = end < 0 ? text : text.slice(0, end);
  const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1];
  return { status: status === undefined ? null : Number(status), head, body: end < 0 ? '' : text.slice(end + 4) };
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = /content-length: (\d+)/i.exec(text.slice(0, end))?.[1];
  // An upgrade has no body; whoever asks for one sees its status and leaves.
  return length === undefined ? text.startsWith('HTTP/1.1 101') : Buffer.byteLength(text.slice(end + 4)) >= Number(length);
}
