import type { Loop } from '../core/loop.ts';
import type { WorkCheckout } from '../git/workspace.ts';
import { failpoint } from '../lib/failpoint.ts';
import type { Engine } from './engine.ts';
import { markerOf } from './sessions.ts';

/** A checkout could not be made ready; the loop asks a person instead of failing. */
export class CheckoutLost extends Error {
  override readonly name = 'CheckoutLost';
}

/** The loop's checkout at its newest commit, provisioned and set up. */
export async function prepareCheckout(engine: Engine, loop: Loop, given: { token: number; signal: AbortSignal }): Promise<WorkCheckout> {
  const commit = (loop.head ?? loop.start).commit;
  const checkout = await engine.workspace.openCheckout({ loopId: loop.id, uid: loop.uid, commit, copy: loop.settings.checkout.copy });
  for (const text of checkout.warnings) engine.report({ type: 'activity', loopId: loop.id, text: `${text}\n` });
  if (!checkout.fresh) return checkout;
  await failpoint('checked out');
  const { setup } = loop.settings.checkout;
  if (setup !== null) await runSetup({ engine, loop, checkout, setup, ...given });
  await failpoint('set up');
  await checkout.markReady();
  return checkout;
}

async function runSetup(input: {
  engine: Engine;
  loop: Loop;
  checkout: WorkCheckout;
  setup: string;
  token: number;
  signal: AbortSignal;
}): Promise<void> {
  const { engine, loop, checkout, setup, token, signal } = input;
  const gate = { name: 'setup', run: setup, cwd: '.', paths: [], network: true };
  const env = workEnvironment(engine, checkout);
  const run = await engine.runGate({
    gate,
    dir: checkout.dir,
    env,
    wallMs: loop.settings.policy.timeoutsMs.gate,
    marker: markerOf(loop, token),
    signal,
  });
  signal.throwIfAborted();
  if (run.passed) return;
  throw new CheckoutLost(`the set-up command "${setup}" failed: ${run.output.trim().split('\n').slice(-3).join(' ')}`);
}

/** The environment of gates and set-up commands: nothing of the user's but what finds programs. */
export function workEnvironment(
  engine: Pick<Engine, 'confinement' | 'home'>,
  where: { readonly dir: string; readonly env?: Readonly<Record<string, string>> },
): Readonly<Record<string, string>> {
  return engine.confinement.prepare({ cwd: where.dir, env: where.env ?? {} }, { role: 'gate', passEnv: [], home: engine.home }).env;
}
