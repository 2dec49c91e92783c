import { randomBytes } from 'node:crypto';

/** What a client sends to open a WebSocket. */
export function upgradeRequest(path: string, { host, token }: { readonly host: string; readonly token: string }): string {
  const key = randomBytes(16).toString('base64');
  return (
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
    `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`
  );
}

/** What a client says has to be masked; a mask of zeros is one too. */
export function masked(payload: Buffer): Buffer {
  return clientFrame(payload);
}

/** One frame of a client, text that is whole unless something else is said. */
export function clientFrame(payload: Buffer, { opcode = 1, isLast = true } = {}): Buffer {
  const isLong = payload.length > 0xffff;
  // Control frames may only be short, and then their length is told in one byte.
  const isShort = opcode >= 8;
  const head = Buffer.alloc(isShort ? 6 : isLong ? 14 : 8);
  head.writeUInt8((isLast ? 0x80 : 0) | opcode, 0);
  head.writeUInt8(0x80 | (isShort ? payload.length : isLong ? 127 : 126), 1);
  if (isLong) head.writeBigUInt64BE(BigInt(payload.length), 2);
  else if (!isShort) head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}

/** The first whole frame at an offset: where its payload begins, where it ends, and whether that is text; null where more has to come. */
export function readFrame(bytes: Buffer, at = 0): { readonly start: number; readonly end: number; readonly isText: boolean } | null {
  if (bytes.length < at + 2) return null;
  const short = bytes.readUInt8(at + 1) & 0x7f;
  const start = at + (short === 126 ? 4 : short === 127 ? 10 : 2);
  if (bytes.length < start) return null;
  const size = short === 126 ? bytes.readUInt16BE(at + 2) : short === 127 ? Number(bytes.readBigUInt64BE(at + 2)) : short;
  if (bytes.length < start + size) return null;
  return { start, end: start + size, isText: (bytes.readUInt8(at) & 0x0f) === 1 };
}
