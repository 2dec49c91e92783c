import type { FastifyInstance } from 'fastify';
import { VolleyError } from '../core/errors.ts';
import { openErrands } from '../lib/errands.ts';
import type { Errands } from '../lib/errands.ts';

/** A command that was told to end has two seconds for it. */
const PATIENCE_MS = 4000;
/** How long an answer that is given may take until it has left. */
const LEAVING_MS = 500;

/**
 * Lets a server stop in order. Nothing new is begun, what is under way is told so and may come to an end, each door ends what it holds, and
 * whatever was answered leaves before connections are closed. `last` is to be registered behind all doors.
 */
export function stopInOrder(server: FastifyInstance, errands: Errands): { readonly last: (server: FastifyInstance) => Promise<void> } {
  const answers = openErrands();
  server.addHook('onRequest', async ({ ws }, { raw }) => {
    errands.signal.throwIfAborted();
    if (!ws) void answers.run(async () => await new Promise((resolve) => raw.once('close', resolve)));
  });
  server.addHook('preClose', async () => {
    errands.stop(new VolleyError('stopping', 'The server stops.', 'Ask again when it runs: volley serve.'));
    await errands.settle(PATIENCE_MS);
  });
  return { last: async (inner) => void inner.addHook('preClose', async () => await answers.settle(LEAVING_MS)) };
}
