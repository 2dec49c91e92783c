import { joinAccess } from '../core/access.ts';
import type { Access } from '../core/access.ts';
import type { Loop } from '../core/loop.ts';
import type { Policy } from '../core/policy.ts';
import type { GateSpec, Settings } from '../core/settings.ts';
import type { GateRun } from '../gates/gate.ts';
import type { Engine, Step } from './engine.ts';
import { gateNetwork } from './network.ts';
import { markerOf } from './sessions.ts';

/** The part of a step that a single command takes, so that commands can be tried without a loop. */
export type CommandStep = Pick<Step<unknown>, 'token' | 'signal'> & {
  readonly engine: Pick<Engine, 'artefacts' | 'confinement' | 'home' | 'report' | 'runGate'>;
  readonly loop: Pick<Loop, 'id' | 'uid'> & {
    readonly settings: Pick<Settings, 'checkout' | 'confine'> & { readonly policy: Pick<Policy, 'timeoutsMs'> };
  };
};

/** Where a command runs: a folder, what it has to reach beside it, and variables that belong to it. */
export type CommandPlace = { readonly dir: string; readonly access: Access; readonly env?: Readonly<Record<string, string>> };

/** How the set-up command did in a place, in which all that it changed stays; null where there is no such command. */
export async function runSetup(step: CommandStep, place: CommandPlace): Promise<GateRun | null> {
  const { setup } = step.loop.settings.checkout;
  return setup === null ? null : await runCommand(step, { name: 'setup', run: setup, cwd: '.', paths: [], network: true }, place);
}

/** Runs a gate, or what is run like one, with nothing of the user's but what finds programs. */
export async function runCommand(step: CommandStep, gate: GateSpec, place: CommandPlace): Promise<GateRun> {
  const { engine, loop, token, signal } = step;
  const { confine, policy } = loop.settings;
  const marker = markerOf(loop, token);
  const folder = await engine.artefacts.makeSessionFolder(marker);
  try {
    const held = await engine.confinement.hold(
      { cwd: place.dir, env: place.env ?? {} },
      {
        role: 'gate',
        passEnv: [],
        home: engine.home,
        folder: folder.dir,
        network: gateNetwork(gate.network, confine),
        ...joinAccess(place.access, { read: confine.read, write: confine.write }),
      },
    );
    try {
      const { env, launcher } = held;
      const run = await engine.runGate({ gate, dir: place.dir, env, launcher, wallMs: policy.timeoutsMs.gate, marker, signal });
      signal.throwIfAborted();
      return run;
    } finally {
      await held.close();
    }
  } finally {
    await folder.remove();
  }
}
