import { fileURLToPath } from 'node:url';
import type { Agent, AgentEvent, AgentInput } from './agents/agent.ts';
import { callTool } from './agents/fake-calls.ts';
import { fakeAgent, fakeEnded } from './agents/fake.ts';
import { createAgent } from './agents/index.ts';
import { agentHomes } from './app-files.ts';
import { benchText, benchTurn, castOf } from './core/bench-scenario.ts';
import type { BenchScenario } from './core/bench-scenario.ts';
import type { AgentSpec } from './core/settings.ts';

/** The folder with the scenarios and the program that plays them. */
export const BENCH_FOLDER = fileURLToPath(new URL('../examples/loop-benchmark/', import.meta.url));

/** The configuration in which a scenario is played; JSON is YAML too. */
export function benchConfig(scenario: BenchScenario, stateDir: string): string {
  const names = Object.keys(scenario.agents);
  const has = (name: string): boolean => names.includes(name);
  const { gates = [], policy = {}, panel = ['reviewer'], fallback = [] } = scenario;
  const agents = names.map((name) => [name, agentEntry(scenario, name, stateDir)] as const);
  const roles = {
    ...(has('author') ? { author: 'author' } : {}),
    reviewer: panel,
    ...(has('fixer') ? { fixer: 'fixer' } : {}),
    ...(has('arbiter') ? { arbiter: 'arbiter' } : {}),
    fallback,
  };
  return `${JSON.stringify({ agents: Object.fromEntries(agents), roles, policy, gates }, null, 2)}\n`;
}

/** How the agents of a scenario are made: those that need the result channel live in memory, the others are programs. */
export function benchAgents(scenario: BenchScenario): (spec: AgentSpec) => Agent {
  const calls = new Map<string, number>();
  const count = (name: string): number => {
    const call = (calls.get(name) ?? 0) + 1;
    calls.set(name, call);
    return call;
  };
  return (spec) => {
    if (spec.driver !== 'fake') return createAgent(spec, { homes: agentHomes() });
    const script = (input: AgentInput): AsyncIterable<AgentEvent> => play(scenario, { name: spec.name, call: count(spec.name) }, input);
    return fakeAgent({ name: spec.name, spec, reportsBy: ['mcp'], script });
  };
}

function agentEntry(scenario: BenchScenario, name: string, stateDir: string): object {
  const { turns: _, driver = 'command', ...more } = castOf(scenario, name);
  if (driver === 'fake') return { driver };
  const run = [process.execPath, `${BENCH_FOLDER}agent.mjs`, `${BENCH_FOLDER}scenarios/${scenario.name}.json`, name, stateDir];
  return { driver, run, ...more };
}

type Start = { readonly name: string; readonly call: number };

async function* play(scenario: BenchScenario, { name, call }: Start, input: AgentInput): AsyncGenerator<AgentEvent, void, undefined> {
  const turn = benchTurn(scenario, name, call);
  for (const { tool, arguments: given, show = true } of turn.calls ?? []) {
    yield* callTool(input, { tool, arguments: { ...given, loopId: String(input.task) }, show });
  }
  const output = benchText(turn.print ?? '');
  if (output !== '') yield { type: 'text', stream: 'stdout', text: output };
  yield fakeEnded(null, output);
}
