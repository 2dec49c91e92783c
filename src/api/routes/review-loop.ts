import { agentReview } from '../../core/seed-000.ts';
import { reviewLoopSession, reviewResult } from '../../core/seed-002.ts';
import type { ReviewLoopSession } from '../../core/seed-002.ts';
import { overrideLoop } from '../../engine/commands.ts';
import type { Desk } from '../../engine/desk.ts';
import { startReview } from '../../engine/start-review.ts';
import type { reviewLoopContract } from '../contract/review-loop.ts';
import type { LoopName } from '../contract/route.ts';
import { findLoop, loopNumber } from '../find-loop.ts';
import type { Handlers } from '../handlers.ts';

type Asked = { readonly params: { readonly featureId: LoopName }; readonly body: { readonly reason: string | null } };

/** Answers seed 002's routes, and seed 000's view of a loop. */
export function reviewLoopRoutes(desk: Desk): Handlers<typeof reviewLoopContract> {
  const by = desk.person;
  const override = (what: 'skip' | 'retry' | 'refine' | 'ready') => {
    return async ({ params, body }: Asked): Promise<ReviewLoopSession> => {
      const id = await loopNumber(desk, params.featureId);
      const loop = await overrideLoop(desk.engine, id, { override: what, by, ...body });
      desk.stir();
      return reviewLoopSession(loop);
    };
  };
  return {
    startReviewLoop: async ({ params, body }) => {
      const id = await loopNumber(desk, params.featureId);
      const loop = await startReview(desk.engine, id, { by, ...body });
      desk.stir();
      return reviewLoopSession(loop);
    },
    reviewLoopStatus: async ({ params }) => reviewLoopSession(await findLoop(desk, params.featureId)),
    reviewLoopHistory: async ({ params }) => (await findLoop(desk, params.featureId)).rounds.map(reviewResult),
    skipReview: override('skip'),
    retryReviewLoop: override('retry'),
    refineReviewLoop: override('refine'),
    markReady: override('ready'),
    agentReview: async ({ params }) => agentReview(await findLoop(desk, params.id)),
  };
}
