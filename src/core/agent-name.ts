import { redact } from './secrets.ts';
import { oneLine } from './prompts/fence.ts';

const LONGEST = 40;
const ENDING = ' (agent, over MCP)';

/** The name under which the journal keeps what a client did. It is the client's own word, so it is told apart from what people are called. */
export function agentName(client: string): string {
  const name = oneLine(redact(client)).slice(0, LONGEST).trim();
  return `${name === '' ? 'an agent' : name}${ENDING}`;
}

/** Whether a name in the journal is that of an agent that used Volley's tools. */
export function isAgentName(by: string): boolean {
  return by.endsWith(ENDING);
}
