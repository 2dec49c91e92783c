import type { z } from 'zod';
import type { Desk } from '../engine/desk.ts';

/** What tools ask of an open project. */
export type ToolDesk = Pick<Desk, 'engine' | 'control' | 'stir'>;

/** With what a tool is called. */
export type Call = {
  readonly desk: ToolDesk;
  /** The name under which the journal keeps what the agent does. */
  readonly agent: string;
  /** The folder whose change is meant where the call names no other work tree. */
  readonly workTree: string;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** How long a tool that waits may do so. */
  readonly waitMs: number;
  /** Tells the client, if it wants to know, that something goes on. */
  progress(message: string): void;
};

/**
 * What a tool answers: sentences on what happened, and how things stand, as data and as a text. Some clients show a model the data alone,
 * others the text alone, so each has to say everything.
 */
export type Reply<O> = { readonly said?: readonly string[]; readonly data: O; readonly text: string };

/** What clients are told of a tool's effects, so that they know when to ask their user. */
export type Effects = 'reads' | 'writes' | 'destroys';

/** One thing that an agent can ask of Volley. */
export type Tool<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> = {
  readonly name: string;
  readonly title: string;
  /** What a model goes by when it decides whether to call it. */
  readonly description: string;
  readonly input: I;
  readonly output: O;
  readonly effects: Effects;
  call(input: z.output<I>, call: Call): Promise<Reply<z.input<O>>>;
};

/** A tool among others, whose input is checked when it is called. */
export type AnyTool = Omit<Tool, 'call'> & { call(input: unknown, call: Call): Promise<Reply<Record<string, unknown>>> };

/** Makes a tool one among others. */
export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(tool: Tool<I, O>): AnyTool {
  return { ...tool, call: async (input, call) => await tool.call(tool.input.parse(input), call) };
}
