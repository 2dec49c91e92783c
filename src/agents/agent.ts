import type { Access } from '../core/access.ts';
import type { Change } from '../core/diff.ts';
import type { Finding } from '../core/finding.ts';
import type { Usage } from '../core/review.ts';
import type { AgentSpec, Billing, Role } from '../core/settings.ts';

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
  /** What stands before the agent's own program and arguments, so that it starts inside its confinement; empty where nothing wraps it. */
  readonly launcher: readonly string[];
  /** Whether the operating system holds it; where not, an agent with a sandbox or rules of its own has to use them. */
  readonly held: boolean;
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
  /** How the result is to be handed back, which the prompt says too; `structured`: by the agent's own output with a JSON schema. */
  readonly report: ReportWay;
  /** The id of an earlier session of this agent that goes on; null: fresh eyes. */
  readonly resume: string | null;
  /** Whether it may obey the settings that the repository has for agents: those of the base branch, which nobody changed since. */
  readonly obeysProject: boolean;
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
  /** What the agent says of itself, once or as it learns it: the id by which it can be resumed, the model, and who pays. */
  | { readonly type: 'session'; readonly id: string | null; readonly model: string | null; readonly billing: Billing | null }
  /** A tool that the agent called; `input` is what the driver's own stream says of the arguments. */
  | {
      readonly type: 'tool';
      readonly name: string;
      /** One line for people. */
      readonly detail: string;
      readonly input: unknown;
      readonly file: string | null;
      readonly command: string | null;
    }
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

/** Why a session counts for nothing; `limited` and `logged-out` are nobody's fault and pass. */
export type FailureReason =
  | 'not-started'
  | 'crashed'
  | 'timed-out'
  | 'idle'
  | 'cancelled'
  | 'output-too-large'
  | 'bad-result'
  | 'limited'
  | 'logged-out';

/** The ways in which a result comes back. */
export type ReportWay = 'mcp' | 'structured' | 'result-file';

/** With whose account an agent works here. */
export type Login = {
  /** `key`: by a variable that the configuration names; `login`: by Volley's own login; `none`: not at all. */
  readonly by: 'key' | 'login' | 'none';
  readonly billing: Billing | null;
  /** In words, e.g. `Claude Max, logged in` or `ANTHROPIC_API_KEY`. */
  readonly text: string;
};

/** Whether an agent can be used here; `login` is null for one that needs none. */
export type Detection = {
  readonly available: boolean;
  readonly version: string | null;
  readonly problem: string | null;
  readonly login: Login | null;
};

/**
 * What a session of an agent needs beside its checkout: to read its program, to write the config home of Volley's that holds its
 * login, but not the settings in there, which it must not leave to the next session.
 */
export type AgentNeeds = Pick<Access, 'read' | 'write' | 'protect'> & {
  /** The hosts of its provider, as `name` (port 443) or `name:port`; a leading `*.` stands for all below. */
  readonly hosts: readonly string[];
};

/** A program that can play a role. */
export type Agent = {
  readonly spec: AgentSpec;
  /** How its sessions hand their results back, the best way first, so that the prompt can say so. */
  readonly reportsBy: readonly ReportWay[];
  /** Whether it can hold itself back where the operating system does not. */
  readonly holdsItself: boolean;
  /** The longest prompt that it takes whole, in characters; null where nothing limits it. */
  readonly maxPromptChars: number | null;
  detect(): Promise<Detection>;
  needs(): Promise<AgentNeeds>;
  run(input: AgentInput, signal: AbortSignal): AsyncIterable<AgentEvent>;
};

/** Where drivers keep what lasts: one config home for each kind of agent, with a login of Volley's own. */
export type DriverPlace = { readonly homes: string };

/** The code that runs one kind of agent, and the roles that such an agent can play. */
export type Driver = {
  readonly id: string;
  readonly roles: readonly Role[];
  create(spec: AgentSpec, place: DriverPlace): Agent;
  /** How a person logs in, with the agent's own program, into the home that Volley keeps; left out where nobody has to. */
  readonly login?: (spec: AgentSpec, place: DriverPlace) => Promise<LoginCommand>;
};

/** A program to run in a person's terminal. */
export type LoginCommand = { readonly argv: readonly string[]; readonly env: Readonly<Record<string, string>> };

/** The needs of an agent that is no program, or brings no more than its checkout. */
export const NO_NEEDS: AgentNeeds = { read: [], write: [], protect: [], hosts: [] };
