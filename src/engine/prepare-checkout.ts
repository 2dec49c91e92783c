import type { Loop } from '../core/loop.ts';
import type { WorkCheckout } from '../git/workspace.ts';
import { failpoint } from '../lib/failpoint.ts';
import type { Engine } from './engine.ts';
import { runSetup } from './run-command.ts';

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
  const run = await runSetup({ engine, loop, ...given }, checkout);
  if (run?.passed === false) {
    const said = run.output.trim().split('\n').slice(-3).join(' ');
    throw new CheckoutLost(`the set-up command "${loop.settings.checkout.setup}" failed: ${said}`);
  }
  await failpoint('set up');
  await checkout.markReady();
  return checkout;
}
