import type { Login } from './agents/agent.ts';
import { createAgent, DRIVERS } from './agents/index.ts';
import { programs, readUserConfig } from './app-config.ts';
import { agentHomes } from './app-files.ts';
import { agentSpecs } from './config/agent-specs.ts';
import { VolleyError } from './core/errors.ts';
import { plainAgent } from './core/settings.ts';
import type { AgentSpec } from './core/settings.ts';
import { runInTerminal } from './lib/terminal.ts';
import { leaveOutPrograms } from './lib/executable.ts';

/** The agents that have a login of their own. */
export const WITH_LOGIN: readonly string[] = DRIVERS.filter(({ login }) => login !== undefined).map(({ id }) => id);

/** What a person's variables may say to an agent about its account; a login of Volley's own starts without any of it. */
const FOREIGN = /^(?:ANTHROPIC|CLAUDE|OPENAI|CODEX|GEMINI|GOOGLE)_/;

/** Lets a person log in with the agent's own program, into the config home that Volley keeps for it; `quiet` leaves standard output free. */
export async function logIn(name: string, given: { readonly more: readonly string[]; readonly quiet: boolean }): Promise<number> {
  const driver = DRIVERS.find(({ id }) => id === name);
  if (driver?.login === undefined) throw noLogin(name);
  const spec = await specOf(name);
  const place = { homes: agentHomes() };
  const { available, problem } = await createAgent(spec, place).detect();
  if (!available) {
    const remedy = `Install it first, then run volley login ${name} again.`;
    throw new VolleyError('agent-not-executable', `${name} cannot be started: ${problem ?? 'unknown reason'}`, remedy);
  }
  const { argv, env } = await driver.login(spec, place);
  const own = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined && !FOREIGN.test(entry[0]));
  // Not in the repository, whose settings its program would find.
  return await runInTerminal({
    argv: [...argv, ...given.more],
    cwd: place.homes,
    env: { ...Object.fromEntries(own), ...env },
    quiet: given.quiet,
  });
}

/** With whose account an agent works here; null where it cannot be started. */
export async function loginOf(name: string): Promise<{ readonly version: string | null; readonly login: Login } | null> {
  const { available, version, login } = await createAgent(await specOf(name), { homes: agentHomes() }).detect();
  return available && login !== null ? { version, login } : null;
}

/** The entry of the user's own configuration, which may name another program; a repository has no say in where somebody logs in. */
async function specOf(name: string): Promise<AgentSpec> {
  leaveOutPrograms(process.cwd());
  const loaded = await readUserConfig(DRIVERS.map(({ id }) => id));
  const spec = agentSpecs(loaded, programs, [name]).get(name);
  return spec?.driver === name ? spec : plainAgent({ name, driver: name });
}

function noLogin(name: string): VolleyError {
  const commands = WITH_LOGIN.map((id) => `volley login ${id}`).join(', ');
  return new VolleyError('bad-usage', `There is no login for '${name}'.`, `Write one of: ${commands}.`);
}
