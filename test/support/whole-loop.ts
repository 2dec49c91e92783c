import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LoopOutput } from '../../src/core/output.ts';
import { answers, APPROVED, issue, rejected, turns } from './scenario.ts';
import type { Scenario, ScriptedAgent } from './scenario.ts';

/** A loop over a change of these files: the author writes them, the reviewer is not content with each of them, the fixer mends them. */
export function castFor(paths: readonly string[]): Readonly<Record<'author' | 'reviewer' | 'fixer', ScriptedAgent>> {
  const all = (content: string): Record<string, string> => Object.fromEntries(paths.map((path) => [path, content]));
  return {
    author: turns({ write: all('first\nsecond\n') }),
    reviewer: answers(rejected(...paths.map((file) => issue('The second line is wrong.', { file, line: 2 }))), APPROVED),
    fixer: turns({ write: all('first\nmended\n') }),
  };
}

/** How a whole loop is asked for: the words after `run`, where they are typed, and the words after `land 1`. */
export type LoopOrder = { readonly run?: readonly string[]; readonly cwd?: string; readonly land?: readonly string[] };

/** Runs a loop of `castFor`, sees that it was rejected once, fixed and approved, and lands it. */
export async function runAndLand(scenario: Scenario, order: LoopOrder = {}): Promise<LoopOutput> {
  const where = order.cwd === undefined ? {} : { cwd: order.cwd };
  const ran = await scenario.volley([...(order.run ?? ['run', 'Write it']), '--json'], where);
  assert.equal(ran.code, 0, ran.stdout.split('\n').slice(-4).join('\n') + ran.stderr);
  const loop = ran.loop();
  assert.equal(ran.stderr, '');
  assert.deepEqual([loop.state, loop.rounds.map((round) => round.verdict)], ['approved', ['changes_requested', 'approved']]);
  assert.deepEqual([...new Set(loop.findings.map((finding) => `${finding.line} ${finding.status}`))], ['2 fixed']);
  const landed = await scenario.volley(['land', String(loop.id), ...(order.land ?? [])], where);
  assert.deepEqual([landed.code, landed.stderr], [0, ''], landed.stdout);
  return loop;
}

/** A program that should never be run outside of an agent's session. */
export type Canary = {
  /** To be named wherever git would run a program; it passes its input on, as a filter must. */
  readonly program: string;
  /** Fails if it ran outside of a session, and says by whom. */
  assertSilent(): Promise<void>;
};

/** Makes a canary beside the repository, called `sing.sh`. */
export async function makeCanary({ repository }: Scenario): Promise<Canary> {
  const file = join(repository.beside, 'canary');
  const program = join(repository.beside, 'sing.sh');
  const sing = `{ echo "$0 $*"; tr '\\0' ' ' < /proc/$PPID/cmdline; echo; } >> '${file}' 2>/dev/null`;
  await writeFile(program, `#!/bin/sh\n[ -n "$VOLLEY_ROLE" ] || ${sing}\ncat\n`, { mode: 0o755 });
  return {
    program,
    assertSilent: async () => assert.equal(existsSync(file) ? await readFile(file, 'utf8') : '', '', 'a program ran that nobody asked for'),
  };
}

/** The command lines of all processes of this machine. */
export function commandLines(): readonly string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    } catch {
      // It ended while we looked.
      return '';
    }
  });
}

/** What a mistake must say, to people and to programs. */
export type Mistake = { readonly code: string; readonly message: string | RegExp; readonly remedy: string | RegExp };

/** Types a command line and sees that one is told this mistake and nothing else; a program gets as an object what a person reads. */
export async function assertMistake(
  scenario: Scenario,
  args: readonly string[],
  given: Mistake & { readonly cwd?: string; readonly reader?: 'person' | 'program' },
): Promise<void> {
  const isProgram = given.reader === 'program';
  const ran = await scenario.volley(isProgram ? ['--json', ...args] : args, given.cwd === undefined ? {} : { cwd: given.cwd });
  assert.deepEqual([ran.code, isProgram ? ran.stderr : ran.stdout], [1, ''], ran.stdout + ran.stderr);
  const said = isProgram ? objectOf(ran.stdout, given.code) : sentencesOf(ran.stderr, given.message);
  same(said.message, given.message);
  same(said.remedy, given.remedy);
}

type Said = { readonly message: string; readonly remedy: string };

function objectOf(stdout: string, code: string): Said {
  const { message, remedy, ...rest } = Object(JSON.parse(stdout));
  assert.deepEqual(rest, { type: 'error', v: 1, code });
  return { message: String(message), remedy: String(remedy) };
}

/** What is wrong may have several lines, in which case the whole of it is known. */
function sentencesOf(stderr: string, message: string | RegExp): Said {
  assert.match(stderr, /^error: .+\n {2}.+\n$/s);
  const text = stderr.slice('error: '.length, -1);
  const end = typeof message === 'string' ? message.length : text.indexOf('\n');
  return { message: text.slice(0, end), remedy: text.slice(end + '\n  '.length) };
}

function same(actual: string, expected: string | RegExp): void {
  if (typeof expected === 'string') assert.equal(actual, expected);
  else assert.match(actual, expected);
}
