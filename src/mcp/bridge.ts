import { connect } from 'node:net';

/**
 * Relays bytes between its own stdio and a unix socket: `node bridge.js SOCKET`. It runs inside the sandbox and stands
 * alone: it imports nothing of ours, and knows nothing of what it carries.
 */

/** How long the other end has to answer what is open once our input has ended. */
const LAST_ANSWERS_MS = 5_000;

const path = process.argv[2] ?? '';
const socket = connect({ path, allowHalfOpen: true });
let connected = false;

socket.once('connect', () => {
  connected = true;
  process.stdin.pipe(socket);
  socket.pipe(process.stdout, { end: false });
});
socket.once('end', () => socket.destroySoon());
socket.on('error', (error) => {
  if (!connected) process.stderr.write(`The result channel ${path} cannot be reached: ${error.message}\n`);
});
socket.once('close', () => process.stdout.write('', () => process.exit(connected ? 0 : 1)));
process.stdin.once('end', () => setTimeout(() => socket.destroy(), LAST_ANSWERS_MS).unref());
process.stdin.once('error', () => socket.destroy());
process.stdout.once('error', () => process.exit(0));
