import { agentsContract } from './contract/agents.ts';
import { analyticsContract } from './contract/analytics.ts';
import { artefactsContract } from './contract/artefacts.ts';
import { changesContract } from './contract/changes.ts';
import { commentsContract } from './contract/comments.ts';
import { journalContract } from './contract/journal.ts';
import { loopsContract } from './contract/loops.ts';
import { memoriesContract } from './contract/memories.ts';
import { peopleContract } from './contract/people.ts';
import type { ReplyOf, RequestOf } from './contract/route.ts';
import { serverContract } from './contract/server.ts';
import { reviewLoopContract } from './contract/review-loop.ts';
import { settingsContract } from './contract/settings.ts';
import { tasksContract } from './contract/tasks.ts';

/** Every route of the API. The server, its description and every client take their types from here. */
export const ROUTES = {
  ...reviewLoopContract,
  ...tasksContract,
  ...loopsContract,
  ...journalContract,
  ...peopleContract,
  ...commentsContract,
  ...changesContract,
  ...artefactsContract,
  ...agentsContract,
  ...settingsContract,
  ...memoriesContract,
  ...analyticsContract,
  ...serverContract,
};

/** The name of a route. */
export type RouteName = keyof typeof ROUTES;

/** What a route takes. */
export type ApiRequest<N extends RouteName> = RequestOf<(typeof ROUTES)[N]>;

/** What a route answers. */
export type ApiReply<N extends RouteName> = ReplyOf<(typeof ROUTES)[N]>;
