import type { Agent, AgentEvent, AgentInput } from '../agents/agent.ts';
import type { Engine } from './engine.ts';
import { closeInbox, openInbox } from './inbox.ts';
import type { Inbox, InboxReport, InboxSubject, ToolCall } from './inbox.ts';
import type { SessionMeter } from './session-meter.ts';

/** How a driver says that a session is over. */
export type Terminal = Extract<AgentEvent, { type: 'ended' | 'failed' }>;

/** Who speaks, what it is told, and who listens. */
export type Conversation = {
  readonly engine: Pick<Engine, 'openChannel'>;
  readonly agent: Agent;
  readonly meter: SessionMeter;
  readonly input: AgentInput;
  readonly subject: InboxSubject;
  readonly signal: AbortSignal;
  onText(text: string): void;
};

/** How a session went, as the driver and the result channel tell it; `over`: its money was used up. */
export type Run = { readonly last: Terminal; readonly inbox: InboxReport; readonly over: boolean };

/** Follows a session to its end, with its result channel open; one that has used up its money is stopped. */
export async function converse(conversation: Conversation): Promise<Run> {
  const { engine, agent, meter, input } = conversation;
  const inbox = agent.reportsBy === 'mcp' ? openInbox(conversation.subject) : null;
  const channel = inbox === null ? null : await engine.openChannel(inbox, `${input.resultFile}.sock`);
  const broke = new AbortController();
  const shown: ToolCall[] = [];
  let last: Terminal | null = null;
  try {
    const signal = AbortSignal.any([conversation.signal, broke.signal]);
    for await (const event of agent.run({ ...input, bridge: channel?.bridge ?? null }, signal)) {
      if (event.type === 'text') conversation.onText(event.text);
      if (event.type === 'tool') shown.push({ tool: event.name, arguments: event.input });
      if (event.type === 'ended' || event.type === 'failed') last = event;
      else if (await meter.take(event)) broke.abort();
    }
  } finally {
    await channel?.close();
  }
  if (last === null) throw new Error('the driver ended without a last event');
  return { last: trusted(last, agent), inbox: reportOf(inbox, shown), over: broke.signal.aborted };
}

/** The result file is a channel of commands alone: code under review may know its path too, and other agents have a better one. */
function trusted(last: Terminal, { reportsBy }: Agent): Terminal {
  return reportsBy === 'result-file' || (last.type === 'ended' && last.structured === true) ? last : { ...last, result: null };
}

function reportOf(inbox: Inbox | null, shown: readonly ToolCall[]): InboxReport {
  return inbox === null ? { kind: 'none' } : closeInbox(inbox, shown);
}
