import { z } from 'zod';
import { Policy } from './policy.ts';

/** The part that an agent plays. */
export const Role = z.enum(['author', 'reviewer', 'fixer', 'arbiter']);
export type Role = z.infer<typeof Role>;

/** Whether a role only looks at a change: its word is a verdict, and it may write nothing. */
export function looksOnly(role: Role | 'gate'): boolean {
  return role === 'reviewer' || role === 'arbiter';
}

/** Prices in dollars per million tokens. */
export const AgentPrice = z.object({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cached: z.number().nonnegative().nullable(),
  cacheWrite: z.number().nonnegative().nullable(),
});
export type AgentPrice = z.infer<typeof AgentPrice>;

/** How an agent is paid for. */
export const Billing = z.enum(['api', 'subscription']);
export type Billing = z.infer<typeof Billing>;

/** A configured agent. `run` holds absolute paths by now; `env` holds names only, never values. */
export const AgentSpec = z.object({
  name: z.string(),
  driver: z.string(),
  run: z.array(z.string()),
  env: z.array(z.string()),
  trustText: z.boolean(),
  model: z.string().nullable(),
  sessionUsd: z.number().nonnegative().nullable(),
  /** Commands that print SARIF, whose results join those of the built-in reviewer. */
  sarif: z.array(z.string()).default([]),
  /** Rules of the built-in reviewer that are switched off. */
  ignore: z.array(z.string()).default([]),
  /** The longest prompt that it takes whole, in characters; null for what its driver says. */
  maxPromptChars: z.number().int().positive().nullable().default(null),
  billing: Billing.nullable().default(null),
  /** Hosts that it may reach beside those of its provider. */
  hosts: z.array(z.string()).default([]),
  /** Prices in dollars per million tokens, in the place of the known ones; what is left out costs as much as its kind. */
  price: AgentPrice.nullable().default(null),
});
export type AgentSpec = z.infer<typeof AgentSpec>;

/** An agent with nothing set but what is given. */
export function plainAgent(given: Pick<AgentSpec, 'name' | 'driver'> & Partial<AgentSpec>): AgentSpec {
  const nothing = { run: [], env: [], trustText: false, model: null, sessionUsd: null, sarif: [], ignore: [], hosts: [] };
  return { ...nothing, maxPromptChars: null, billing: null, price: null, ...given };
}

/** Who plays which role, by agent name. */
export const Roles = z.object({
  author: z.string().nullable(),
  reviewer: z.array(z.string()),
  fixer: z.string().nullable(),
  arbiter: z.string().nullable(),
  fallback: z.array(z.string()),
});
export type Roles = z.infer<typeof Roles>;

/** The name of the gate that runs the repository's own commit hooks. */
export const HOOKS_GATE = 'commit-hooks';

/** A command that must pass. It runs through a shell, because people write it as a shell line. */
export const GateSpec = z.object({
  name: z.string(),
  run: z.string(),
  cwd: z.string(),
  /** Globs; the gate runs only if the change touches one of them. Empty: always. */
  paths: z.array(z.string()),
  network: z.boolean(),
});
export type GateSpec = z.infer<typeof GateSpec>;

/** What agents and gates may touch and reach, where it differs from the rule of their role. */
export const Confine = z.object({
  /** Absolute paths. */
  read: z.array(z.string()),
  write: z.array(z.string()),
  network: z.enum(['open', 'provider', 'none']).nullable(),
  /** Hosts that all may reach who may reach anything. */
  hosts: z.array(z.string()).default([]),
  projectSettings: z.enum(['none', 'base']),
  /** Whether nothing may start that the operating system does not hold. */
  required: z.boolean().default(false),
});
export type Confine = z.infer<typeof Confine>;

/** All that a loop was configured with when it started; it never changes under way. */
export const Settings = z.object({
  policy: Policy,
  roles: Roles,
  agents: z.record(z.string(), AgentSpec),
  gates: z.array(GateSpec),
  review: z.object({ enabled: z.boolean(), context: z.enum(['diff', 'files']) }),
  /** False: an implement task ends as "implemented, not reviewed". */
  autoReview: z.boolean(),
  /** Whether a blocking review goes on to the fixer by itself. */
  autoIterate: z.boolean(),
  commit: z.object({ message: z.string(), sign: z.enum(['inherit', 'off']) }),
  /** Where the repository keeps its commit hooks, and which of them the base branch has; they run as a gate. */
  commitHooks: z.object({ path: z.string(), names: z.array(z.enum(['pre-commit', 'commit-msg'])) }).nullable(),
  branchPrefix: z.string(),
  checkout: z.object({ copy: z.array(z.string()), setup: z.string().nullable() }),
  confine: Confine.default({ read: [], write: [], network: null, hosts: [], projectSettings: 'none', required: false }),
  /** How a fix that a person orders differs: another name for the fixer, because its model differs, and another limit of time. */
  improve: z
    .object({ fixer: z.string().nullable(), timeoutMs: z.number().positive().nullable() })
    .default({ fixer: null, timeoutMs: null }),
  /** Template of the review document's path, relative to the project's root. */
  artefactPath: z.string(),
});
export type Settings = z.infer<typeof Settings>;

/** The agent that is always there: static analysis, without a model. */
export const BUILTIN = 'builtin';

/** Whether a driver runs a model that can be chosen. */
export function hasModel(driver: string): boolean {
  return driver !== 'command' && driver !== BUILTIN;
}

/** Whether sessions of this agent cost money: what runs no model is free, unless a model or a budget is named for a command. */
export function isPaid(agent: AgentSpec | undefined): boolean {
  if (agent === undefined || agent.driver === BUILTIN) return false;
  return hasModel(agent.driver) || agent.model !== null || agent.sessionUsd !== null || agent.price !== null;
}
