import { readFile } from 'node:fs/promises';
import { docsPage } from './docs-page.ts';
import type { Description } from './openapi.ts';
import type { Door } from './server.ts';

/** The description of the API as a page to be browsed, and its style, which holds nothing of the project and asks for no token. */
export function docsDoor(describe: () => Description): Door {
  return async (server) => {
    const style = await readFile(new URL('./pages/page.css', import.meta.url), 'utf8');
    server.get(
      '/pages/page.css',
      { config: { access: 'page' } },
      async (_request, reply) => await reply.type('text/css; charset=utf-8').send(style),
    );
    server.get(
      '/api/docs',
      { config: { access: 'token', cookie: 'alone' } },
      async (_request, reply) => await reply.type('text/html; charset=utf-8').send(docsPage(describe())),
    );
  };
}
