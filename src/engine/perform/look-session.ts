import type { Effect } from '../../core/action.ts';
import type { ReviewPlace } from '../../git/workspace.ts';
import type { Step } from '../engine.ts';
import { runSession } from '../sessions.ts';
import type { SessionRequest } from '../session-request.ts';
import type { SessionEnd } from '../sessions.ts';
import type { Programs } from './trusted-programs.ts';

/** What a reviewer or an arbiter is started with. */
export type LookRequest = Pick<SessionRequest, 'agent' | 'seat' | 'ready' | 'subject' | 'prompt' | 'way'> & {
  readonly role: 'reviewer' | 'arbiter';
  readonly place: ReviewPlace;
  readonly programs: Programs;
};

/** A session of somebody who only looks: in a throw-away repository, with programs that the change did not choose. */
export async function runLook(
  step: Step<Extract<Effect, { do: 'review' | 'arbitrate' }>>,
  { place, ...request }: LookRequest,
): Promise<SessionEnd> {
  const { engine, loop, action, token, signal } = step;
  return await runSession({
    ...request,
    engine,
    loop,
    token,
    signal,
    round: action.round,
    cwd: place.dir,
    access: place.access,
    base: place.base,
    head: place.head,
    scratch: place.scratch,
    env: {},
    wallMs: loop.settings.policy.timeoutsMs.review,
    onStop: null,
  });
}
