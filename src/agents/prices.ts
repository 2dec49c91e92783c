import type { Usage } from '../core/review.ts';
import type { AgentPrice } from '../core/settings.ts';

const MILLION = 1_000_000;

/**
 * What tokens cost in dollars: at the agent's own prices, else at those that are published for the model; null where there
 * are none. Long prompts of some models cost more per token, so one step is priced more exactly than many together.
 */
export async function priceOf(model: string | null, usage: Usage, own: AgentPrice | null): Promise<number | null> {
  const tokens = tokensOf(usage);
  if (tokens === null) return null;
  if (own !== null) return ownPrice(tokens, own);
  return model === null || model === '' ? null : await publishedPrice(model, tokens);
}

type Tokens = { readonly input: number; readonly output: number; readonly cached: number; readonly cacheWrite: number };

/** Tokens as parts that fit into their whole, whatever an agent reported; null where it reported none. */
function tokensOf({ inputTokens, outputTokens, cachedTokens, cacheWriteTokens }: Usage): Tokens | null {
  if (inputTokens === null && outputTokens === null) return null;
  const input = inputTokens ?? 0;
  const cached = Math.min(cachedTokens ?? 0, input);
  return { input, output: outputTokens ?? 0, cached, cacheWrite: Math.min(cacheWriteTokens ?? 0, input - cached) };
}

function ownPrice({ input, output, cached, cacheWrite }: Tokens, own: AgentPrice): number {
  const plain = (input - cached - cacheWrite) * own.input;
  return (plain + cached * (own.cached ?? own.input) + cacheWrite * (own.cacheWrite ?? own.input) + output * own.output) / MILLION;
}

/** The table of prices is large, so it is loaded when the first price is asked for. */
async function publishedPrice(model: string, { input, output, cached, cacheWrite }: Tokens): Promise<number | null> {
  const { calcPrice } = await import('@pydantic/genai-prices');
  const usage = { input_tokens: input, output_tokens: output, cache_read_tokens: cached, cache_write_tokens: cacheWrite };
  const [, provider, name] = /^([^/]+)\/(.+)$/s.exec(model) ?? [];
  const found =
    calcPrice(usage, model) ?? (provider === undefined || name === undefined ? null : calcPrice(usage, name, { providerId: provider }));
  return found?.total_price ?? null;
}
