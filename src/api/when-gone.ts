import type { FastifyReply } from 'fastify';

/** Aborted when a request is answered, or whoever made it has gone away. */
export function whenGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => gone.abort());
  return gone.signal;
}
