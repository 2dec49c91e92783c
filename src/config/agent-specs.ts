import { BUILTIN, hasModel, plainAgent } from '../core/settings.ts';
import type { AgentPrice, AgentSpec } from '../core/settings.ts';
import { outranks } from './load.ts';
import type { Loaded } from './load.ts';
import type { Config } from './schema.ts';

/** How the names of programs are looked up; the configuration itself touches no disk. */
export type Programs = {
  /** The absolute path of the file that an element of `run` names from a folder, null if there is none. */
  resolveFile(dir: string, element: string): string | null;
  /** The absolute path that a text means: from a folder where it is relative, from the user's home where it begins with `~/`. */
  resolvePath(dir: string | null, path: string): string;
  /** The absolute path of a program in PATH, null if there is none. */
  findProgram(name: string): string | null;
};

/** The built-in agent, the configured ones and, without an entry, the detected ones, by name. */
export function agentSpecs(loaded: Loaded, programs: Programs, detected: readonly string[]): Map<string, AgentSpec> {
  const specs = new Map<string, AgentSpec>([[BUILTIN, plainAgent({ name: BUILTIN, driver: BUILTIN })]]);
  for (const name of detected) specs.set(name, plainAgent({ name, driver: name }));
  for (const [name, agent] of Object.entries(loaded.config.agents)) {
    const dir = loaded.origins.get(`agents.${name}.run`)?.dir ?? null;
    specs.set(name, {
      name,
      driver: agent.driver,
      run: resolveRun(agent.run ?? [], dir, programs),
      env: agent.env ?? [],
      trustText: agent.trustText ?? false,
      model: agent.model ?? null,
      sessionUsd: agent.sessionUsd ?? null,
      sarif: agent.sarif ?? [],
      ignore: agent.ignore ?? [],
      maxPromptChars: agent.maxPromptChars ?? null,
      billing: agent.billing ?? null,
      price: priceOf(agent.price),
      hosts: agent.hosts ?? [],
    });
  }
  return specs;
}

/**
 * The name of an agent that works with the model of a task type: the agent itself where nothing changes, else one beside
 * it, because the same agent may author with one model and review with another. Not every driver has a model to choose.
 */
export function withModel(specs: Map<string, AgentSpec>, name: string, wish: ModelWish): string {
  const spec = specs.get(name);
  if (spec === undefined || wish.model === undefined || wish.model === spec.model || !hasModel(spec.driver)) return name;
  if (outranks(wish.origins.get(`agents.${name}.model`), wish.origins.get(wish.path))) return name;
  const variant = `${name}@${wish.model.replace(/[^A-Za-z0-9._-]+/g, '-')}`;
  specs.set(variant, { ...spec, name: variant, model: wish.model });
  return variant;
}

/** The model that a task type asks for, the path of the setting that does, and where all settings come from. */
export type ModelWish = { readonly model: string | undefined; readonly path: string; readonly origins: Loaded['origins'] };

function priceOf(price: Config['agents'][string]['price']): AgentPrice | null {
  return price === undefined ? null : { ...price, cached: price.cached ?? null, cacheWrite: price.cacheWrite ?? null };
}

/** What cannot be found stays as it is written; detection reports it when the agent is needed. */
function resolveRun(run: readonly string[], dir: string | null, programs: Programs): string[] {
  return run.map((element, index) => {
    const file = dir === null ? null : programs.resolveFile(dir, element);
    return file ?? (index === 0 ? programs.findProgram(element) : null) ?? element;
  });
}
