import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../core/readers/coerce.ts';
import type { Usage } from '../core/review.ts';
import { meterUsage, NO_USAGE, startMeter, usageOfMeter, usageSince } from '../core/usage-meter.ts';
import { LineSplitter } from '../lib/lines.ts';
import type { AgentEvent } from './agent.ts';
import { CodexTokens, usageOf } from './codex-stream.ts';

/** The id of a thread of Codex. */
export const ThreadId = z.guid();

/**
 * Adds to a session's events what Codex's own record of the thread says and its stream does not: the model, and the tokens of each
 * answer of the model. The stream tells nothing of money until the turn is over, nothing at all if it fails, and then one sum; but
 * long prompts cost more per token, so a sum has no price. Of a resumed thread it tells the sum since the thread began, from which
 * the sum in the record before this session is taken away.
 *
 * The session's own commands can write the record. So it names the model only where the configuration does not, only once, and not
 * after a tool was called; and in the end the stream's sum counts where the record makes it cheaper.
 */
export async function* withRecord(
  events: AsyncIterable<AgentEvent>,
  { home, resume }: { readonly home: string; readonly resume: string | null },
): AsyncGenerator<AgentEvent, void, undefined> {
  let record = resume === null ? null : await openRecord(home, resume);
  const before = (await record?.news())?.total ?? null;
  let thread: string | null = null;
  let model: string | null = null;
  let hasCalled = false;
  let told = startMeter(null);
  let isSummed = false;
  try {
    for await (const event of events) {
      if (event.type === 'session') {
        ({ id: thread, model } = event);
        yield event;
        continue;
      }
      // The record may come a little later than the stream names it.
      if (thread !== null) record ??= await openRecord(home, thread);
      // Once the sum has come, a step that is recorded late is part of it.
      const news = isSummed ? null : ((await record?.news()) ?? null);
      if (model === null && !hasCalled && news !== null && news.model !== null) {
        ({ model } = news);
        yield { type: 'session', id: null, model, billing: null };
      }
      hasCalled ||= event.type === 'tool';
      for (const usage of news?.steps ?? []) {
        const step = { type: 'usage', counts: 'step', usage, model } as const;
        told = meterUsage(told, step);
        yield step;
      }
      if (event.type === 'usage') {
        isSummed = true;
        const total = since(before, event.usage);
        yield { ...event, usage: total, model };
        const missing = missingIn(usageOfMeter(told), total);
        if (missing !== null) yield { type: 'usage', counts: 'step', usage: missing, model };
      } else yield event;
    }
  } finally {
    await record?.close();
  }
}

/** What the session used of the thread's sum; a record that claims more than there is tells nothing of what came before. */
function since(before: Usage | null, sum: Usage): Usage {
  const isLess =
    before !== null && ((before.inputTokens ?? 0) > (sum.inputTokens ?? 0) || (before.outputTokens ?? 0) > (sum.outputTokens ?? 0));
  return usageSince(isLess ? null : before, sum);
}

/**
 * The input at its full price that the sum has and the steps do not: whoever meters takes the greater one of each number, and steps
 * that claim that all came from the cache would hide that it did not.
 */
function missingIn(told: Usage | null, total: Usage): Usage | null {
  if (told === null) return null;
  const missing = plainInput(total) - plainInput(told) - plainInput(usageSince(told, total));
  if (missing <= 0) return null;
  return { ...NO_USAGE, inputTokens: missing };
}

function plainInput({ inputTokens, cachedTokens }: Usage): number {
  return Math.max(0, (inputTokens ?? 0) - (cachedTokens ?? 0));
}

/** What was added to a record since it was last read; `total` is the sum since the thread began. */
type News = { readonly steps: readonly Usage[]; readonly total: Usage | null; readonly model: string | null };

type ThreadRecord = { news(): Promise<News>; close(): Promise<void> };

const CHUNK_BYTES = 1024 * 1024;
/** What an agent's own commands could make of the file must not keep us busy for ever. */
const LONGEST_BYTES = 1024 * CHUNK_BYTES;
const LINE_CHARS = 32 * 1024 * 1024;

/** Opens the record of a thread; null where there is none yet. */
async function openRecord(home: string, thread: string): Promise<ThreadRecord | null> {
  const path = await findRecord(home, thread);
  // The agent's commands can write there: a link would lead elsewhere, and a pipe would never end.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = path === null ? null : await open(path, flags).catch(() => null);
  if (file === null) return null;
  if (!(await file.stat()).isFile()) {
    await file.close();
    return null;
  }
  return followRecord(file);
}

function followRecord(file: FileHandle): ThreadRecord {
  const lines = new LineSplitter(LINE_CHARS);
  const decoder = new TextDecoder();
  let offset = 0;
  return {
    async news() {
      let news: News = { steps: [], total: null, model: null };
      for (const chunk = Buffer.alloc(CHUNK_BYTES); offset < LONGEST_BYTES;) {
        const { bytesRead } = await file.read(chunk, 0, chunk.length, offset);
        if (bytesRead === 0) break;
        offset += bytesRead;
        for (const line of lines.push(decoder.decode(chunk.subarray(0, bytesRead), { stream: true }))) news = readLine(news, line);
      }
      return news;
    },
    close: async () => await file.close(),
  };
}

const RecordLine = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('token_usage_record'),
    payload: z.object({ usage: CodexTokens, thread_token_usage: CodexTokens.nullish() }),
  }),
  /** The sum alone is taken from it, because a step may be told twice; records of older versions have nothing else. */
  z.object({
    type: z.literal('event_msg'),
    payload: z.object({ type: z.literal('token_count'), info: z.object({ total_token_usage: CodexTokens }) }),
  }),
  z.object({ type: z.literal('turn_context'), payload: z.object({ model: z.string().nullish() }) }),
]);

function readLine(news: News, line: string): News {
  // Most lines are long, and tell what the stream tells too.
  if (!/"(?:token_usage_record|token_count|turn_context)"/.test(line)) return news;
  const parsed = parseJson(line);
  const read = parsed.ok ? RecordLine.safeParse(parsed.value).data : undefined;
  switch (read?.type) {
    case 'token_usage_record': {
      const { usage, thread_token_usage: total } = read.payload;
      return { ...news, steps: [...news.steps, usageOf(usage)], total: total ? usageOf(total) : news.total };
    }
    case 'event_msg':
      return { ...news, total: usageOf(read.payload.info.total_token_usage) };
    case 'turn_context':
      return { ...news, model: read.payload.model ?? news.model };
    case undefined:
      return news;
  }
}

/** Where a thread's record lies: in a folder for the day on which it began, with a name that ends with its id; null where it is not. */
export async function findRecord(home: string, thread: string): Promise<string | null> {
  if (!ThreadId.safeParse(thread).success) return null;
  let folders = [join(home, 'sessions')];
  for (const _ of ['year', 'month', 'day']) folders = (await Promise.all(folders.map(foldersIn))).flat();
  for (const day of folders) {
    const name = (await namesIn(day)).find((one) => one.endsWith(`-${thread}.jsonl`));
    if (name !== undefined) return join(day, name);
  }
  return null;
}

async function foldersIn(folder: string): Promise<string[]> {
  const names = (await namesIn(folder)).filter((name) => /^\d+$/.test(name));
  return names.map((name) => join(folder, name));
}

async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch(() => []);
}
