import type { Detection } from './agents/agent.ts';
import { createAgent, DRIVERS } from './agents/index.ts';
import { agentHomes } from './app-files.ts';
import { programs } from './app-config.ts';
import { agentSpecs } from './config/agent-specs.ts';
import { castRoles, leavesOpen } from './config/cast-roles.ts';
import type { Casting, ReadyAgent } from './config/cast-roles.ts';
import { KNOWN_AGENTS } from './config/known-agents.ts';
import type { Loaded } from './config/load.ts';
import { plainAgent } from './core/settings.ts';
import type { AgentSpec } from './core/settings.ts';

/** A coding agent that this version of Volley can run, as it is configured or as it is, and what was found of it. */
export type Candidate = { readonly spec: AgentSpec; readonly title: string; readonly detection: Detection };

/** Every coding agent that there is a driver for, the first choice first. */
export async function findCandidates(loaded: Loaded): Promise<readonly Candidate[]> {
  const specs = agentSpecs(loaded, programs, []);
  const known = KNOWN_AGENTS.filter(({ driver }) => DRIVERS.some(({ id }) => id === driver));
  return await Promise.all(
    known.map(async ({ driver, title }) => {
      const entry = specs.get(driver) ?? [...specs.values()].find((spec) => spec.driver === driver);
      const spec = entry?.driver === driver ? entry : plainAgent({ name: driver, driver });
      return { spec, title, detection: await createAgent(spec, { homes: agentHomes() }).detect() };
    }),
  );
}

/** Whether a candidate could start right now. */
export function isReady({ detection }: Pick<Candidate, 'detection'>): boolean {
  return detection.available && detection.login?.by !== 'none';
}

/** The configuration with every open role given to an agent that is ready, and the names of those that need no entry. */
export async function castOpenRoles(
  loaded: Loaded,
  casting: Casting,
): Promise<{ readonly loaded: Loaded; readonly detected: readonly string[] }> {
  const named = namedAgents(loaded);
  const candidates = leavesOpen(loaded, casting) ? await findCandidates(loaded) : [];
  const ready = candidates.filter(isReady).map(({ spec }): ReadyAgent => ({ name: spec.name, driver: spec.driver }));
  // Whoever is named by the name of a driver needs no entry.
  return { loaded: castRoles(loaded, ready, casting), detected: [...new Set([...ready.map(({ name }) => name), ...named])] };
}

function namedAgents({ config: { roles, agents } }: Loaded): string[] {
  const names = [roles.author, roles.fixer, roles.arbiter, ...[roles.reviewer].flat(), ...roles.fallback];
  return names.filter(
    (name): name is string =>
      name !== undefined &&
      agents[name] === undefined &&
      KNOWN_AGENTS.some(({ driver }) => driver === name) &&
      DRIVERS.some(({ id }) => id === name),
  );
}
