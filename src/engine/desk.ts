import type { AgentDesk } from './agent-desk.ts';
import type { ChangeDesk } from './change-desk.ts';
import type { ControlDesk } from './control-desk.ts';
import type { Engine } from './engine.ts';
import type { LiveDesk } from './live-desk.ts';
import type { ResultDesk } from './result-desk.ts';
import type { SettingsDesk } from './settings-desk.ts';
import type { TaskDesk } from './task-desk.ts';

/** Where every door asks: an open project with its engine, and what needs more of the world than the engine has. `app-desk.ts` puts it together. */
export type Desk = {
  readonly engine: Engine;
  /** The folder's name, and where the project lies. */
  readonly project: { readonly name: string; readonly root: string };
  /** In whose name people decide here. */
  readonly person: string;
  readonly tasks: TaskDesk;
  readonly changes: ChangeDesk;
  /** What can be done with what a loop came to. */
  readonly results: ResultDesk;
  readonly agents: AgentDesk;
  readonly settings: SettingsDesk;
  /** What agents that use Volley ask for. */
  readonly control: ControlDesk;
  readonly live: LiveDesk;
  /** Tells whoever drives loops in this process that there may be something to drive. */
  stir(): void;
};
