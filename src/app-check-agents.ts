import type { Detection, Login } from './agents/agent.ts';
import { createAgent } from './agents/index.ts';
import { isReady } from './app-cast.ts';
import type { Candidate } from './app-cast.ts';
import { ok, problem, warning } from './app-check.ts';
import type { Check } from './app-check.ts';
import { agentHomes } from './app-files.ts';
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
    'Install and log in an agent (volley login claude, volley login codex), or name a program in volley.yaml:\nagents: { mine: { driver: command, run: ["bash", "agent.sh"] } } and roles: { author: mine }.',
  );
  return [...checks.flat(), ...(roles.author === null ? [noAuthor] : [])];
}

/** The agents of this machine that play no role, and what keeps them from it. */
export async function checkOthers({ roles, agents }: Settings, candidates: readonly Candidate[]): Promise<Check[]> {
  const playing = new Set(
    Object.values(roles)
      .flatMap((names) => [names ?? []].flat())
      .map((name) => agents[name]?.driver),
  );
  return candidates
    .filter(({ spec, detection }) => detection.available && !playing.has(spec.driver))
    .map((candidate) => {
      const { spec, title, detection } = candidate;
      const what = `${spec.name} (${[title, detection.version].filter((part) => part !== null).join(' ')})`;
      return isReady(candidate)
        ? ok('agent', `${what} plays no role: ${detection.login?.text ?? 'ready'}`)
        : warning('agent', `${what} is installed and plays no role: ${detection.login?.text ?? 'not logged in'}`, loginRemedy(spec));
    });
}

async function checkAgent(spec: AgentSpec | undefined, roles: readonly string[]): Promise<Check[]> {
  if (spec === undefined) throw new Error(`no agent for ${roles.join(', ')}`);
  const part = `${spec.name} as ${roles.join(' and ')}`;
  const remedy = 'Correct its entry in volley.yaml, or give the role to another agent.';
  const script = missingScript(spec.run);
  if (script !== null)
    return [problem('agent', `${part} cannot be started: there is no file ${script} beside the configuration that names it.`, remedy)];
  const detection = await createAgent(spec, { homes: agentHomes() }).detect();
  if (!detection.available) return [problem('agent', `${part} cannot be started: ${detection.problem ?? 'unknown reason'}`, remedy)];
  if (detection.login?.by === 'none') return [problem('agent', `${part} is ${detection.login.text}`, loginRemedy(spec))];
  const unset = spec.env.filter((name) => !process.env[name]);
  const missing = warning(
    'agent',
    `${part} is to get ${unset.join(', ')}, which is not set here.`,
    'Set it in the shell that you start volley from.',
  );
  return [ok('agent', `${part}${aboutOf(detection)}`), ...(unset.length === 0 ? [] : [missing])];
}

function aboutOf({ version, login }: Detection): string {
  const about = [version, login === null ? null : accountOf(login)].filter((part) => part !== null);
  return about.length === 0 ? '' : ` (${about.join('; ')})`;
}

function accountOf({ text, billing }: Login): string {
  return `${text}${billing === null ? '' : `, billed by ${billing === 'api' ? 'use' : 'subscription'}`}`;
}

function loginRemedy({ driver }: AgentSpec): string {
  return `Log in once with volley login ${driver}.`;
}
