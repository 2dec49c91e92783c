import { z } from 'zod';
import type { Memory } from '../../core/memory.ts';
import { forgetFinding } from '../../engine/commands.ts';
import type { Desk } from '../../engine/desk.ts';
import type { memoriesContract } from '../contract/memories.ts';
import { pageBehind } from '../cursor.ts';
import type { Handlers } from '../handlers.ts';

/** As the store gives them. */
const NEWEST_FIRST = {
  key: z.tuple([z.string(), z.string()]),
  keyOf: ({ at, findingId }: Memory): [string, string] => [at, findingId],
  isBehind: ({ at, findingId }: Memory, [lastAt, lastId]: readonly [string, string]) =>
    at < lastAt || (at === lastAt && findingId < lastId),
};

/** Tells what was refuted, and lets it be forgotten. */
export function memoriesRoutes(desk: Desk): Handlers<typeof memoriesContract> {
  const { store } = desk.engine;
  return {
    listMemories: async ({ query }) => {
      const { items, ...page } = pageBehind(await store.memories(), query, NEWEST_FIRST);
      return { memories: items, ...page };
    },
    forgetMemory: async ({ params: { finding: findingId } }) => {
      await forgetFinding(desk.engine, Number(findingId.split('.')[0]), { findingId, by: desk.person, reason: null });
      return { findingId };
    },
  };
}
