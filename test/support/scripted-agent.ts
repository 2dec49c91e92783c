import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Files } from './repository.ts';

/** One session of a scripted agent, in this order: files, removals, shell code, result, printed text, exit code. */
export type Turn = {
  /** Written into the checkout. */
  readonly write?: Files;
  readonly remove?: readonly string[];
  /** Shell code that runs in the checkout, with the variables of the contract. */
  readonly run?: string;
  /** Written to the result file: a text as it is, anything else as JSON. `@NONCE@` becomes the nonce. */
  readonly result?: unknown;
  /** Printed on standard output. `@NONCE@` becomes the nonce. */
  readonly print?: string;
  readonly exit?: number;
};

/** What an agent does, session by session; the last turn repeats. */
export type ScriptedAgent = {
  /** Which number chooses the turn: how often the agent was started, or `VOLLEY_ROUND`. */
  readonly by: 'call' | 'round';
  readonly turns: readonly Turn[];
};

/** One start of a scripted agent, as it saw it. */
export type Call = { readonly cwd: string; readonly prompt: string; readonly env: Readonly<Record<string, string>> };

/** An agent that does this in its first, second, … session. */
export function turns(...list: readonly Turn[]): ScriptedAgent {
  return { by: 'call', turns: list };
}

/** A reviewer that gives these results in round 1, 2, …, however often it is asked. */
export function answers(...results: readonly unknown[]): ScriptedAgent {
  return { by: 'round', turns: results.map((result) => ({ result })) };
}

/** The result of a reviewer that has nothing to say against the change. */
export const APPROVED = { passed: true, summary: 'Nothing is wrong.' };

/** The result of a reviewer that found these issues. */
export function rejected(...issues: readonly object[]): object {
  return { passed: false, summary: 'This must change.', issues };
}

/** An issue of severity high. */
export function issue(description: string, more: Readonly<Record<string, unknown>> = {}): object {
  return { severity: 'high', category: 'logic', description, ...more };
}

/** Writes an agent's script into a folder of its own and gives the `run` of its entry. */
export async function writeAgent(folder: string, agent: ScriptedAgent): Promise<readonly string[]> {
  await mkdir(join(folder, 'calls'), { recursive: true });
  await Promise.all(agent.turns.map(async (turn, index) => await writeTurn(join(folder, 'turns', String(index + 1)), turn)));
  const script = join(folder, 'agent.sh');
  await writeFile(script, agentScript(folder, agent));
  return ['/bin/sh', script];
}

/** Every start of the agent in this folder, oldest first. */
export async function readCalls(folder: string): Promise<readonly Call[]> {
  const numbers = (await readdir(join(folder, 'calls'))).map(Number).toSorted((one, other) => one - other);
  return await Promise.all(
    numbers.map(async (number) => {
      const read = async (name: string): Promise<string> =>
        await readFile(join(folder, 'calls', String(number), name), 'utf8').catch(() => '');
      const [cwd, prompt, env] = await Promise.all([read('cwd'), read('prompt'), read('env')]);
      return { cwd: cwd.trimEnd(), prompt, env: Object.fromEntries(env.split('\n').map(pair)) };
    }),
  );
}

function pair(line: string): [string, string] {
  const at = line.indexOf('=');
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
}

async function writeTurn(folder: string, turn: Turn): Promise<void> {
  const { write = {}, remove = [], run = '', result, print = '', exit = 0 } = turn;
  await mkdir(join(folder, 'files'), { recursive: true });
  for (const [path, content] of Object.entries(write)) {
    await mkdir(dirname(join(folder, 'files', path)), { recursive: true });
    await writeFile(join(folder, 'files', path), content);
  }
  if (result !== undefined) await writeFile(join(folder, 'result'), typeof result === 'string' ? result : JSON.stringify(result));
  await writeFile(join(folder, 'print'), print);
  const lines = [
    `cp -R ${quoted(join(folder, 'files'))}/. .`,
    ...remove.map((path) => `rm -rf ${quoted(path)}`),
    run,
    ...(result === undefined ? [] : [`sed "s/@NONCE@/$VOLLEY_NONCE/g" < ${quoted(join(folder, 'result'))} > "$VOLLEY_RESULT"`]),
    `sed "s/@NONCE@/$VOLLEY_NONCE/g" < ${quoted(join(folder, 'print'))}`,
    `exit ${exit}`,
  ];
  await writeFile(join(folder, 'turn.sh'), `${lines.join('\n')}\n`);
}

function agentScript(folder: string, { by, turns: list }: ScriptedAgent): string {
  return [
    `calls=${quoted(join(folder, 'calls'))}`,
    'call=1',
    'while ! mkdir "$calls/$call" 2>/dev/null; do call=$((call + 1)); done',
    'pwd > "$calls/$call/cwd"',
    'env > "$calls/$call/env"',
    'cat > "$calls/$call/prompt"',
    `turn=${by === 'call' ? '$call' : '$VOLLEY_ROUND'}`,
    `if [ "$turn" -gt ${list.length} ]; then turn=${list.length}; fi`,
    `. ${quoted(join(folder, 'turns'))}/"$turn"/turn.sh`,
    '',
  ].join('\n');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
