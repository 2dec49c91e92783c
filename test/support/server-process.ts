import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { ListeningOutput } from '../../src/core/output.ts';
import type { RunningVolley, Scenario, VolleyOptions } from './scenario.ts';
import type { Answer } from './served.ts';

/** A `volley serve` of its own, as users start it. */
export type ServerProcess = RunningVolley & {
  readonly url: string;
  readonly token: string;
  /** Asks the API with the token. */
  ask(method: string, path: string, body?: unknown): Promise<Answer>;
};

/** Starts `volley serve`, on a free port unless one is named, and waits until it listens. */
export async function startServer(
  scenario: Scenario,
  args: readonly string[] = [],
  env: VolleyOptions['env'] = {},
): Promise<ServerProcess> {
  const running = scenario.start(['serve', '--json', ...(args.includes('--port') ? [] : ['--port', '0']), ...args], { env });
  const { url, tokenFile } = ListeningOutput.parse(JSON.parse((await linesUntil(running, /^/))[0] ?? ''));
  return await serverOf(running, url, tokenFile);
}

/** The same as people see it, with lines that tell what happens. */
export async function startShownServer(scenario: Scenario, args: readonly string[] = []): Promise<ServerProcess> {
  const running = scenario.start(['serve', '--port', '0', ...args]);
  const lines = await linesUntil(running, TOKEN_LINE);
  const url =
    lines
      .find((line) => line.startsWith('Volley serves'))
      ?.split(' ')
      .at(-1) ?? '';
  return await serverOf(running, url, lines.find((line) => TOKEN_LINE.test(line))?.replace(TOKEN_LINE, '') ?? '');
}

const TOKEN_LINE = /^ +token +/;

async function linesUntil({ process: child, ended }: RunningVolley, last: RegExp): Promise<readonly string[]> {
  assert.ok(child.stdout);
  const lines: string[] = [];
  const reader = createInterface(child.stdout);
  const told = new Promise<void>((resolve) =>
    reader.on('line', (line) => {
      lines.push(line);
      if (last.test(line)) resolve();
    }),
  );
  await Promise.race([told, ended.then(({ stderr }) => assert.fail(stderr))]);
  reader.removeAllListeners('line');
  return lines;
}

async function serverOf(running: RunningVolley, url: string, tokenFile: string): Promise<ServerProcess> {
  const token = (await readFile(tokenFile, 'utf8')).trim();
  return {
    ...running,
    url,
    token,
    ask: async (method, path, body) => {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, headers: response.headers, body: await response.json() };
    },
  };
}
