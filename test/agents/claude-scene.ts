import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Agent, AgentInput } from '../../src/agents/agent.ts';
import { claude } from '../../src/agents/claude.ts';
import { plainAgent } from '../../src/core/settings.ts';
import type { AgentSpec } from '../../src/core/settings.ts';
import { startModelServer } from '../support/model-server.ts';
import type { ModelRecord, ModelServer } from '../support/model-server.ts';
import type { Step } from '../support/model-server-script.ts';
import type { Files } from '../support/repository.ts';
import { makeRoom, programOf } from './support.ts';
import type { Room } from './support.ts';

/** A room with a model of its own, so that sessions can run side by side. */
export type Scene = AsyncDisposable & {
  readonly room: Room;
  readonly server: ModelServer;
  readonly agent: Agent;
  /** What a session is started with; the variables that the agent's configuration names are in its environment. */
  session(change?: Partial<AgentInput>): Promise<AgentInput>;
};

/** The key with which sessions work unless they are logged in. */
export const KEY = 'sk-ant-api03-of-a-test';

/** Makes a scene in which the model takes these steps. */
export async function makeScene(given: { steps: readonly Step[]; spec?: Partial<AgentSpec>; files?: Files }): Promise<Scene> {
  const [room, server] = await Promise.all([
    makeRoom(given.files),
    startModelServer({ script: { rules: [{ name: 'work', steps: [...given.steps] }] } }),
  ]);
  const values = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: server.url };
  // Whether a key is set is looked up where Volley itself runs.
  process.env['ANTHROPIC_API_KEY'] = KEY;
  const names = { name: 'claude', driver: 'claude', model: 'claude-sonnet-4-5', env: Object.keys(values) };
  const spec = plainAgent({ ...names, run: [programOf('VOLLEY_CLAUDE')], ...given.spec });
  const env = Object.fromEntries(Object.entries(values).filter(([name]) => spec.env.includes(name)));
  const temporary = join(room.repository.beside, 'tmp');
  await mkdir(temporary);
  return {
    room,
    server,
    agent: claude.create(spec, { homes: room.homes }),
    session: async (change = {}) =>
      await room.session({
        role: 'author',
        prompt: 'Do the work.',
        held: true,
        ...change,
        env: { TMPDIR: temporary, ...env, ...change.env },
      }),
    async [Symbol.asyncDispose]() {
      await server.close();
      await room[Symbol.asyncDispose]();
    },
  };
}

/** Leaves in the home what Claude Code's own login would. */
export async function logIn(room: Room, change: { readonly expiresAt?: number } = {}): Promise<void> {
  const tokens = { accessToken: 'sk-ant-oat01-0', refreshToken: 'sk-ant-ort01-0', expiresAt: Date.now() + 8 * 3_600_000, ...change };
  const scopes = ['user:inference', 'user:profile'];
  const text = JSON.stringify({ claudeAiOauth: { ...tokens, scopes, subscriptionType: 'max' } });
  await writeFiles(room.homes, { 'claude/.credentials.json': text });
}

/** Writes files with their folders. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

/** What the model was told, as one text. */
export function told(records: readonly ModelRecord[]): string {
  return JSON.stringify(records.map(({ body }) => body));
}
