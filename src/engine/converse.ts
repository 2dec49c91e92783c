import type { Agent, AgentEvent, AgentInput } from '../agents/agent.ts';
import type { Billing } from '../core/settings.ts';
import type { Entry } from './enter-session.ts';
import { closeInbox } from './inbox.ts';
import type { InboxReport, ToolCall } from './inbox.ts';
import type { SessionMeter } from './session-meter.ts';

/** How a driver says that a session is over. */
export type Terminal = Extract<AgentEvent, { type: 'ended' | 'failed' }>;

/** Who speaks, what it is told, and who listens. */
export type Conversation = {
  readonly agent: Agent;
  readonly entry: Pick<Entry, 'inbox' | 'close'>;
  readonly meter: SessionMeter;
  readonly input: AgentInput;
  readonly signal: AbortSignal;
  onEvent(event: AgentEvent): void;
};

/** What an agent says of itself. */
export type AgentSelf = { readonly id: string | null; readonly model: string | null; readonly billing: Billing | null };

/** How a session went, as the driver and the result channel tell it; `over`: its money was used up. */
export type Run = {
  readonly last: Terminal;
  readonly inbox: InboxReport;
  readonly over: boolean;
  readonly self: AgentSelf;
  readonly until: string | null;
};

/** Follows a session to its end, and then ends its way in; one that has used up its money is stopped. */
export async function converse(conversation: Conversation): Promise<Run> {
  const { agent, entry, meter, input } = conversation;
  const broke = new AbortController();
  const shown: ToolCall[] = [];
  let self: AgentSelf = { id: null, model: null, billing: null };
  let until: string | null = null;
  let last: Terminal | null = null;
  try {
    const signal = AbortSignal.any([conversation.signal, broke.signal]);
    for await (const event of agent.run(input, signal)) {
      conversation.onEvent(event);
      if (event.type === 'tool') shown.push({ tool: event.name, arguments: event.input });
      if (event.type === 'session')
        self = { id: event.id ?? self.id, model: event.model ?? self.model, billing: event.billing ?? self.billing };
      if (event.type === 'limited') until = event.until;
      if (event.type === 'ended' || event.type === 'failed') last = event;
      else if (await meter.take(event)) broke.abort();
    }
  } finally {
    await entry.close();
  }
  if (last === null) throw new Error('the driver ended without a last event');
  const inbox: InboxReport = entry.inbox === null ? { kind: 'none' } : closeInbox(entry.inbox, shown);
  return { last: trusted(last, input), inbox, over: broke.signal.aborted, self, until };
}

/** The result file is a channel of commands alone: code under review may know its path too, and other agents have a better one. */
function trusted(last: Terminal, { report }: AgentInput): Terminal {
  return report === 'result-file' || (last.type === 'ended' && last.structured === true) ? last : { ...last, result: null };
}
