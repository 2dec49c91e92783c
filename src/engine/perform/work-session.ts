import type { Subject } from '../../agents/agent.ts';
import type { Effect } from '../../core/action.ts';
import type { WorkCheckout } from '../../git/workspace.ts';
import type { Step } from '../engine.ts';
import { prepareCheckout } from '../prepare-checkout.ts';
import { runSession } from '../sessions.ts';
import type { SessionEnd } from '../sessions.ts';

/** A session of the author or the fixer, with the checkout that it worked in. */
export type WorkSession = { readonly checkout: WorkCheckout; readonly ended: SessionEnd };

/** What one of them is started with; `from` is a kept tree that it goes on from. */
export type WorkRequest = {
  readonly role: 'author' | 'fixer';
  readonly round: number;
  readonly wallMs: number;
  readonly from: string | null;
  readonly subject: Subject;
  prompt(): string;
};

/** Runs an author or a fixer in the loop's checkout; what it leaves when it is stopped is kept. */
export async function runWork(step: Step<Extract<Effect, { do: 'author' | 'fix' }>>, request: WorkRequest): Promise<WorkSession> {
  const { engine, loop, action, token, signal } = step;
  const checkout = await prepareCheckout(engine, loop, { token, signal });
  if (request.from !== null) await checkout.restore(request.from);
  const ended = await runSession({
    engine,
    loop,
    token,
    role: request.role,
    agent: action.agent,
    round: request.round,
    cwd: checkout.dir,
    base: loop.base.mergeBase,
    head: (loop.head ?? loop.start).commit,
    scratch: null,
    env: checkout.env,
    wallMs: request.wallMs,
    signal,
    onStop: async () => void (await checkout.keepPartial()),
    subject: request.subject,
    prompt: () => request.prompt(),
  });
  return { checkout, ended };
}
