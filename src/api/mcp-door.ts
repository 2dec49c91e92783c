import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Door } from './server.ts';
import { whenGone } from './when-gone.ts';

/** What answers MCP over HTTP; the signal of a request is aborted when its connection closes. */
export type McpHandler = { fetch(request: Request): Promise<Response>; close(): Promise<void> };

/** The door for agents: streamable HTTP at `/mcp`, locked like every other route, but that the token of agents opens it too. */
export function mcpDoor(handler: McpHandler): Door {
  return (server) => {
    server.addHook('preClose', async () => await handler.close());
    server.route({
      method: ['GET', 'POST', 'DELETE'],
      url: '/mcp',
      config: { access: 'agent' },
      handler: async (request, reply) => await reply.send(await handler.fetch(webRequest(request, reply))),
    });
  };
}

/** The same request in the form of the web; its headers alone travel that the protocol reads. */
function webRequest(request: FastifyRequest, reply: FastifyReply): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) if (READ.test(name) && typeof value === 'string') headers.set(name, value);
  const body = request.method === 'POST' ? JSON.stringify(request.body ?? null) : null;
  return new Request(`http://${request.host}/mcp`, { method: request.method, headers, body, signal: whenGone(reply) });
}

const READ = /^(accept|content-type|last-event-id|mcp-.+)$/;
