import type { FileLayer } from './layer.ts';
import { readLayer } from './layer.ts';
import type { Loaded } from './load.ts';

/**
 * A configuration without the variables of the environment that a project's file alone wants for an agent: where an agent asks for a
 * review, only the user's own file may hand the secrets of this machine to a program.
 */
export function withUsersEnv(loaded: Loaded, user: readonly FileLayer[]): Loaded {
  const own = user.map((layer) => readLayer(layer).values.agents ?? {});
  const notes: string[] = [];
  const entries = Object.entries(loaded.config.agents).map(([name, agent]) => {
    const origin = loaded.origins.get(`agents.${name}.env`);
    const { env } = agent;
    if (env === undefined || origin?.layer !== 'project') return [name, agent] as const;
    const kept = env.filter((variable) => own.some((agents) => agents[name]?.env?.includes(variable) === true));
    if (kept.length < env.length)
      notes.push(
        `${origin.label}:${origin.line}: agents.${name}.env is not taken for ${env.filter((variable) => !kept.includes(variable)).join(', ')}, because an agent asks and your own configuration does not name it`,
      );
    return [name, { ...agent, env: kept }] as const;
  });
  return { ...loaded, config: { ...loaded.config, agents: Object.fromEntries(entries) }, notes: [...loaded.notes, ...notes] };
}
