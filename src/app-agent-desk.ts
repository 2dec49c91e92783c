import type { Detection } from './agents/agent.ts';
import { DRIVERS } from './agents/index.ts';
import type { App } from './app.ts';
import { isReady } from './app-cast.ts';
import { programs } from './app-config.ts';
import { readSettings, rolesWith } from './app-read-settings.ts';
import { agentSpecs } from './config/agent-specs.ts';
import { castRoles } from './config/cast-roles.ts';
import { KNOWN_AGENTS } from './config/known-agents.ts';
import type { Loaded } from './config/load.ts';
import { toldUsd } from './core/ceilings.ts';
import { plainAgent } from './core/settings.ts';
import type { AgentSpec, Role } from './core/settings.ts';
import type { AgentDesk, AgentState } from './engine/agent-desk.ts';
import { sessionLevel } from './engine/session-level.ts';
import { freshFor } from './lib/fresh.ts';
import type { AgentSpend } from './store/store.ts';

const HOLDS_MS = 60_000;

/** The agents of an open project. */
export function agentDesk({ engine, project, drivers }: App): AgentDesk {
  const detections = freshFor<Detection>(HOLDS_MS, () => performance.now());
  const rolesOf = rolesWith(drivers);
  const names = [...DRIVERS.map(({ id }) => id), ...drivers];
  return {
    drivers: names.map((id) => ({ id, roles: rolesOf(id) })),
    list: async () => {
      const loaded = await readSettings(project.currentWorktree, {}, drivers);
      const found = await Promise.all(
        specsOf(loaded).map(async (spec) => {
          const agent = engine.createAgent(spec);
          const detection = await detections.get(JSON.stringify(spec), async () => await agent.detect());
          return { spec, detection, confinement: sessionLevel(engine, agent) };
        }),
      );
      const plays = partsOf(loaded, found);
      const spend = spendOf(await engine.store.spendByAgent());
      return found.map(({ spec: { name, driver, model }, detection, confinement }): AgentState => ({
        name,
        driver,
        configured: Object.hasOwn(loaded.config.agents, name),
        roles: rolesOf(driver),
        plays: plays.get(name) ?? [],
        model,
        confinement,
        ...detection,
        spend: spend.get(name) ?? null,
      }));
    },
  };
}

/** The configured agents, and those that need no entry. A command is no agent until somebody names its program. */
function specsOf(loaded: Loaded): readonly AgentSpec[] {
  const specs = agentSpecs(loaded, programs, []);
  for (const { id } of DRIVERS) if (id !== 'command' && !specs.has(id)) specs.set(id, plainAgent({ name: id, driver: id }));
  return [...specs.values()];
}

type Found = { readonly spec: AgentSpec; readonly detection: Detection };

/** Who would play which role in a new loop: as it is configured, else whoever is ready. */
function partsOf(loaded: Loaded, found: readonly Found[]): ReadonlyMap<string, readonly (Role | 'fallback')[]> {
  const isKnown = ({ spec }: Found): boolean => KNOWN_AGENTS.some(({ driver }) => driver === spec.driver);
  const ready = found.filter((one) => isKnown(one) && isReady(one)).map(({ spec }) => spec);
  const { roles } = castRoles(loaded, ready, { authored: true, fixed: true }).config;
  const cast = [
    ['author', roles.author],
    ['reviewer', roles.reviewer],
    ['fixer', roles.fixer ?? roles.author],
    ['arbiter', roles.arbiter],
    ['fallback', roles.fallback],
  ] as const;
  const parts = new Map<string, (Role | 'fallback')[]>();
  for (const [role, names] of cast) for (const name of [names ?? []].flat()) parts.set(name, [...(parts.get(name) ?? []), role]);
  return parts;
}

/** By the name of the agent; one that worked with another model for some tasks was booked as `name@model`. */
function spendOf(booked: readonly AgentSpend[]): ReadonlyMap<string, Omit<AgentSpend, 'agent'>> {
  const sums = new Map<string, Omit<AgentSpend, 'agent'>>();
  for (const { agent, ...one } of booked) {
    const name = agent.split('@')[0] ?? agent;
    const sum = sums.get(name);
    if (sum === undefined) sums.set(name, one);
    else
      sums.set(name, {
        sessions: sum.sessions + one.sessions,
        usd: sum.usd + one.usd,
        estimated: sum.estimated || one.estimated,
        lastAt: sum.lastAt > one.lastAt ? sum.lastAt : one.lastAt,
      });
  }
  return new Map(Array.from(sums, ([name, sum]) => [name, { ...sum, usd: toldUsd(sum.usd) }]));
}
