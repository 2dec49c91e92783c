import { readFile } from 'node:fs/promises';
import { docsPage } from './docs-page.ts';
import type { Description } from './openapi.ts';
import type { Door } from './server.ts';

const PAGES = [
  { path: '/', file: 'index.html', type: 'text/html; charset=utf-8' },
  { path: '/pages/open.js', file: 'open.js', type: 'text/javascript; charset=utf-8' },
  { path: '/pages/page.css', file: 'page.css', type: 'text/css; charset=utf-8' },
] as const;

/** The pages of the server. They hold nothing of the project, so that they ask for no token: a browser has none before it has a page. */
export function pageDoor(describe: () => Description): Door {
  return async (server) => {
    for (const { path, file, type } of PAGES) {
      const text = await readFile(new URL(`./pages/${file}`, import.meta.url), 'utf8');
      server.get(path, { config: { access: 'page' } }, async (_request, reply) => await reply.type(type).send(text));
    }
    server.get(
      '/api/docs',
      { config: { access: 'token', cookie: 'alone' } },
      async (_request, reply) => await reply.type('text/html; charset=utf-8').send(docsPage(describe())),
    );
  };
}
