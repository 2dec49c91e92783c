import type { Agent } from '../agents/agent.ts';
import type { Confinement } from '../confine/confinement.ts';
import type { Event } from '../core/event.ts';
import type { JournalEntry } from '../core/event.ts';
import type { Loop } from '../core/loop.ts';
import type { Usage } from '../core/review.ts';
import type { AgentSpec, GateSpec } from '../core/settings.ts';
import type { Dispatcher } from '../dispatch/dispatcher.ts';
import type { GateLaunch, GateRun } from '../gates/gate.ts';
import type { Workspace } from '../git/workspace.ts';
import type { Store } from '../store/store.ts';
import type { Inbox } from './inbox.ts';

/** A growing record of a session. */
export type Transcript = { readonly path: string; write(text: string): void; close(): void };

/** A stretch of a text: how long the whole is, and at which byte the next stretch begins; null at the end. */
export type ArtefactText = { readonly text: string; readonly bytes: number; readonly offset: number; readonly next: number | null };

/** The documents of a project. */
export type Artefacts = {
  write(path: string, text: string): Promise<void>;
  exists(path: string): Promise<boolean>;
  /** How many bytes a file has; null where there is none that could be ours. */
  bytes(path: string): Promise<number | null>;
  /** A stretch of a text; null where there is no file that could be ours. */
  read(path: string, stretch: { readonly offset: number; readonly limit: number }): Promise<ArtefactText | null>;
  openTranscript(name: string): Promise<Transcript>;
  /** An empty folder for one session, outside of every repository. */
  makeSessionFolder(name: string): Promise<{ readonly dir: string; remove(): Promise<void> }>;
  /** Removes the folders of all sessions of a loop. */
  removeSessionFolders(uid: string): Promise<void>;
};

/** What people watch while a loop runs. */
export type Progress =
  | { readonly type: 'journal'; readonly loop: Loop; readonly before: Loop | null; readonly entry: JournalEntry }
  | { readonly type: 'activity'; readonly loopId: number; readonly text: string };

/** Everything that the engine needs of the world. `app.ts` puts it together. */
export type Engine = {
  readonly store: Store;
  readonly dispatcher: Dispatcher;
  readonly workspace: Workspace;
  readonly confinement: Confinement;
  readonly artefacts: Artefacts;
  /** The home folder of agents and gates. */
  readonly home: string;
  createAgent(spec: AgentSpec): Agent;
  /** What these tokens cost with this model; null where nobody knows. */
  price(spec: AgentSpec, model: string | null, usage: Usage): Promise<number | null>;
  /** Serves an inbox on a socket, to which the bridge that it names relays. */
  openChannel(inbox: Inbox, socket: string): Promise<{ readonly bridge: readonly string[]; close(): Promise<void> }>;
  runGate(launch: GateLaunch): Promise<GateRun>;
  gateMatches(gate: GateSpec, paths: readonly string[]): boolean;
  /** Ends whatever a session that carried this marker left running. */
  killMarked(marker: string): Promise<number>;
  now(): string;
  report(progress: Progress): void;
};

/** What an action is performed with. */
export type Step<A> = {
  readonly engine: Engine;
  readonly loop: Loop;
  readonly action: A;
  readonly token: number;
  readonly signal: AbortSignal;
  /** Journals a part of the result under the action's token, while the rest is under way. */
  journal(event: StepResult): Promise<void>;
};

/** The result of performing an action. */
export type StepResult = Extract<Event, { type: 'authored' | 'fixed' | 'gated' | 'reviewed' | 'arbitrated' | 'checkout-lost' }>;
