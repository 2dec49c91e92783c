import { z } from 'zod';
import { Memory } from '../../core/memory.ts';
import { Page, PAGE_END, route } from './route.ts';

/** The routes about findings that were refuted and stay so. */
export const memoriesContract = {
  listMemories: route({
    method: 'GET',
    path: '/api/memories',
    tag: 'findings',
    summary: 'The refuted findings that stay closed as long as their code is what it was, newest first.',
    query: Page,
    reply: z.object({ memories: z.array(Memory), ...PAGE_END }),
  }),
  forgetMemory: route({
    method: 'DELETE',
    path: '/api/memories/:finding',
    tag: 'findings',
    summary: 'Lets a refuted finding, such as 29.4, be raised again in other loops.',
    params: z.object({ finding: z.string().regex(/^[1-9][0-9]{0,14}\.[1-9][0-9]{0,9}$/, { error: 'must be a finding, such as 29.4' }) }),
    reply: z.object({ findingId: z.string() }),
  }),
};
