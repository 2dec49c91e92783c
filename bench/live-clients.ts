import { connect } from 'node:net';
import { masked, readFrame, upgradeRequest } from '../test/support/websocket-bytes.ts';

/** Many clients of one server, which note how old each frame is when it comes; runs as a process of its own. */
const [url = '', count = '0', expected = '0'] = process.argv.slice(2);
const token = process.env['VOLLEY_TOKEN'] ?? '';
const { port, host, pathname } = new URL(url);
const MARK = Buffer.from('sent at ');
const STAMP_CHARS = 20;
const WAIT_MS = 15_000;

const agesMs: number[] = [];
let ready = 0;
let out = 0;
let sample = '';
const wanted = Number(count) * Number(expected);
const asks = pathname === '/api/live';
for (let n = 0; n < Number(count); n += 1) openClient();

function openClient(): void {
  const socket = connect(Number(port), '127.0.0.1').setNoDelay(true);
  socket.write(upgradeRequest(pathname, { host, token }));
  let bytes: Buffer = Buffer.alloc(0);
  let isOpen = false;
  socket.on('data', (chunk: Buffer) => {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
    if (!isOpen) {
      const end = bytes.indexOf('\r\n\r\n');
      if (end === -1) return;
      isOpen = true;
      bytes = bytes.subarray(end + 4);
      if (asks) socket.write(masked(Buffer.from(JSON.stringify({ type: 'subscribe', topics: ['journal'] }))));
      else countReady();
    }
    let at = 0;
    for (let frame = readFrame(bytes, at); frame !== null; frame = readFrame(bytes, at)) {
      take(bytes.subarray(frame.start, frame.end));
      at = frame.end;
    }
    bytes = bytes.subarray(at);
  });
}

function take(payload: Buffer): void {
  const mark = payload.indexOf(MARK);
  if (mark === -1) {
    if (payload.includes('"subscribed"')) countReady();
    if (payload.includes('"snapshot"')) out += 1;
    return;
  }
  const stamp = payload.toString('latin1', mark + MARK.length, mark + MARK.length + STAMP_CHARS);
  agesMs.push(Number(process.hrtime.bigint() - BigInt(stamp)) / 1e6);
  if (sample === '') sample = payload.toString('utf8');
  if (agesMs.length === wanted) finish();
}

function countReady(): void {
  ready += 1;
  if (ready < Number(count)) return;
  process.stdout.write('ready\n');
  setTimeout(finish, WAIT_MS);
}

function finish(): void {
  const sorted = agesMs.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  process.stdout.write(`${JSON.stringify({ p50: at(0.5), p99: at(0.99), missing: wanted - sorted.length, snapshots: out, sample })}\n`);
  process.exit(0);
}
