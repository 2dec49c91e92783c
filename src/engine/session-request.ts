import type { ReportWay, Subject } from '../agents/agent.ts';
import type { Access } from '../core/access.ts';
import type { Loop } from '../core/loop.ts';
import type { Report } from '../core/prompts/report.ts';
import type { AgentSpec, Role } from '../core/settings.ts';
import type { Engine } from './engine.ts';

/** What a session is asked to do. `prompt` gets the nonce and the result file of this session. */
export type SessionRequest = {
  readonly engine: Engine;
  readonly loop: Loop;
  readonly token: number;
  readonly role: Role;
  readonly agent: string;
  /** Which of the sessions of its action it is, from 0, and how many there are. */
  readonly seat?: SessionSeat;
  /** Programs in the place of the configured ones, where those are part of the change under review. */
  readonly programs?: Pick<AgentSpec, 'run' | 'sarif'>;
  readonly round: number;
  readonly cwd: string;
  /** What it has to reach beside its folder. */
  readonly access: Access;
  /** Whether it may obey the repository's settings for agents; nobody does if left out. */
  readonly obeysProject?: boolean;
  /** The way in which its result should come back, where its agent has it; else the best that it has. */
  readonly way?: ReportWay;
  readonly base: string;
  readonly head: string;
  /** Null: an empty folder is made. */
  readonly scratch: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly wallMs: number;
  readonly signal: AbortSignal;
  /** What must have come to its end before the agent starts. */
  readonly ready?: Promise<unknown>;
  /** What to save when the session is stopped from outside. */
  readonly onStop: (() => Promise<void>) | null;
  readonly subject: Subject;
  prompt(given: { readonly report: Report }): string;
};

/** The place of a session among those of its action. */
export type SessionSeat = { readonly index: number; readonly of: number };
