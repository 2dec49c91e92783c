import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
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
  assert.equal(ran.code, 0, ran.stdout + ran.stderr);
  const loop = ran.loop();
  assert.equal(ran.stderr, '');
  assert.deepEqual(
    [loop.state, loop.rounds.map((round) => round.verdict)],
    ['approved', ['changes_requested', 'approved']],
  );
  assert.deepEqual([...new Set(loop.findings.map((finding) => `${finding.line} ${finding.status}`))], ['2 fixed']);
  const landed = await scenario.volley(['land', String(loop.id), ...(order.land ?? [])], where);
  assert.deepEqual([landed.code, landed.stderr], [0, ''], landed.stdout);
  return loop;
}

/** A file that exists as soon as a program that should not run was run. */
export type Canary = {
  /** A program to name wherever git would run one; it passes its input on, as a filter must. */
  readonly program: string;
  /** Fails if the program ran, and says by what. */
  assertSilent(): Promise<void>;
};

/** Makes a canary beside the repository. */
export async function makeCanary(scenario: Scenario): Promise<Canary> {
  const file = join(scenario.repository.beside, 'canary');
  const program = join(scenario.repository.beside, 'sing.sh');
  const inside = `tr '\\0' ' ' < /proc/$PPID/cmdline`;
  await writeFile(program, `#!/bin/sh\n{ echo "$0 $*"; ${inside}; } >> '${file}' 2>/dev/null\ncat\n`, { mode: 0o755 });
  return {
    program,
    assertSilent: async () => assert.equal(existsSync(file) ? await readFile(file, 'utf8') : '', '', 'a program ran that nobody asked for'),
  };
}
