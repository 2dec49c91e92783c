import { z } from 'zod';
import { MessageTokens, ModelUsage } from './claude-usage.ts';

/** The lines of Claude Code's stream, each with what we use of it; what else is in them may change at any time. */

const Text = z.string().nullish();
/** Numbers that cannot be read must not hide a call, or the end. */
const Tokens = MessageTokens.nullish().catch(null);
const Models = z.record(z.string(), ModelUsage).nullish().catch(null);

/** How a session begins. */
export const Init = z.object({ session_id: z.string(), model: Text, apiKeySource: Text });

/** A request that is tried again. */
export const Retry = z.object({
  error_status: z.number().nullish(),
  attempt: z.number(),
  max_retries: z.number(),
  retry_delay_ms: z.number().nonnegative(),
});

/** What the subscription allows; `resetsAt` counts seconds. */
export const RateLimit = z.object({
  rate_limit_info: z.object({
    status: z.string(),
    resetsAt: z.number().positive().nullish(),
    rateLimitType: Text,
    isUsingOverage: z.boolean().nullish(),
  }),
});

/** A part of a message of the model; each part comes in a line of its own. */
export const Block = z.object({ type: z.string(), text: Text, name: Text, input: z.unknown().optional() });
export type Block = z.infer<typeof Block>;

/** A message of the model, or of Claude Code in its place where there was an error. */
export const Assistant = z.object({
  message: z.object({ id: z.string(), model: Text, content: z.array(Block), usage: Tokens }),
  parent_tool_use_id: Text,
  /** The kind of an error, e.g. `authentication_failed` or `rate_limit`. */
  error: Text,
});

/** A piece of a message while it comes. */
export const Piece = z.object({
  event: z.object({ type: z.string(), usage: Tokens }),
  api_message_id: Text,
});

/** The end of a turn. */
export const Result = z.object({
  subtype: z.string(),
  is_error: z.boolean(),
  result: Text,
  errors: z.array(z.string()).nullish().catch(null),
  structured_output: z.unknown().optional(),
  api_error_status: z.number().nullish(),
  /** Since the thread began, where it was resumed. */
  modelUsage: Models,
  /** Since the result before this one, by this process alone. */
  model_usage_since_last_result: Models,
});
export type Result = z.infer<typeof Result>;

/** What kind of line it is. */
export const Kind = z.object({ type: z.string(), subtype: Text });
