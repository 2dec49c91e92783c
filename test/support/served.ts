import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentEvent, AgentInput } from '../../src/agents/agent.ts';
import { fakeAgent } from '../../src/agents/fake.ts';
import { openApp } from '../../src/app.ts';
import type { App } from '../../src/app.ts';
import { serveProject } from '../../src/app-serve.ts';
import type { Served } from '../../src/app-serve.ts';
import { makeScenario } from './scenario.ts';
import type { Scenario } from './scenario.ts';

/** What an agent of the test does. */
export type Play = (input: AgentInput) => AsyncIterable<AgentEvent> | readonly AgentEvent[];

/** An answer of the API, with its body as JSON. */
export type Answer = { readonly status: number; readonly headers: Headers; readonly body: unknown };

/** A project that is served in this process, with agents of the test; all of it is real but them. */
export type ServedProject = AsyncDisposable & {
  readonly scenario: Scenario;
  readonly app: App;
  readonly served: Served;
  readonly token: string;
  /** Asks the API with the token. */
  ask(
    method: string,
    path: string,
    given?: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<Answer>;
};

/** Serves a new project whose agents are called `author`, `reviewer` and `fixer`, the last two where a play is given. */
export async function serveScenario(plays: { readonly [name: string]: Play }): Promise<ServedProject> {
  const agents = Object.fromEntries(Object.keys(plays).map((name) => [name, { driver: 'fake' }]));
  const roles = {
    ...('author' in plays ? { author: 'author' } : {}),
    ...('reviewer' in plays ? { reviewer: ['reviewer'] } : {}),
    ...('fixer' in plays ? { fixer: 'fixer' } : {}),
  };
  const scenario = await makeScenario({ config: { agents, roles } });
  process.env['XDG_STATE_HOME'] = scenario.state;
  process.env['XDG_CONFIG_HOME'] = join(scenario.repository.beside, 'config');
  process.env['VOLLEY_CONFINE'] = 'copy';
  const app = await openApp({
    cwd: scenario.root,
    report: () => undefined,
    createAgent: ({ name }) => fakeAgent({ name, script: plays[name] ?? (() => []) }),
    drivers: ['fake'],
  });
  const served = await serveProject(app, {
    port: 0,
    allowedHosts: [],
    works: false,
    version: 'test',
    broke: (error) => {
      process.stderr.write(`${String(error)}\n`);
    },
  });
  const token = (await readFile(served.tokenFile, 'utf8')).trim();
  return {
    scenario,
    app,
    served,
    token,
    ask: async (method, path, { body, headers = {} } = {}) => {
      const response = await fetch(`${served.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
    },
    [Symbol.asyncDispose]: async () => {
      await served.close();
      await app.close();
      await scenario[Symbol.asyncDispose]();
    },
  };
}
