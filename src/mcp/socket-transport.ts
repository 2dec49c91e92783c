import type { Socket } from 'node:net';
import { deserializeMessage, isJSONRPCRequest, isJSONRPCResponse, serializeMessage } from '@modelcontextprotocol/server';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';

const MAX_LINE_BYTES = 16 * 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * JSON-RPC messages over a socket, one per line. The other end may close its side and still gets the answers to what it
 * asked before; a line that is no message is passed over, one that is too long ends the connection.
 */
export class SocketTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #socket: Socket;
  readonly #unanswered = new Set<string | number>();
  #parts: Buffer[] = [];
  #heldBytes = 0;
  #inputEnded = false;
  #closed = false;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  async start(): Promise<void> {
    const socket = this.#socket;
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.once('end', () => {
      this.#inputEnded = true;
      this.#closeOnceAnswered();
    });
    socket.on('drain', () => socket.resume());
    socket.on('error', (error) => this.onerror?.(error));
    socket.once('close', () => this.#close());
    await Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return;
    // Who does not read the answers may not ask more.
    if (!this.#socket.write(serializeMessage(message))) this.#socket.pause();
    if (isJSONRPCResponse(message) && message.id !== undefined) this.#unanswered.delete(message.id);
    this.#closeOnceAnswered();
    await Promise.resolve();
  }

  async close(): Promise<void> {
    this.#close();
    await Promise.resolve();
  }

  #read(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0 && !this.#closed; at = chunk.indexOf(NEWLINE, from)) {
      this.#hold(chunk.subarray(from, at));
      from = at + 1;
      this.#takeLine();
    }
    this.#hold(chunk.subarray(from));
  }

  #hold(part: Buffer): void {
    if (this.#closed) return;
    this.#heldBytes += part.length;
    this.#parts.push(part);
    if (this.#heldBytes > MAX_LINE_BYTES) this.#close();
  }

  #takeLine(): void {
    if (this.#closed) return;
    const line = Buffer.concat(this.#parts).toString('utf8');
    this.#parts = [];
    this.#heldBytes = 0;
    try {
      const message = deserializeMessage(line);
      if (isJSONRPCRequest(message)) this.#unanswered.add(message.id);
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error('not a message', { cause: error }));
    }
  }

  #closeOnceAnswered(): void {
    if (this.#inputEnded && this.#unanswered.size === 0) this.#close();
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#parts = [];
    this.#socket.destroySoon();
    this.onclose?.();
  }
}
