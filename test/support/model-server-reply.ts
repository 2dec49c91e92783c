import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { ModelCall } from './model-server-calls.ts';

/** A piece of an answer. */
export type Piece = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'think'; readonly text: string } | ModelCall;

/** An answer to be written, and how. */
export type Reply = {
  readonly response: ServerResponse;
  readonly model: string;
  readonly stream: boolean;
  readonly pieces: readonly Piece[];
  readonly usage: { readonly input: number; readonly output: number; readonly cached: number; readonly reasoning: number };
  readonly chunk: number;
  readonly chunkMs: number;
  /** The connection is dropped in the middle. */
  readonly cut: boolean;
};

/** Answers with one JSON document. */
export function writeJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Begins a stream of events and gives the way to send one. */
export function openStream(response: ServerResponse): (data: object, event?: string) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', connection: 'keep-alive' });
  return (data, event) => void response.write(`${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`);
}

/** The name of the tool that is called. */
export function nameOf(call: ModelCall): string {
  return call.kind === 'search' ? 'tool_search' : call.name;
}

/** The arguments of a call where a protocol takes nothing else. */
export function objectInput(call: ModelCall): object {
  if (call.kind === 'search') return { query: call.query };
  return typeof call.input === 'string' ? { input: call.input } : call.input;
}

/** All texts of one kind. */
export function textOf(pieces: readonly Piece[], kind: 'text' | 'think'): string {
  return pieces.flatMap((piece) => (piece.kind === kind ? [piece.text] : [])).join('\n');
}

/** A text in pieces of this size. */
export function chunks(text: string, size: number): string[] {
  const all: string[] = [];
  for (let from = 0; from < text.length; from += size) all.push(text.slice(from, from + size));
  return all.length > 0 ? all : [''];
}

/** A new id. */
export function id(prefix: string): string {
  return prefix + randomBytes(12).toString('hex');
}

/** Now, as the protocols write it. */
export function seconds(): number {
  return Math.floor(Date.now() / 1000);
}
