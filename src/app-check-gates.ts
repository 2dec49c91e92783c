import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { ok, problem, warning } from './app-check.ts';
import type { Check } from './app-check.ts';
import type { Repository } from './app-repository.ts';
import { gateProgram } from './config/gate-program.ts';
import type { GateSpec, Settings } from './core/settings.ts';
import { findExecutable } from './lib/executable.ts';

/** Whether the gates and what a checkout needs before them could be started; they are not run. */
export async function checkGates({ gates, checkout }: Settings, { workTree, started }: Repository): Promise<Check[]> {
  const hasSetup = checkout.setup !== null;
  const lines: Line[] = [
    ...(checkout.setup === null ? [] : [{ name: `${checkout.setup} (set-up)`, run: checkout.setup, cwd: '.' }]),
    ...gates,
  ];
  const missing = new Map<string, string[]>();
  for (const line of lines) {
    const why = await problemOf(line, workTree, hasSetup);
    if (why !== null) missing.set(why, [...(missing.get(why) ?? []), line.name]);
  }
  const wrong = [...missing].map(([why, names]) =>
    problem('gates', `${why} It is needed for: ${names.join(', ')}`, 'Install it, or change the commands in volley.yaml.'),
  );
  const copies = checkout.copy
    .filter((path) => !existsSync(join(started?.project.root ?? workTree, path)))
    .map((path) => warning('checkout', `There is no ${path} to copy into checkouts.`, 'Make it, or take it out of checkout.copy.'));
  return [...gateList(gates, wrong), ...copies];
}

function gateList(gates: readonly GateSpec[], wrong: readonly Check[]): readonly Check[] {
  if (wrong.length > 0) return wrong;
  return gates.length === 0
    ? [warning('gates', 'none, so nothing is run before a review', 'Write your test command into volley.yaml: gates: ["npm test"].')]
    : [ok('gates', gates.map(({ name }) => name).join(', '))];
}

type Line = Pick<GateSpec, 'name' | 'run' | 'cwd'>;

/** Why a command could not be started, as far as its line tells; what a set-up command may bring is not missed. */
async function problemOf({ run, cwd }: Line, workTree: string, hasSetup: boolean): Promise<string | null> {
  const folder = join(workTree, cwd);
  if ((await stat(folder).catch(() => null))?.isDirectory() !== true) return `There is no folder ${cwd}.`;
  const program = gateProgram(run);
  if (program === null) return null;
  const isInside = program.includes('/') && !isAbsolute(program);
  if (isInside && hasSetup && !existsSync(join(folder, program))) return null;
  return (await findExecutable(isInside ? join(folder, program) : program, process.env['PATH'] ?? '')).problem;
}
