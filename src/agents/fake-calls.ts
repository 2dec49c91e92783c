import { z } from 'zod';
import { nonce } from '../lib/ids.ts';
import { runProcess } from '../lib/process.ts';
import type { AgentEvent, AgentInput } from './agent.ts';

/** A tool call of a fake agent. */
export type FakeCall = {
  readonly tool: string;
  readonly arguments: unknown;
  /** False: the agent's own stream keeps silent about it, as it does when somebody else calls. */
  readonly show?: boolean;
};

const CALL_ID = 2;

/** The answer to the call, of which only the words matter. */
const Answer = z.union([
  z.object({ id: z.literal(CALL_ID), result: z.object({ content: z.array(z.object({ text: z.string() })) }) }),
  z.object({ id: z.literal(CALL_ID), error: z.object({ message: z.string() }) }),
]);

/** Calls a tool of the session's result channel through the real bridge, and tells the call and the answer, as real agents do. */
export async function* callTool(input: AgentInput, call: FakeCall): AsyncGenerator<AgentEvent, void, undefined> {
  if (input.bridge === null) throw new Error('this session has no result channel');
  if (call.show !== false)
    yield { type: 'tool', name: `mcp__volley__${call.tool}`, detail: '', input: call.arguments, file: null, command: null };
  yield { type: 'text', stream: 'stdout', text: `${await ask(input, input.bridge, call)}\n` };
}

async function ask(input: AgentInput, bridge: readonly string[], call: FakeCall): Promise<string> {
  let printed = '';
  const end = await runProcess({
    argv: [...input.launcher, ...bridge],
    cwd: input.cwd,
    env: input.env,
    input: requestLines(call),
    wallMs: input.wallMs,
    marker: `${input.marker}-${nonce()}`,
    onOutput: (text, stream) => {
      printed += stream === 'stdout' ? text : '';
    },
  });
  const answers = printed.split('\n').flatMap((line) => (line.startsWith('{') ? [Answer.safeParse(JSON.parse(line)).data] : []));
  const answer = answers.find((one) => one !== undefined);
  if (answer === undefined) throw new Error(`the bridge brought no answer (${end.kind}): ${end.output.slice(-500)}`);
  return 'error' in answer ? answer.error.message : answer.result.content.map(({ text }) => text).join('\n');
}

/** All that is to be said, at once: the channel answers what it was asked before its input ended. */
function requestLines(call: FakeCall): string {
  const messages = [
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'fake', version: '1' } },
    },
    { method: 'notifications/initialized' },
    { id: CALL_ID, method: 'tools/call', params: { name: call.tool, arguments: call.arguments } },
  ];
  return messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
}
