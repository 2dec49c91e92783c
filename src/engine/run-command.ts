import type { Loop } from '../core/loop.ts';
import type { Policy } from '../core/policy.ts';
import type { GateSpec, Settings } from '../core/settings.ts';
import type { GateRun } from '../gates/gate.ts';
import type { Engine, Step } from './engine.ts';
import { markerOf } from './sessions.ts';

/** The part of a step that a single command takes, so that commands can be tried without a loop. */
export type CommandStep = Pick<Step<unknown>, 'token' | 'signal'> & {
  readonly engine: Pick<Engine, 'confinement' | 'home' | 'report' | 'runGate'>;
  readonly loop: Pick<Loop, 'id' | 'uid'> & {
    readonly settings: Pick<Settings, 'checkout'> & { readonly policy: Pick<Policy, 'timeoutsMs'> };
  };
};

/** Where a command runs: a folder, and variables that belong to it. */
export type CommandPlace = { readonly dir: string; readonly env?: Readonly<Record<string, string>> };

/** How the set-up command did in a place, in which all that it changed stays; null where there is no such command. */
export async function runSetup(step: CommandStep, place: CommandPlace): Promise<GateRun | null> {
  const { setup } = step.loop.settings.checkout;
  return setup === null ? null : await runCommand(step, { name: 'setup', run: setup, cwd: '.', paths: [], network: true }, place);
}

/** Runs a gate, or what is run like one, with nothing of the user's but what finds programs. */
export async function runCommand(step: CommandStep, gate: GateSpec, { dir, env: own = {} }: CommandPlace): Promise<GateRun> {
  const { engine, loop, token, signal } = step;
  const { env } = engine.confinement.prepare({ cwd: dir, env: own }, { role: 'gate', passEnv: [], home: engine.home });
  const wallMs = loop.settings.policy.timeoutsMs.gate;
  const run = await engine.runGate({ gate, dir, env, wallMs, marker: markerOf(loop, token), signal });
  signal.throwIfAborted();
  return run;
}
