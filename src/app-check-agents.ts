import { createAgent } from './agents/index.ts';
import { ok, problem, warning } from './app-check.ts';
import type { Check } from './app-check.ts';
import { missingScript } from './config/missing-script.ts';
import type { AgentSpec, Settings } from './core/settings.ts';

/** Whether every agent that plays a role can be started. */
export async function checkAgents({ roles, agents }: Settings): Promise<Check[]> {
  const parts = new Map<string, string[]>();
  for (const [role, names] of Object.entries(roles)) {
    for (const name of [names ?? []].flat()) parts.set(name, [...(parts.get(name) ?? []), role]);
  }
  const checks = await Promise.all([...parts].map(async ([name, played]) => await checkAgent(agents[name], played)));
  const noAuthor = warning(
    'agent',
    'nobody as author: volley review needs none, volley run does',
    'Name one in volley.yaml: agents: { mine: { driver: command, run: ["bash", "agent.sh"] } } and roles: { author: mine }.',
  );
  return [...checks.flat(), ...(roles.author === null ? [noAuthor] : [])];
}

async function checkAgent(spec: AgentSpec | undefined, roles: readonly string[]): Promise<Check[]> {
  if (spec === undefined) throw new Error(`no agent for ${roles.join(', ')}`);
  const part = `${spec.name} as ${roles.join(' and ')}`;
  const remedy = 'Correct its entry in volley.yaml, or give the role to another agent.';
  const script = missingScript(spec.run);
  if (script !== null)
    return [problem('agent', `${part} cannot be started: there is no file ${script} beside the configuration that names it.`, remedy)];
  const { available, version, problem: why } = await createAgent(spec).detect();
  if (!available) return [problem('agent', `${part} cannot be started: ${why ?? 'unknown reason'}`, remedy)];
  const unset = spec.env.filter((name) => !process.env[name]);
  const missing = warning(
    'agent',
    `${part} is to get ${unset.join(', ')}, which is not set here.`,
    'Set it in the shell that you start volley from.',
  );
  return [ok('agent', `${part}${version === null ? '' : ` (${version})`}`), ...(unset.length === 0 ? [] : [missing])];
}
