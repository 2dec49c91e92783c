import type { Desk } from '../engine/desk.ts';
import type { ROUTES } from './contract.ts';
import type { Handlers } from './handlers.ts';
import { agentsRoutes } from './routes/agents.ts';
import { analyticsRoutes } from './routes/analytics.ts';
import { artefactsRoutes } from './routes/artefacts.ts';
import { changesRoutes } from './routes/changes.ts';
import { commentsRoutes } from './routes/comments.ts';
import { journalRoutes } from './routes/journal.ts';
import { loopsRoutes } from './routes/loops.ts';
import { memoriesRoutes } from './routes/memories.ts';
import { peopleRoutes } from './routes/people.ts';
import { serverRoutes } from './routes/server.ts';
import type { About } from './routes/server.ts';
import { reviewLoopRoutes } from './routes/review-loop.ts';
import { settingsRoutes } from './routes/settings.ts';
import { tasksRoutes } from './routes/tasks.ts';
import type { GuardOf } from './server.ts';

/** Answers every route of the contract. */
export function routesOf(desk: Desk, about: About): (guard: GuardOf) => Handlers<typeof ROUTES> {
  return (guard) => ({
    ...reviewLoopRoutes(desk),
    ...tasksRoutes(desk),
    ...loopsRoutes(desk),
    ...journalRoutes(desk),
    ...peopleRoutes(desk),
    ...commentsRoutes(desk),
    ...changesRoutes(desk),
    ...artefactsRoutes(desk),
    ...agentsRoutes(desk),
    ...settingsRoutes(desk),
    ...memoriesRoutes(desk),
    ...analyticsRoutes(desk),
    ...serverRoutes(desk, about, guard),
  });
}
