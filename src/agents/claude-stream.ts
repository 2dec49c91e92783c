import type { z } from 'zod';
import { isRecord, parseJson } from '../core/readers/coerce.ts';
import type { Usage } from '../core/review.ts';
import type { Billing } from '../core/settings.ts';
import { followCalls } from './claude-calls.ts';
import { claudeFailure } from './claude-failure.ts';
import { followLimits } from './claude-limits.ts';
import { Assistant, Init, Kind, Piece, RateLimit, Result, Retry } from './claude-lines.ts';
import type { Block } from './claude-lines.ts';
import { addUsage, countSteps, sumOf } from './claude-usage.ts';
import type { StreamEnd, StreamEvent, StreamReader } from './stream-agent.ts';

/** What is known of a session before its stream says anything. */
export type ClaudeSession = {
  /** Who pays, as the configuration says; null where it says nothing. */
  readonly configured: Billing | null;
  /** Who pays by the login that was found, unless the stream names a key. */
  readonly billing: Billing | null;
  /** Whether it goes on with an earlier thread, whose usage some counters include. */
  readonly isResumed: boolean;
  /** What a person can do about a login that is missing. */
  readonly howToLogIn: string;
  /** The time in milliseconds. */
  now(): number;
};

const OUTPUT_CHARS = 1024 * 1024;
const DETAIL_CHARS = 200;
/** By whom a key was given that is paid for by its use. */
const KEY_SOURCES = new Set(['ANTHROPIC_API_KEY', 'apiKeyHelper', '/login managed key']);

/** Understands what Claude Code streams in one session. */
export function readClaude(session: ClaudeSession): StreamReader & { readonly id: () => string | null } {
  const steps = countSteps();
  const limits = followLimits(() => session.now());
  const calls = followCalls();
  let id: string | null = null;
  let words = '';
  let errorKind: string | null = null;
  let total: Usage | null = null;
  let last: Result | null = null;

  const init = ({ session_id, model, apiKeySource }: z.infer<typeof Init>): StreamEvent[] => {
    id = session_id;
    return [{ type: 'session', id, model: model ?? null, billing: payerOf(session, apiKeySource ?? '') }];
  };
  const assistant = ({ message, parent_tool_use_id: parent, error }: z.infer<typeof Assistant>): StreamEvent[] => {
    errorKind = error ?? null;
    const isMain = (parent ?? null) === null;
    const stream = errorKind === null ? 'stdout' : 'stderr';
    const said = message.content.flatMap((block): StreamEvent[] => {
      if (block.type === 'tool_use') return [toolOf(block)];
      const text = block.type === 'text' ? (block.text ?? '') : '';
      if (text === '' || !isMain) return [];
      const gap = words === '' ? '' : '\n\n';
      words = text;
      return [{ type: 'text', stream, text: `${gap}${text}` }];
    });
    const used = message.usage ?? null;
    return [...said, ...(used === null ? [] : steps.count({ id: message.id, model: message.model ?? null }, used))];
  };
  const piece = ({ event, api_message_id: of }: z.infer<typeof Piece>): readonly StreamEvent[] => {
    if (event.type !== 'message_delta' || (event.usage ?? null) === null || (of ?? null) === null) return [];
    return steps.count({ id: of ?? '', model: null }, event.usage ?? {});
  };
  const result = (ended: Result): readonly StreamEvent[] => {
    last = ended;
    const late = ended.is_error ? limits.ended() : [];
    const since = ended.model_usage_since_last_result ?? null;
    const used = sumOf(since ?? (session.isResumed ? {} : (ended.modelUsage ?? {})));
    if (used === null) return late;
    total = since === null ? used : addUsage(total, used);
    return [...late, { type: 'usage', counts: 'total', usage: total, model: null }];
  };
  const readers = new Map<string, LineReader>([
    ['system/init', reads(Init, init)],
    ['system/api_retry', reads(Retry, limits.retried)],
    ['rate_limit_event', reads(RateLimit, limits.limited)],
    ['assistant', reads(Assistant, assistant)],
    ['stream_event', reads(Piece, piece)],
    ['result', reads(Result, result)],
  ]);
  return {
    id: () => id,
    read: (line) => {
      const value = jsonOf(line);
      calls.take(value);
      return readers.get(kindOf(value))?.(value) ?? [];
    },
    isBusy: calls.areOpen,
    end: () => endOf(last, { words: words.slice(-OUTPUT_CHARS), errorKind, howToLogIn: session.howToLogIn }),
  };
}

function payerOf({ configured, billing }: ClaudeSession, keySource: string): Billing | null {
  return configured ?? (KEY_SOURCES.has(keySource) ? 'api' : billing);
}

type LineReader = (value: unknown) => readonly StreamEvent[];

function reads<T>(schema: z.ZodType<T>, use: (read: T) => readonly StreamEvent[]): LineReader {
  return (value) => {
    const { data } = schema.safeParse(value);
    return data === undefined ? [] : use(data);
  };
}

function kindOf(value: unknown): string {
  const kind = Kind.safeParse(value).data;
  if (kind === undefined) return '';
  return kind.type === 'system' ? `system/${kind.subtype ?? ''}` : kind.type;
}

function jsonOf(line: string): unknown {
  // What is no JSON is not of the stream; a last line that was cut off is missed by `end`.
  const read = parseJson(line);
  return read.ok ? read.value : null;
}

function toolOf({ name, input }: Block): StreamEvent {
  const told = isRecord(input) ? input : {};
  const file = textIn(told, ['file_path', 'notebook_path', 'path']);
  const command = textIn(told, ['command']);
  const about = command ?? file ?? textIn(told, ['pattern', 'query', 'url', 'description', 'summary']) ?? '';
  const line = `${name ?? ''} ${about}`.replaceAll(/\s+/g, ' ').trim();
  const detail = line.length > DETAIL_CHARS ? `${line.slice(0, DETAIL_CHARS)}…` : line;
  return { type: 'tool', name: name ?? '', detail, input, file, command };
}

function textIn(record: Readonly<Record<string, unknown>>, keys: readonly string[]): string | null {
  const found = keys.map((key) => record[key]).find((value) => typeof value === 'string');
  return typeof found === 'string' ? found : null;
}

type Left = { readonly words: string; readonly errorKind: string | null; readonly howToLogIn: string };

function endOf(last: Result | null, { words, errorKind, howToLogIn }: Left): StreamEnd {
  if (last === null) return { kind: 'cut', output: words };
  const output = (last.result ?? words).slice(-OUTPUT_CHARS);
  // An error of the model's server is called a success too.
  if (last.subtype !== 'success' || last.is_error) return { kind: 'failed', ...claudeFailure(last, { errorKind, howToLogIn }), output };
  const structured = last.structured_output ?? null;
  return { kind: 'complete', output, structured: structured === null ? null : JSON.stringify(structured) };
}
