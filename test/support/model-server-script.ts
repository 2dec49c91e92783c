import { z } from 'zod';

const Tokens = z.strictObject({
  /** All tokens that went in, those of the cache included. */
  input: z.number().optional(),
  output: z.number().optional(),
  cached: z.number().optional(),
  reasoning: z.number().optional(),
});

/**
 * One thing that the model does, said without a client's own words: it is translated into the tool that this client declared.
 * Codex's patches match whole lines; Claude Code edits only files that it has read before.
 */
export const Action = z.union([
  z.strictObject({ text: z.string() }),
  /** A text that is JSON, or a call of the tool that the client offers for structured output. */
  z.strictObject({ json: z.json() }),
  z.strictObject({ think: z.string() }),
  z.strictObject({ write: z.string(), content: z.string() }),
  z.strictObject({ edit: z.string(), old: z.string(), new: z.string() }),
  z.strictObject({ read: z.string() }),
  z.strictObject({ shell: z.string() }),
  /** The declared tool whose name ends so. */
  z.strictObject({ mcp: z.string(), args: z.record(z.string(), z.json()).optional() }),
  /** A tool to the letter, also one that nobody declared; `input` for one that takes a text. */
  z.strictObject({ tool: z.string(), args: z.record(z.string(), z.json()).optional(), input: z.string().optional() }),
  /** An HTTP error; with `times` only so often, and then the step goes on. `body` takes the place of the usual one. */
  z.strictObject({
    error: z.number(),
    times: z.number().optional(),
    message: z.string().optional(),
    retryAfter: z.number().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.json().optional(),
  }),
  /** Never answers. */
  z.strictObject({ hang: z.literal(true) }),
  /** Waits until the gate of this name is released. */
  z.strictObject({ gate: z.string() }),
  /** Drops the connection in the middle of the answer. */
  z.strictObject({ cut: z.literal(true) }),
]);
export type Action = z.infer<typeof Action>;

const Manner = z.object({
  usage: Tokens.optional(),
  delayMs: z.number().optional(),
  /** How many characters each piece of a streamed text has, and how long the model waits between them. */
  chunk: z.number().optional(),
  chunkMs: z.number().optional(),
});
type Manner = z.infer<typeof Manner>;

/** One answer of the model. */
export type Step = Action | readonly Action[] | ((Action | { readonly actions: readonly Action[] }) & Manner);

/** One answer of the model, its actions in a list. */
export const Answer = Manner.extend({ actions: z.array(Action) });
export type Answer = z.infer<typeof Answer>;

/** Which requests a rule serves; texts are regular expressions. Without `tools` it serves those that declare tools. */
export type When = {
  readonly prompt?: string;
  readonly system?: string;
  readonly any?: string;
  readonly model?: string;
  readonly api?: Api;
  readonly tools?: boolean | 'any';
};

/** The protocols that the server speaks. */
export type Api = 'anthropic' | 'responses' | 'chat' | 'gemini';

/**
 * What the model does in a conversation, which is one prompt of a user and the tool calls that follow it. Each new conversation takes
 * the next of `rounds` (the last repeats); in it the n-th answer is step n, counted by the tool results in the request, so that
 * retries and parallel sessions do not disturb each other. After the last step it says `done`.
 */
export type Rule = {
  readonly name: string;
  /** Only for requests below `/s/NAME`. */
  readonly scenario?: string;
  readonly when?: When;
} & ({ readonly rounds: readonly (readonly Step[])[] } | { readonly steps: readonly Step[] });

/** All that the model does: the first rule that fits serves. */
export type Script = { readonly rules: readonly Rule[]; readonly usage?: z.infer<typeof Tokens> };

/** What a step may name in its texts: `{{cwd}}`, `{{prompt}}`, …, and `{{m:REGEX}}` for what matches in the prompt. */
export type Names = Readonly<Record<'cwd' | 'prompt' | 'model' | 'round' | 'step' | 'lastTool', string>>;

/** A step with its names filled in. */
export function answerOf(step: Step, names: Names): Answer {
  return Answer.parse(filled(wholeStep(step), names));
}

function wholeStep(step: Step): object {
  if (isList(step)) return { actions: step };
  if ('actions' in step) return step;
  const { usage, delayMs, chunk, chunkMs, ...action }: Action & Manner = step;
  return { usage, delayMs, chunk, chunkMs, actions: [action] };
}

function isList(step: Step): step is readonly Action[] {
  return Array.isArray(step);
}

function filled(value: unknown, names: Names): unknown {
  if (typeof value === 'string') return fillText(value, names);
  if (Array.isArray(value)) return value.map((item: unknown) => filled(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, names)]));
}

function fillText(text: string, names: Names): string {
  const known: Readonly<Record<string, string>> = names;
  return text
    .replaceAll(/\{\{m:(.+?)\}\}/gs, (_, pattern: string) => {
      const found = new RegExp(pattern).exec(names.prompt);
      return found?.[1] ?? found?.[0] ?? '';
    })
    .replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => known[name] ?? '');
}
