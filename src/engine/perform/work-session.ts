import type { Subject } from '../../agents/agent.ts';
import type { Effect } from '../../core/action.ts';
import type { Report } from '../../core/prompts/report.ts';
import { watchedKind } from '../../core/watched-files.ts';
import type { WorkCheckout } from '../../git/workspace.ts';
import type { Step } from '../engine.ts';
import { prepareCheckout } from '../prepare-checkout.ts';
import { runSession } from '../sessions.ts';
import type { SessionEnd } from '../sessions.ts';

type WorkStep = Step<Extract<Effect, { do: 'author' | 'fix' }>>;

/** What an author or a fixer is started with. */
export type WorkRequest = {
  readonly role: 'author' | 'fixer';
  readonly round: number;
  readonly wallMs: number;
  readonly subject: Subject;
  prompt(given: { readonly report: Report }): string;
};

/** The loop's checkout, with a kept tree in it where one is to be gone on from. */
export async function openWork({ engine, loop, token, signal }: WorkStep, from: string | null): Promise<WorkCheckout> {
  const checkout = await prepareCheckout(engine, loop, { token, signal });
  if (from !== null) await checkout.restore(from);
  return checkout;
}

/** Only the base branch may tell agents what to do: not what an author wrote, and not what a kept tree brings back. */
async function obeysProject({ engine, loop }: WorkStep): Promise<boolean> {
  if (loop.settings.confine.projectSettings !== 'base' || loop.resumeFrom !== null || loop.withheld !== null) return false;
  const paths = await engine.workspace.changedPaths(loop.rulesFrom, (loop.head ?? loop.start).commit);
  return !paths.some((path) => watchedKind(path) === 'agent-settings');
}

/** Runs an author or a fixer in the loop's checkout; what it leaves when it is stopped is kept. */
export async function runWork(step: WorkStep, checkout: WorkCheckout, request: WorkRequest): Promise<SessionEnd> {
  const { engine, loop, action, token, signal } = step;
  return await runSession({
    engine,
    loop,
    token,
    role: request.role,
    agent: action.agent,
    round: request.round,
    cwd: checkout.dir,
    access: checkout.access,
    obeysProject: await obeysProject(step),
    base: loop.base.mergeBase,
    head: (loop.head ?? loop.start).commit,
    scratch: null,
    env: checkout.env,
    wallMs: request.wallMs,
    signal,
    onStop: async () => void (await checkout.keepPartial()),
    subject: request.subject,
    prompt: (given) => request.prompt(given),
  });
}
