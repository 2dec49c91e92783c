import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { CallToolResult, ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { MAIN } from './scenario.ts';
import type { Scenario } from './scenario.ts';

/** What a tool answered. */
export type ToolAnswer = {
  readonly isError: boolean;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly chars: number;
};

/** A client of Volley's tools. */
export type McpClient = AsyncDisposable & {
  readonly client: Client;
  call(tool: string, input?: Record<string, unknown>): Promise<ToolAnswer>;
  /** Waits for a review, however often that has to be asked for. */
  waitFor(loop: unknown): Promise<ToolAnswer>;
};

/** A client with this transport; it calls itself `tester`. */
export async function connectClient(transport: Parameters<Client['connect']>[0], options: ClientOptions = {}): Promise<McpClient> {
  const client = new Client({ name: 'tester', version: '1' }, options);
  await client.connect(transport);
  const call: McpClient['call'] = async (name, input = {}) => answerOf(await client.callTool({ name, arguments: input }));
  return {
    client,
    call,
    waitFor: async (loop) => {
      for (;;) {
        const answer = await call('wait_for_review', { loop });
        if (answer.isError || answer.data['stillRunning'] !== true) return answer;
      }
    },
    [Symbol.asyncDispose]: async () => await client.close(),
  };
}

/** A client that starts `volley mcp` in a project. */
export async function connectStdio(scenario: Pick<Scenario, 'root' | 'env'>, options: ClientOptions = {}): Promise<McpClient> {
  return await connectClient(stdioTransport(scenario), options);
}

/** The process `volley mcp` in a project, which a client starts. */
export function stdioTransport({ root, env }: Pick<Scenario, 'root' | 'env'>): StdioClientTransport {
  return new StdioClientTransport({ command: process.execPath, args: [MAIN, 'mcp'], cwd: root, env: { ...env }, stderr: 'pipe' });
}

/** A client of the server at an address. */
export async function connectHttp(url: string, token: string, options: ClientOptions = {}): Promise<McpClient> {
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  return await connectClient(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }), options);
}

function answerOf(result: CallToolResult): ToolAnswer {
  const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return { isError: result.isError === true, text, data: Object(result.structuredContent), chars: JSON.stringify(result).length };
}
