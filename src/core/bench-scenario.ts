import { z } from 'zod';
import { EscalationReason } from './action.ts';
import { NoVerdict } from './event.ts';
import { FindingSource, FindingStatus, Provenance, Severity } from './finding.ts';
import { Channel } from './review.ts';

/** What the scenarios of the loop benchmark are about, in the order in which they are told. */
export const BenchTheme = z.enum([
  'convergence',
  'approval',
  'contradiction',
  'misbehaviour',
  'dispute',
  'scope',
  'gates',
  'work',
  'panel',
  'money',
  'injection',
]);
export type BenchTheme = z.infer<typeof BenchTheme>;

/** A text, or its lines, each of which gets a line ending. */
const Text = z.union([z.string(), z.array(z.string())]);

const Edit = z.union([
  z.strictObject({ path: z.string(), text: Text }),
  z.strictObject({ path: z.string(), replace: z.tuple([z.string(), z.string()]) }),
  z.strictObject({ path: z.string(), delete: z.literal(true) }),
]);

/** One session of a scripted agent; what happens in it, happens in the order of the keys. */
export const BenchTurn = z
  .strictObject({
    edit: z.array(Edit).describe('Edits of the files in the working folder.'),
    tamper: z.array(Edit).describe('The same, by somebody who was asked only to read.'),
    result: z.record(z.string(), z.unknown()).describe('The result, as JSON.'),
    resultText: Text.describe('The result, to the letter.'),
    usage: z.record(z.string(), z.number()).nullable().describe('Joins the result; null: nothing is told about tokens.'),
    calls: z
      .array(z.strictObject({ tool: z.string(), arguments: z.record(z.string(), z.unknown()), show: z.boolean().optional() }))
      .describe('Calls on the result channel; `show: false`: by code that the agent runs, not by the agent.'),
    print: Text.describe('Printed on standard output.'),
    echoPrompt: z.literal(true).describe('Prints the prompt.'),
    printMegabytes: z.number().int().positive().describe('Prints so much of nothing.'),
    hang: z.literal(true).describe('Does not end by itself.'),
    exit: z.number().int().describe('The exit code.'),
  })
  .partial();
export type BenchTurn = z.infer<typeof BenchTurn>;

const Turns = z.array(BenchTurn).min(1);

const CastEntry = z.union([
  Turns,
  z.strictObject({
    driver: z.literal('fake').optional(),
    model: z.string().optional(),
    sessionUsd: z.number().optional(),
    maxPromptChars: z.number().int().positive().optional(),
    turns: Turns,
  }),
]);

const Count = z.union([
  z.number().int().nonnegative(),
  z.strictObject({ min: z.number().int().nonnegative(), max: z.number().int().nonnegative() }),
]);

/** How a loop has to end, and what has to be true of it then. */
export const BenchExpectation = z.strictObject({
  ending: z.enum(['approved', 'escalated', 'rejected']),
  reason: EscalationReason.optional(),
  rounds: Count.optional(),
  /** Sessions by the name of the agent. */
  calls: z.record(z.string(), Count).optional(),
  /** Why the attempts at a review that gave no verdict gave none, in their order. */
  noVerdict: z.array(NoVerdict).optional(),
  /** By which way the approving answer came. */
  channel: Channel.optional(),
  findingCount: z.number().int().nonnegative().optional(),
  /** What became of findings that are known by some of their words. */
  findings: z
    .array(
      z.strictObject({
        says: z.string(),
        status: FindingStatus.optional(),
        severity: Severity.optional(),
        provenance: Provenance.optional(),
        source: FindingSource.optional(),
      }),
    )
    .optional(),
  /** Findings that are left open and do not block. */
  followUps: z.number().int().nonnegative().optional(),
  spendUsd: z.number().nonnegative().optional(),
});
export type BenchExpectation = z.infer<typeof BenchExpectation>;

/** One story of the loop benchmark: a change, agents that follow a script, and the ending that is the right one. */
export const BenchScenario = z
  .strictObject({
    name: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
    theme: BenchTheme,
    about: z.string().min(1),
    why: z.string().min(1),
    task: z.string().min(1),
    /** The base, by path. */
    files: z.record(z.string(), Text),
    /** What the change makes of files, where no author makes it; null: gone. */
    change: z.record(z.string(), Text.nullable()).optional(),
    gates: z.array(z.strictObject({ name: z.string(), run: z.string() })).optional(),
    /** In the words of volley.yaml. */
    policy: z
      .strictObject({
        maxRounds: z.number().int().positive(),
        maxAuthorIterations: z.number().int().positive(),
        maxGateFixes: z.number().int().nonnegative(),
        blockAt: Severity,
        convergence: z.enum(['ratchet', 'strict']),
        quorum: z.enum(['all', 'majority', 'any']),
        ceiling: z.strictObject({ loop: z.number().nonnegative() }),
        timeouts: z.strictObject({ review: z.string(), fix: z.string(), idle: z.string() }).partial(),
      })
      .partial()
      .optional(),
    /** The reviewers; the agent `reviewer` where it is left out. */
    panel: z.array(z.string()).min(1).optional(),
    fallback: z.array(z.string()).optional(),
    /** Each agent and its turns, the last of which repeats; `author`, `reviewer`, `fixer` and `arbiter` play the role of their name. */
    agents: z.record(z.string(), CastEntry),
    expect: BenchExpectation,
  })
  .refine(({ change, agents }) => (change === undefined) === 'author' in agents, { error: 'needs either a change or an author' });
export type BenchScenario = z.infer<typeof BenchScenario>;

/** A text that may be written as its lines. */
export function benchText(text: string | readonly string[]): string {
  return typeof text === 'string' ? text : text.map((line) => `${line}\n`).join('');
}

/** The turns of an agent, and how it is configured beside them. */
export function castOf(scenario: BenchScenario, agent: string): Exclude<BenchScenario['agents'][string], readonly unknown[]> {
  const entry = scenario.agents[agent] ?? [];
  return Array.isArray(entry) ? { turns: entry } : entry;
}

/** The turn that an agent plays when it is started for the nth time, from 1; the last one repeats. */
export function benchTurn(scenario: BenchScenario, agent: string, call: number): BenchTurn {
  const { turns } = castOf(scenario, agent);
  return turns[Math.min(call, turns.length) - 1] ?? {};
}
