import type { Socket } from 'node:net';
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { publishedInput, RESULT_TOOLS } from '../core/readers/tool-inputs.ts';
import type { Inbox } from '../engine/inbox.ts';
import { SocketTransport } from './socket-transport.ts';

/** Speaks MCP with whoever is at the other end of a socket, until that closes. */
export function serveConnection(inbox: Inbox, socket: Socket): void {
  // What does not follow the protocol gets no answer; it is no fault of ours that anybody should be told about.
  serveStdio(() => makeServer(inbox), { transport: new SocketTransport(socket), onerror: () => undefined });
}

/** A server with one tool: the one by which this inbox's session hands its result back. */
function makeServer(inbox: Inbox): Server {
  const tool = RESULT_TOOLS[inbox.role];
  // The low-level server, because a malformed call, too, has to reach the inbox as it was written.
  const server = new Server({ name: 'volley', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({
    tools: [{ name: tool.name, description: tool.description, inputSchema: publishedInput(tool) }],
  }));
  server.setRequestHandler('tools/call', ({ params }) => {
    const problem = inbox.submit({ tool: params.name, arguments: params.arguments ?? {} });
    return { content: [{ type: 'text', text: problem ?? 'The result is recorded. It is final.' }], isError: problem !== null };
  });
  return server;
}
