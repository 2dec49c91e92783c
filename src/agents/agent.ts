import type { Change } from '../core/diff.ts';
import type { Finding } from '../core/finding.ts';
import type { Usage } from '../core/review.ts';
import type { AgentSpec, Role } from '../core/settings.ts';

/** What is worked on, as data: the same that the prompt says in words, for agents that read no prompt. */
export type Subject = {
  readonly change: Change | null;
  /** What a fixer has to answer; nobody else is told. */
  readonly findings: readonly Finding[];
  /** The project's own rules, of the base branch. */
  readonly rules: readonly { readonly name: string; readonly text: string }[];
};

/** What an agent is started with. */
export type AgentInput = {
  readonly role: Role;
  readonly cwd: string;
  readonly prompt: string;
  readonly subject: Subject;
  /** The environment as the confinement made it; nothing is inherited, a driver adds its own variables. */
  readonly env: Readonly<Record<string, string>>;
  /** The id of the task. */
  readonly task: number;
  readonly round: number;
  /** The word by which this session's answer is told from quoted text. */
  readonly nonce: string;
  /** A writable copy of the head in which a reviewer or arbiter may run things. */
  readonly scratch: string | null;
  readonly base: string;
  readonly head: string;
  /** How to start the bridge to this session's result channel; null where it has none. */
  readonly bridge: readonly string[] | null;
  /** Where the agent may write its result; it does not exist yet. */
  readonly resultFile: string;
  readonly wallMs: number;
  readonly idleMs: number;
  /** What the session may spend; null where nothing limits it. The engine stops it, a driver may do so before. */
  readonly budgetUsd: number | null;
  /** Names the session's processes, so that whoever takes over after a crash can end them; unique per session. */
  readonly marker: string;
};

/** What an agent tells while it works. Exactly one `ended` or `failed` comes last. */
export type AgentEvent =
  /** `pid` is null where the agent is no process of ours. */
  | { readonly type: 'started'; readonly pid: number | null }
  | { readonly type: 'text'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  /** A tool that the agent called; `input` is what the driver's own stream says of the arguments. */
  | { readonly type: 'tool'; readonly name: string; readonly detail: string; readonly input: unknown }
  /** What was used: by one step, or in total since the session began (since its thread began, where it was resumed). */
  | { readonly type: 'usage'; readonly counts: 'step' | 'total'; readonly usage: Usage; readonly model: string | null }
  | { readonly type: 'limited'; readonly until: string | null; readonly message: string }
  /** The session ended well; `output` is the last message (bounded), `result` the content of the result file. */
  | {
      readonly type: 'ended';
      readonly exitCode: 0;
      readonly output: string;
      readonly result: string | null;
      /** The driver hands the result over itself, and no file was written. */
      readonly structured?: boolean;
    }
  /** The session counts for nothing; what it left is there to be shown, never to be accepted. */
  | {
      readonly type: 'failed';
      readonly reason: FailureReason;
      readonly exitCode: number | null;
      readonly message: string;
      readonly output: string;
      readonly result: string | null;
    };

/** Why a session counts for nothing. */
export type FailureReason = 'not-started' | 'crashed' | 'timed-out' | 'idle' | 'cancelled' | 'output-too-large' | 'bad-result';

/** Whether an agent can be used here. */
export type Detection = { readonly available: boolean; readonly version: string | null; readonly problem: string | null };

/** A program that can play a role. */
export type Agent = {
  readonly spec: AgentSpec;
  /** How its sessions hand their results back, so that the prompt can say so. */
  readonly reportsBy: 'mcp' | 'result-file';
  /** The longest prompt that it takes whole, in characters; null where nothing limits it. */
  readonly maxPromptChars: number | null;
  detect(): Promise<Detection>;
  run(input: AgentInput, signal: AbortSignal): AsyncIterable<AgentEvent>;
};

/** The code that runs one kind of agent, and the roles that such an agent can play. */
export type Driver = { readonly id: string; readonly roles: readonly Role[]; create(spec: AgentSpec): Agent };
