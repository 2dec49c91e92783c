import { z } from 'zod';
import type { Usage } from '../core/review.ts';
import type { StreamEvent } from './stream-agent.ts';

const Count = z.number().nonnegative().nullish();

/** The tokens of one message, as the stream tells them; those of the cache are not part of `input_tokens`. */
export const MessageTokens = z.object({
  input_tokens: Count,
  output_tokens: Count,
  cache_read_input_tokens: Count,
  cache_creation_input_tokens: Count,
});
export type MessageTokens = z.infer<typeof MessageTokens>;

/** What one model used, as the end of a turn tells it. */
export const ModelUsage = z.object({
  inputTokens: Count,
  outputTokens: Count,
  cacheReadInputTokens: Count,
  cacheCreationInputTokens: Count,
  thinkingTokens: Count,
  costUSD: Count,
});
export type ModelUsage = z.infer<typeof ModelUsage>;

/** Follows what the messages of a session use. */
export type StepCounter = {
  /** What a message has used more than was known of it before; a message is told in several pieces, each with what is known by then. */
  count(message: { readonly id: string; readonly model: string | null }, tokens: MessageTokens): readonly StreamEvent[];
};

type Amounts = { readonly input: number; readonly output: number; readonly cached: number; readonly cacheWrite: number };

/** A counter for one session. */
export function countSteps(): StepCounter {
  const known = new Map<string, { readonly amounts: Amounts; readonly model: string | null }>();
  return {
    count({ id, model }, tokens) {
      const before = known.get(id) ?? { amounts: { input: 0, output: 0, cached: 0, cacheWrite: 0 }, model };
      const now = greater(before.amounts, amountsOf(tokens, before.amounts));
      const by = { amounts: now, model: model ?? before.model };
      known.set(id, by);
      const usage = risen(before.amounts, now);
      return usage === null ? [] : [{ type: 'usage', counts: 'step', usage, model: by.model }];
    },
  };
}

/** The sum over the models of a turn; null where there was none. Their own prices are in it, so it has a cost. */
export function sumOf(models: Readonly<Record<string, ModelUsage>>): Usage | null {
  const all = Object.values(models);
  if (all.length === 0) return null;
  const sum = (...keys: readonly (keyof ModelUsage)[]): number =>
    all.reduce((total, one) => total + keys.reduce((part, key) => part + (one[key] ?? 0), 0), 0);
  return {
    inputTokens: sum('inputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens'),
    outputTokens: sum('outputTokens'),
    costUsd: all.every(({ costUSD }) => costUSD === undefined || costUSD === null) ? null : sum('costUSD'),
    cachedTokens: sum('cacheReadInputTokens'),
    cacheWriteTokens: sum('cacheCreationInputTokens'),
    reasoningTokens: all.every(({ thinkingTokens }) => thinkingTokens === undefined) ? null : sum('thinkingTokens'),
  };
}

/** Two usages together. */
export function addUsage(a: Usage | null, b: Usage): Usage {
  if (a === null) return b;
  const add = (key: keyof Usage): number | null => (a[key] === null && b[key] === null ? null : (a[key] ?? 0) + (b[key] ?? 0));
  return {
    inputTokens: add('inputTokens'),
    outputTokens: add('outputTokens'),
    costUsd: add('costUsd'),
    cachedTokens: add('cachedTokens'),
    cacheWriteTokens: add('cacheWriteTokens'),
    reasoningTokens: add('reasoningTokens'),
  };
}

/** A piece need not tell everything again. */
function amountsOf(tokens: MessageTokens, before: Amounts): Amounts {
  const cached = tokens.cache_read_input_tokens ?? before.cached;
  const cacheWrite = tokens.cache_creation_input_tokens ?? before.cacheWrite;
  const plain = tokens.input_tokens ?? before.input - before.cached - before.cacheWrite;
  return { input: plain + cached + cacheWrite, output: tokens.output_tokens ?? before.output, cached, cacheWrite };
}

function greater(a: Amounts, b: Amounts): Amounts {
  const of = (key: keyof Amounts): number => Math.max(a[key], b[key]);
  return { input: of('input'), output: of('output'), cached: of('cached'), cacheWrite: of('cacheWrite') };
}

function risen(before: Amounts, now: Amounts): Usage | null {
  const rise = (key: keyof Amounts): number => now[key] - before[key];
  const [input, output] = [rise('input'), rise('output')];
  if (input + output === 0) return null;
  return {
    inputTokens: input,
    outputTokens: output,
    costUsd: null,
    cachedTokens: rise('cached'),
    cacheWriteTokens: rise('cacheWrite'),
    reasoningTokens: null,
  };
}
