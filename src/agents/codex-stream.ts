import { z } from 'zod';
import { parseJson } from '../core/readers/coerce.ts';
import type { Usage } from '../core/review.ts';
import type { Billing } from '../core/settings.ts';
import { Tail, withOmission } from '../lib/tail.ts';
import type { AgentInput } from './agent.ts';
import { readFailure } from './codex-failure.ts';
import type { CodexFailure } from './codex-failure.ts';
import type { StreamEnd, StreamEvent, StreamReader } from './stream-agent.ts';

/** Tokens as Codex counts them: those of the cache are part of the input, those of reasoning part of the output. */
export const CodexTokens = z.object({
  input_tokens: z.number().nonnegative(),
  cached_input_tokens: z.number().nonnegative().default(0),
  cache_write_input_tokens: z.number().nonnegative().default(0),
  output_tokens: z.number().nonnegative(),
  reasoning_output_tokens: z.number().nonnegative().default(0),
});
export type CodexTokens = z.infer<typeof CodexTokens>;

/** Codex's tokens in our words; it knows no prices. */
export function usageOf(tokens: CodexTokens): Usage {
  return {
    inputTokens: tokens.input_tokens,
    outputTokens: tokens.output_tokens,
    costUsd: null,
    cachedTokens: tokens.cached_input_tokens,
    cacheWriteTokens: tokens.cache_write_input_tokens,
    reasoningTokens: tokens.reasoning_output_tokens,
  };
}

const Item = z.discriminatedUnion('type', [
  z.object({ id: z.string(), type: z.literal('agent_message'), text: z.string() }),
  z.object({ id: z.string(), type: z.literal('command_execution'), command: z.string() }),
  z.object({ id: z.string(), type: z.literal('file_change'), changes: z.array(z.object({ path: z.string(), kind: z.string() })) }),
  z.object({ id: z.string(), type: z.literal('mcp_tool_call'), server: z.string(), tool: z.string(), arguments: z.unknown() }),
  z.object({ id: z.string(), type: z.literal('web_search'), query: z.string() }),
  /** A warning: the turn goes on. */
  z.object({ id: z.string(), type: z.literal('error'), message: z.string() }),
]);
type Item = z.infer<typeof Item>;

/** An item of another kind, of a later version perhaps, tells us nothing. */
const KnownItem = Item.or(z.unknown().transform(() => null));

const Line = z.discriminatedUnion('type', [
  z.object({ type: z.literal('thread.started'), thread_id: z.string() }),
  z.object({ type: z.literal('item.started'), item: KnownItem }),
  z.object({ type: z.literal('item.completed'), item: KnownItem }),
  z.object({ type: z.literal('turn.completed'), usage: CodexTokens }),
  z.object({ type: z.literal('turn.failed'), error: z.object({ message: z.string() }) }),
  /** A try that failed; where it is the last one, `turn.failed` follows. */
  z.object({ type: z.literal('error'), message: z.string() }),
]);

/** What a session's stream is read with. */
export type CodexSession = Pick<AgentInput, 'report'> & {
  readonly model: string | null;
  readonly billing: Billing | null;
  /** What a person can do about a login that is refused. */
  readonly howToLogIn: string;
  readonly now?: () => number;
};

const OUTPUT_CHARS = 1024 * 1024;

/** Reads what `codex exec --json` prints. */
export function codexReader(session: CodexSession): StreamReader {
  const { report, model, billing, howToLogIn, now = Date.now } = session;
  const shown = new Set<string>();
  const openCalls = new Set<string>();
  let message = '';
  let completed = false;
  let failure: CodexFailure | null = null;

  /** A call is shown when it begins, before it reaches anybody, and only once. */
  const readItem = (item: Item, isOver: boolean): readonly StreamEvent[] => {
    if (isOver) openCalls.delete(item.id);
    else if (item.type !== 'agent_message' && item.type !== 'error') openCalls.add(item.id);
    if (item.type === 'agent_message' && isOver) message = item.text;
    if (shown.has(item.id) || (item.type === 'agent_message' && !isOver)) return [];
    shown.add(item.id);
    return eventsOf(item);
  };
  return {
    read(line) {
      const parsed = parseJson(line);
      const { data } = Line.safeParse(parsed.ok ? parsed.value : null);
      switch (data?.type) {
        case 'thread.started':
          return [{ type: 'session', id: data.thread_id, model, billing }];
        case 'item.started':
        case 'item.completed':
          return data.item === null ? [] : readItem(data.item, data.type === 'item.completed');
        case 'turn.completed':
          completed = true;
          openCalls.clear();
          return [{ type: 'usage', counts: 'total', usage: usageOf(data.usage), model: null }];
        case 'turn.failed': {
          failure = readFailure(data.error.message, now());
          openCalls.clear();
          return failure.reason === 'limited' ? [{ type: 'limited', until: failure.until, message: failure.message }] : [];
        }
        case 'error':
          return [note(data.message)];
        case undefined:
          return [];
      }
    },
    isBusy: () => openCalls.size > 0,
    end(): StreamEnd {
      const output = bounded(message);
      if (failure !== null) {
        const remedy = failure.reason === 'logged-out' ? ` To log in, ${howToLogIn}.` : '';
        return { kind: 'failed', reason: failure.reason, message: `${failure.message}${remedy}`, output };
      }
      if (!completed) return { kind: 'cut', output };
      return { kind: 'complete', output, structured: report === 'structured' && message !== '' ? message : null };
    },
  };
}

function eventsOf(item: Item): readonly StreamEvent[] {
  const tool = { type: 'tool', file: null, command: null } as const;
  switch (item.type) {
    case 'agent_message':
      return [{ type: 'text', stream: 'stdout', text: `${item.text}\n` }];
    case 'command_execution': {
      const { command } = item;
      return [{ ...tool, name: 'command_execution', detail: oneLine(command), input: { command }, command }];
    }
    case 'file_change':
      return item.changes.map((change) => {
        const { path: file, kind } = change;
        return { ...tool, name: 'file_change', detail: oneLine(`${kind} ${file}`), input: change, file };
      });
    case 'mcp_tool_call':
      return [{ ...tool, name: mcpName(item), detail: '', input: item.arguments }];
    case 'web_search':
      return [{ ...tool, name: 'web_search', detail: oneLine(item.query), input: { query: item.query } }];
    case 'error':
      return [note(item.message)];
  }
}

/** Only our own server is named so that its calls count as witnessed. */
function mcpName({ server, tool }: { readonly server: string; readonly tool: string }): string {
  return server === 'volley' ? `mcp__volley__${tool}` : `${tool}@${server}`;
}

function note(text: string): StreamEvent {
  return { type: 'text', stream: 'stderr', text: `${text.trimEnd()}\n` };
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

function bounded(text: string): string {
  const tail = new Tail(OUTPUT_CHARS);
  tail.push(text);
  return withOmission(tail.text, tail.droppedChars);
}
