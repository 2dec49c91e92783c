import { z } from 'zod';
import type { Role } from '../settings.ts';
import { verdictOf } from './verdict-words.ts';

/** The tool by which an agent of one role hands its result back. */
export type ResultTool = { readonly name: string; readonly description: string; readonly input: z.ZodObject };

/** A JSON schema as tools publish it. */
export type PublishedSchema = { readonly type: 'object' } & Readonly<Record<string, unknown>>;

const Text = z.string().optional();
/** Agents write ids as numbers too, and lines as text; what is published is the kind that they should write. */
const Id = z.custom<string | number>(isTextOrNumber, 'Invalid input: expected string').meta({ type: 'string' });
const Line = z.custom<string | number>(isTextOrNumber, 'Invalid input: expected number').meta({ type: 'number' }).optional();
const Words = z.string().refine((text) => text.trim() !== '', 'Invalid input: it says nothing');

const LoopId = Id.meta({ description: 'The loop of this session' });
const FindingId = Id.meta({ description: 'The id of the finding, as the prompt names it' });

const Usage = z
  .object({ inputTokens: z.number().optional(), outputTokens: z.number().optional(), costUsd: z.number().optional() })
  .optional();

const ISSUE_TYPES = 'over-engineering, missing-error-handling, pattern-violation, dead-code or spec-intent-mismatch';

const Issue = z.object({
  file: Text,
  line: Line,
  lineEnd: Line,
  type: Text.describe(`What kind of issue it is: ${ISSUE_TYPES}`),
  severity: Text.describe('critical, high, medium, low or suggestion'),
  category: Text.describe('security, architecture, logic, style, performance, testing or documentation'),
  description: Words.describe('What is wrong'),
  impact: Text.describe('What it leads to'),
  suggestion: Text.describe('What to do about it'),
  patch: Text.describe('A unified diff that fixes it exactly'),
});

const Review = z.object({
  loopId: Id.meta({ description: 'The loop being reviewed' }),
  taskId: Id.meta({ description: 'The task that was reviewed (optional for checkpoint reviews)' }).optional(),
  passed: z.boolean().describe('Whether the change may go on as it is'),
  verdict: z
    .string()
    .refine((word) => verdictOf(word) !== null, 'Invalid input: expected approved, changes_requested or needs_discussion')
    .optional()
    .describe('approved, changes_requested, or needs_discussion where a person must decide'),
  summary: Text,
  interpretedIntent: Text.describe('What the task was really trying to accomplish'),
  intentSatisfied: z.boolean().optional(),
  issues: z.array(Issue).optional(),
  evidence: z.array(z.object({ claim: Text, command: Text, output: Text })).optional(),
  usage: Usage,
  head: Text.describe('The commit that was reviewed'),
});

const Fix = z.object({
  loopId: LoopId,
  summary: Text,
  resolutions: z
    .array(
      z.object({
        findingId: FindingId,
        status: z.enum(['fixed', 'disputed', 'needs_person']),
        note: Text.describe('What was done; for a disputed finding the evidence'),
        places: z
          .array(z.object({ file: z.string(), line: Line }))
          .optional()
          .describe('Where it was fixed'),
      }),
    )
    .optional(),
  commits: z
    .array(z.object({ summary: z.string(), paths: z.array(z.string()) }))
    .optional()
    .describe('How the work is split into commits, which are made for you'),
  usage: Usage,
});

const TaskComplete = z.object({
  loopId: LoopId,
  summary: Text,
  taskComplete: z.boolean().optional().describe('False if more work remains; left out it means true'),
  usage: Usage,
});

const Rulings = z.object({
  loopId: LoopId,
  rulings: z.array(z.object({ findingId: FindingId, ruling: z.enum(['upheld', 'refuted']), note: Text })),
});

/** The one tool that each role has. */
export const RESULT_TOOLS: Readonly<Record<Role, ResultTool>> = {
  reviewer: { name: 'set_loop_review_result', description: 'Report review results for a specific loop', input: Review },
  fixer: { name: 'report_fix', description: 'Report what was done about each finding of a specific loop', input: Fix },
  author: { name: 'report_task_complete', description: 'Report that the work on the task of a specific loop is done', input: TaskComplete },
  arbiter: { name: 'report_ruling', description: 'Report the ruling on each disputed finding of a specific loop', input: Rulings },
};

/** The input of a tool as agents are told it. */
export function publishedInput(tool: ResultTool): PublishedSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(tool.input, { io: 'input', unrepresentable: 'any' });
  return { ...schema, type: 'object' };
}

/** What is wrong with the arguments of a call, one sentence each, the place first; a null counts as left out. */
export function inputProblems(tool: ResultTool, input: unknown): readonly string[] {
  const read = tool.input.safeParse(withoutNulls(input));
  return read.success ? [] : read.error.issues.map(({ path, message }) => `${z.core.toDotPath(path) || 'arguments'}: ${message}.`);
}

function isTextOrNumber(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, item]) => (item === null ? [] : [[key, withoutNulls(item)]])));
}
