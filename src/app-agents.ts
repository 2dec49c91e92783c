import type { Login } from './agents/agent.ts';
import { findCli } from './agents/cli-detect.ts';
import { createAgent, DRIVERS, rolesOf } from './agents/index.ts';
import { agentHomes } from './app-files.ts';
import { KNOWN_AGENTS } from './config/known-agents.ts';
import type { KnownAgent } from './config/known-agents.ts';
import { plainAgent } from './core/settings.ts';
import type { Role } from './core/settings.ts';

/** An agent that was found on this machine. */
export type FoundAgent = {
  readonly name: string;
  readonly title: string;
  readonly version: string | null;
  /** What it can be in a loop; nothing where there is no driver for it. */
  readonly roles: readonly Role[];
  /** Whether it comes with Volley. */
  readonly own: boolean;
  /** Whether this version of Volley can run it. */
  readonly usable: boolean;
  /** Why it did not say its version, or cannot be used; null if all is well. */
  readonly problem: string | null;
  /** With whose account it works; null for one that needs none. */
  readonly login: Login | null;
};

/** The agents of this machine: coding agents in PATH, and what Volley brings itself. */
export async function findAgents(): Promise<readonly FoundAgent[]> {
  const found = KNOWN_AGENTS.map(lookFor);
  // A command is no agent until somebody names its program.
  const brought = DRIVERS.filter(({ id }) => id !== 'command' && !KNOWN_AGENTS.some(({ driver }) => driver === id));
  const own = brought.map(async ({ id, roles }): Promise<FoundAgent> => {
    const { available, version, problem, login } = await detect(id);
    return { name: id, title: id, version, roles, own: true, usable: available, problem, login };
  });
  return (await Promise.all([...found, ...own])).filter((agent) => agent !== null);
}

async function lookFor({ driver, title, program }: KnownAgent): Promise<FoundAgent | null> {
  const { path, version, problem } = await findCli(program, { run: [] });
  if (path === null) return null;
  const roles = rolesOf(driver);
  const login = roles.length === 0 ? null : (await detect(driver)).login;
  return { name: driver, title, version, roles, own: false, usable: roles.length > 0, problem, login };
}

async function detect(driver: string): ReturnType<ReturnType<typeof createAgent>['detect']> {
  return await createAgent(plainAgent({ name: driver, driver }), { homes: agentHomes() }).detect();
}
