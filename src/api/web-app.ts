import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { isForPage } from './lock-down.ts';
import type { Door } from './server.ts';

/** Where the set-up, or whoever packed the package, has built the web app. */
const BUILT = join(import.meta.dirname, '..', '..', 'dist', 'web');

/** The addresses of the app's pages; what they show is told by the address, and asked for by the page. */
const PAGES = ['/', '/loop/:id', '/change'] as const;

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** Where the page names the nonce of its styles. */
const NONCE = 'nonce=""';

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Volley</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/pages/page.css"><main><h1>Volley</h1><p>The web app is not built. Run <code>npm run build:web</code> in the checkout of Volley, then start <code>volley serve</code> again. The <a href="/api/docs">API</a> works without it.</p></main></html>`;

/** The web app. It holds nothing of the project, so that it asks for no token: a browser has none before it has a page. */
export function webDoor(folder = BUILT): Door {
  return async (server) => {
    const page = await readFile(join(folder, 'index.html'), 'utf8').catch(() => NOT_BUILT);
    const show = async (reply: FastifyReply): Promise<unknown> => {
      const nonce = randomBytes(18).toString('base64');
      reply.header('content-security-policy', policy(`'nonce-${nonce}'`));
      return await reply.type('text/html; charset=utf-8').send(page.replace(NONCE, `nonce="${nonce}"`));
    };
    for (const path of PAGES) server.get(path, { config: { access: 'page' } }, async (_request, reply) => await show(reply));
    // Whoever mistypes an address in a browser gets the app, which says so; programs are answered as everywhere.
    server.get('/*', { config: { access: 'page', onlyPages: true } }, async ({ raw }, reply) =>
      isForPage(raw) ? await show(reply.code(404)) : reply.callNotFound(),
    );
    await serveFiles(server, folder);
  };
}

/**
 * The files of the app, each by its own name and as they are when the server starts: the page that is given out names them, also after
 * somebody has built anew beneath it.
 */
async function serveFiles(server: FastifyInstance, folder: string): Promise<void> {
  const files = [...(await filesIn(folder)).filter((path) => path === ICON), ...(await filesIn(folder, '/assets'))];
  for (const path of files) {
    const bytes = await readFile(join(folder, path));
    let zipped: Promise<Buffer> | null = null;
    server.get(path, { config: { access: 'page' } }, async ({ headers }, reply) => {
      // A worker takes its rules from its own answer. The name of an asset changes with what it holds.
      reply.header('content-security-policy', policy()).header('vary', 'accept-encoding');
      if (path !== ICON) reply.header('cache-control', 'public, max-age=31536000, immutable');
      reply.type(TYPES[extname(path)] ?? 'application/octet-stream');
      if (!GZIP.test(headers['accept-encoding'] ?? '')) return await reply.send(bytes);
      zipped ??= zip(bytes);
      return await reply.header('content-encoding', 'gzip').send(await zipped);
    });
  }
}

const zip = promisify(gzip);

/** A client that takes it; one may also name what it does not take. */
const GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|\s|$))/;

const ICON = '/icon.svg';

/** The plain files of a folder, and no links, which may lead anywhere. */
async function filesIn(folder: string, below = ''): Promise<readonly string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => `${below}/${name}`);
}

/**
 * What the app may do: no script but its own, which may compile the engine that colours code; no style element but its own files and
 * those with the nonce. The diff viewer places lines and colours words with style attributes, which can load nothing that is not ours.
 */
function policy(nonce = ''): string {
  return [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    `style-src 'self' ${nonce}`.trim(),
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
