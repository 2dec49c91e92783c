import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { VolleyError } from '../core/errors.ts';
import { makeControl } from './control.ts';
import type { Control } from './control.ts';

/** Tools that are served on standard input and output. */
export type StdioControl = {
  /** Settled when the connection is over: null if it came to its end, else why it was given up. */
  readonly closed: Promise<VolleyError | null>;
  close(): Promise<void>;
};

const MOST_MEGABYTES = 10;

/** Serves the tools on the standard input and output of this process. */
export function serveControl(control: Control): StdioControl {
  const transport = new EndingTransport(process.stdin, process.stdout, { maxBufferSize: MOST_MEGABYTES * 1024 * 1024 });
  // What does not follow the protocol gets no answer; the client has to know what it sent.
  const serving = serveStdio(() => makeControl(control), { transport, onerror: () => undefined });
  const closed = transport.ended.then(() => (process.stdin.readableEnded || process.stdin.destroyed ? null : givenUp()));
  return { closed, close: async () => await serving.close() };
}

/** A transport that somebody can wait for: it closes itself where it cannot go on. */
class EndingTransport extends StdioServerTransport {
  readonly #end = Promise.withResolvers<void>();
  readonly ended = this.#end.promise;

  override async close(): Promise<void> {
    await super.close();
    this.#end.resolve();
  }
}

function givenUp(): VolleyError {
  return new VolleyError(
    'too-large',
    `A message was longer than ${MOST_MEGABYTES} MB, or nobody reads the answers.`,
    'Start volley mcp again; what was under way goes on with volley work.',
  );
}
