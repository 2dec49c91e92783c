import type { serverContract } from '../contract/server.ts';
import type { Desk } from '../../engine/desk.ts';
import type { Handlers } from '../handlers.ts';
import { lastSeq } from '../../core/live-seq.ts';
import type { Description } from '../openapi.ts';
import type { GuardOf } from '../server.ts';

/** What the server knows of itself. */
export type About = {
  readonly version: string;
  readonly startedAt: string;
  readonly works: boolean;
  readonly describe: () => Description;
};

/** Answers about the server itself. */
export function serverRoutes(desk: Desk, { describe, ...about }: About, { guard, urls }: GuardOf): Handlers<typeof serverContract> {
  return {
    health: async () => ({
      type: 'health',
      v: 1,
      ...about,
      project: desk.project.name,
      seq: lastSeq(await desk.engine.store.position()),
      confinement: desk.engine.confinement.level,
      person: desk.person,
    }),
    openapi: async () => describe(),
    logIn: async ({ body }, { isProxied, setHeader }) => {
      const { cookie, page } = guard().logIn(body.code, { secure: isProxied });
      setHeader('set-cookie', cookie);
      return { page };
    },
    logOut: async (_request, { isProxied, headers, setHeader }) => {
      setHeader('set-cookie', guard().logOut(headers, { secure: isProxied }));
      return {};
    },
    makeCode: async () => {
      const code = guard().makeCode();
      const [url = '', ...others] = urls().map((one) => `${one}/#code=${code}`);
      return { url, others };
    },
  };
}
